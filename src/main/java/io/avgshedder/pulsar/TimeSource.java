package io.avgshedder.pulsar;

/**
 * The clock of the plugin. Every duration the plugin knows is measured by it, so that a demonstration or a test can
 * run all of them faster alike.
 *
 * <p>Pulsar stamps unloads and reports by the wall clock; {@link #fromWall} and {@link #duration} bring those into
 * the plugin's time. They are the same unless a clock says otherwise.
 */
public interface TimeSource {

    /** Now, in milliseconds of the plugin's time. */
    long millis();

    /** The plugin's time at an instant of this machine's wall clock, in milliseconds since the epoch. */
    default long fromWall(long wallMillis) {
        return wallMillis;
    }

    /** How long a span of wall time is in the plugin's time, in milliseconds. */
    default long duration(long wallMillis) {
        return wallMillis;
    }

    /** The wall clock itself. */
    static TimeSource system() {
        return new FasterTime(System.currentTimeMillis(), 1);
    }

    /**
     * A clock that starts now and runs {@code factor} times as fast as the wall clock.
     *
     * @throws IllegalArgumentException where the factor is below 1
     */
    static TimeSource faster(int factor) {
        return new FasterTime(System.currentTimeMillis(), factor);
    }
}
