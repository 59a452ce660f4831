package io.avgshedder.telemetry;

import io.avgshedder.core.Round;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who want to see each round of any broker in this process: the log, and what watches from outside. A listener
 * is called on the load manager's thread after the round's targets are remembered and before anything is unloaded; no
 * lock of the plugin is held. One that throws is reported and kept, and harms nobody.
 */
public final class RoundListeners {

    private static final Logger LOG = LoggerFactory.getLogger(RoundListeners.class);

    private static final List<Consumer<? super Round>> LISTENERS = new CopyOnWriteArrayList<>();

    private RoundListeners() {
    }

    /** A subscription; closing it ends it. */
    @FunctionalInterface
    public interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    public static Subscription subscribe(Consumer<? super Round> listener) {
        LISTENERS.add(Objects.requireNonNull(listener, "listener"));
        return () -> LISTENERS.remove(listener);
    }

    /** Shows the round to every listener. */
    public static void publish(Round round) {
        for (Consumer<? super Round> listener : LISTENERS) {
            try {
                listener.accept(round);
            } catch (RuntimeException | LinkageError e) {
                LOG.warn("A listener of rounds failed: {}", e.toString(), e);
            }
        }
    }
}
