package io.avgshedder.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The last figures of bundles whose owner vanished.
 *
 * <p>When a broker dies, the load manager deletes the history of every bundle that nobody reports any more, and the
 * lookups that follow see made-up figures for all of them alike: a bundle of 3,000 msg/s and one of 3 weigh the same,
 * and the survivors end out of level. The dead broker's last report still has them.
 */
final class Orphans {

    private record Orphan(BundleLoad load, long until) {
    }

    private Map<String, BrokerLoad> lastSeen = new HashMap<>();
    private final Map<String, Orphan> orphans = new HashMap<>();

    /** Takes note of who is there at a round. */
    void observe(Map<String, BrokerLoad> brokers, long now, Settings settings) {
        adopt(brokers.keySet(), now, settings);
        orphans.values().removeIf(orphan -> now >= orphan.until);
        if (!orphans.isEmpty()) {
            brokers.values().forEach(broker -> orphans.keySet().removeIf(broker.bundles()::contains));
        }
        lastSeen = new HashMap<>(brokers);
    }

    /** The names of all orphans, those of brokers that are missing from {@code active} since the last round included. */
    Set<String> names(Set<String> active, Settings settings, long now) {
        adopt(active, now, settings);
        return Set.copyOf(orphans.keySet());
    }

    private void adopt(Set<String> active, long now, Settings settings) {
        long until = now + settings.gracePeriodMillis();
        lastSeen.entrySet().removeIf(entry -> {
            if (active.contains(entry.getKey())) {
                return false;
            }
            entry.getValue().bundles().forEach(bundle -> orphans.put(bundle.name(), new Orphan(bundle, until)));
            return true;
        });
    }

    /** A bundle's last figures, {@code null} where it is no orphan. */
    BundleLoad figures(String bundle, long now) {
        Orphan orphan = bundle == null ? null : orphans.get(bundle);
        return orphan == null || now >= orphan.until ? null : orphan.load;
    }

    boolean isEmpty() {
        return orphans.isEmpty();
    }
}
