package io.avgshedder.pulsar;

import java.util.Objects;

/**
 * The one clock of all plugin instances in this process. A broker never replaces it; the demonstration and the cluster
 * tests do, before they start brokers.
 */
public final class PluginClock {

    private static volatile TimeSource source = TimeSource.system();

    private PluginClock() {
    }

    public static TimeSource current() {
        return source;
    }

    /** Replaces the clock and returns the one that was in use. */
    public static TimeSource use(TimeSource replacement) {
        TimeSource previous = source;
        source = Objects.requireNonNull(replacement, "time source");
        return previous;
    }
}
