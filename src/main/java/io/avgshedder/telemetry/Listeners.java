package io.avgshedder.telemetry;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who want to see one kind of event. One that throws is reported and kept, and harms nobody. */
final class Listeners<E> {

    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final String events;
    private final List<Consumer<? super E>> listeners = new CopyOnWriteArrayList<>();

    /** @param events what a failure's message calls the events */
    Listeners(String events) {
        this.events = events;
    }

    RoundListeners.Subscription subscribe(Consumer<? super E> listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return () -> listeners.remove(listener);
    }

    void publish(E event) {
        for (Consumer<? super E> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException | LinkageError e) {
                LOG.warn("A listener of {} failed: {}", events, e.toString(), e);
            }
        }
    }
}
