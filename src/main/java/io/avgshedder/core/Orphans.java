package io.avgshedder.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The last figures of bundles whose owner vanished.
 *
 * <p>When a broker dies, the load manager deletes the history of every bundle that nobody reports any more, and the
 * lookups that follow see made-up figures for all of them alike: a bundle of 3,000 msg/s and one of 3 weigh the same,
 * and the survivors end out of level. The dead broker's last report still has them.
 *
 * <p>A lookup does not tell which bundle it is for, so it has to try the orphans one by one. That is the square of their
 * number for all of them: with the 10,000 bundles of one broker each lookup took milliseconds. So only the
 * {@value #MOST_NAMES} with the most traffic are tried; of the others one weighs as much as the next, and those that a
 * report shows in their new place make room at the next round.
 */
final class Orphans {

    private record Orphan(BundleLoad load, long until) {
    }

    static final int MOST_NAMES = 1_000;

    private Map<String, BrokerLoad> lastSeen = new HashMap<>();
    private final Map<String, Orphan> orphans = new HashMap<>();
    /** {@code null} where it has to be made anew. */
    private List<String> largest = List.of();

    /** Takes note of who is there at a round. Returns the names of all orphans; those that are {@link #listed} end. */
    Set<String> observe(Map<String, BrokerLoad> brokers, long now, Settings settings) {
        adopt(brokers.keySet(), now, settings);
        if (!orphans.isEmpty()) {
            largest = null;
            orphans.values().removeIf(orphan -> now >= orphan.until);
        }
        lastSeen = new HashMap<>(brokers);
        return Set.copyOf(orphans.keySet());
    }

    /** Which of these bundles are in some report. Reads what it is given and nothing else: it needs no lock. */
    static Set<String> listed(Set<String> bundles, Collection<BrokerLoad> brokers) {
        Set<String> listed = new HashSet<>();
        if (!bundles.isEmpty()) {
            for (BrokerLoad broker : brokers) {
                if (broker.bundleCount() < bundles.size()) {
                    broker.bundles().forEachName(name -> {
                        if (bundles.contains(name)) {
                            listed.add(name);
                        }
                    });
                } else {
                    bundles.stream().filter(broker.bundles()::contains).forEach(listed::add);
                }
            }
        }
        return listed;
    }

    /** These bundles have an owner again. */
    void removeAll(Set<String> bundles) {
        bundles.forEach(orphans::remove);
        largest = null;
    }

    /**
     * The names of the orphans with the most traffic, the largest first; those of brokers that are missing from
     * {@code active} since the last round included.
     */
    List<String> names(Set<String> active, Settings settings, long now) {
        adopt(active, now, settings);
        if (largest == null) {
            largest = largest();
        }
        return largest;
    }

    private List<String> largest() {
        TrafficScale.Totals totals = TrafficScale.Totals.NONE;
        for (Orphan orphan : orphans.values()) {
            totals = totals.plus(orphan.load);
        }
        TrafficScale scale = TrafficScale.of(Metric.CPU, totals);
        return orphans.values().stream().map(Orphan::load)
                .sorted(Comparator.comparingDouble((BundleLoad load) -> scale.of(load)).reversed().thenComparing(BundleLoad::name))
                .limit(MOST_NAMES).map(BundleLoad::name).toList();
    }

    private void adopt(Set<String> active, long now, Settings settings) {
        long until = now + settings.gracePeriodMillis();
        lastSeen.entrySet().removeIf(entry -> {
            if (active.contains(entry.getKey())) {
                return false;
            }
            entry.getValue().bundles().forEach(bundle -> orphans.put(bundle.name(), new Orphan(bundle, until)));
            largest = null;
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
