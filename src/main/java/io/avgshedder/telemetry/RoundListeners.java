package io.avgshedder.telemetry;

import io.avgshedder.core.Round;
import java.util.function.Consumer;

/**
 * Those who want to see each round of any broker in this process: the log, and what watches from outside. A listener
 * is called on the load manager's thread after the round's targets are remembered and before anything is unloaded; no
 * lock of the plugin is held. One that throws is reported and kept, and harms nobody.
 */
public final class RoundListeners {

    private static final Listeners<Round> LISTENERS = new Listeners<>("rounds");

    private RoundListeners() {
    }

    /** A subscription; closing it ends it. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    public static Subscription subscribe(Consumer<? super Round> listener) {
        return LISTENERS.subscribe(listener);
    }

    /** Shows the round to every listener. */
    public static void publish(Round round) {
        LISTENERS.publish(round);
    }
}
