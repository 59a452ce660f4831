package io.avgshedder.telemetry;

import io.avgshedder.core.Placed;
import java.util.function.Consumer;

/**
 * Those who want to see each placement of any broker in this process. A listener is called on the thread that asked, a
 * client's lookup or the load manager's, before the answer is given; no lock of the plugin is held.
 */
public final class PlacementListeners {

    private static final Listeners<Placed> LISTENERS = new Listeners<>("placements");

    private PlacementListeners() {
    }

    public static RoundListeners.Subscription subscribe(Consumer<? super Placed> listener) {
        return LISTENERS.subscribe(listener);
    }

    /** Shows the placement to every listener. */
    public static void publish(Placed placed) {
        LISTENERS.publish(placed);
    }
}
