package io.avgshedder.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.common.naming.ServiceUnitId;

/**
 * Pulsar's modular load manager, unchanged in what it does, but doing it when a test says so. The broker makes it by name,
 * as it makes the real one.
 *
 * <ul>
 *   <li>The broker's shedding timer does nothing; {@link #shed()} runs the real {@code doLoadShedding()}.
 *   <li>{@link #betweenPlanAndPlacement} is a hook at the one moment that cannot be met from outside: the strategy has
 *       named the bundles to unload, and no new owner has been asked for yet.
 *   <li>A bundle can be pinned to a broker, so that a test decides where the load lies at the start. The manager's own
 *       placement, and with it the strategy, is asked for every bundle that is not pinned.
 * </ul>
 *
 * <p>Public, with a public constructor without arguments, because the broker loads it by name.
 */
public class SteppedLoadManager extends ModularLoadManagerImpl {

    private final AtomicReference<Runnable> betweenPlanAndPlacement = new AtomicReference<>();
    private volatile Map<String, String> pins = Map.of();
    private volatile Thread shedder;

    /** @param pins broker id by bundle; read at every placement, so later changes of the map count */
    void pinnedBy(Map<String, String> pins) {
        this.pins = pins;
    }

    /**
     * Runs {@code action} once, in the next {@link #shed()} that moves anything, after the plan was made and before the
     * first target is asked for.
     */
    void betweenPlanAndPlacement(Runnable action) {
        betweenPlanAndPlacement.set(action);
    }

    /** One real shedding cycle, in the caller's thread. */
    void shed() {
        shedder = Thread.currentThread();
        try {
            super.doLoadShedding();
        } finally {
            shedder = null;
        }
    }

    /** Writes this broker's load report, changed or not; returns the report's own time stamp. */
    long report() {
        writeBrokerDataOnZooKeeper(true);
        return updateLocalBrokerData().getLastUpdate();
    }

    /** What the broker's timer calls: nothing, see {@link #shed()}. */
    @Override
    public void doLoadShedding() {
    }

    /** The first thing that the manager asks for each planned bundle, in every version. */
    @Override
    public boolean shouldNamespacePoliciesUnload(String namespace, String bundle, String currentBroker) {
        if (Thread.currentThread() == shedder) {
            Runnable action = betweenPlanAndPlacement.getAndSet(null);
            if (action != null) {
                action.run();
            }
        }
        return super.shouldNamespacePoliciesUnload(namespace, bundle, currentBroker);
    }

    @Override
    public Optional<String> selectBrokerForAssignment(ServiceUnitId serviceUnit) {
        String pinned = pins.get(serviceUnit.toString());
        return pinned != null ? Optional.of(pinned) : super.selectBrokerForAssignment(serviceUnit);
    }
}
