package io.avgshedder.pulsar;

import io.avgshedder.pulsar.Problem.Level;

/**
 * A problem that is there now. Two findings of the same identity are the same problem, which is told once, however
 * the sentence about it may have changed meanwhile.
 */
record Finding(String identity, Problem problem) {

    static Finding error(String identity, String message) {
        return new Finding(identity, new Problem(Level.ERROR, message));
    }

    static Finding warning(String identity, String message) {
        return new Finding(identity, new Problem(Level.WARN, message));
    }
}
