package io.avgshedder.sim;

/** A scenario that cannot be read. The message names the file, the line, the key and what is wrong. */
public final class ScenarioException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ScenarioException(String message) {
        super(message);
    }
}
