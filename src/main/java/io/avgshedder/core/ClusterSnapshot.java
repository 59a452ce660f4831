package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known of the cluster when a round begins. Brokers are ordered by name, so that no map order of the caller
 * can reach a decision.
 *
 * @param brokers     the active brokers that have a report
 * @param withoutData the active brokers that have none; never taken for idle
 * @param unloaded    bundles that the load manager unloaded within the grace period, each with its time of unloading,
 *                    in the round's own clock
 */
public record ClusterSnapshot(List<BrokerLoad> brokers, Set<String> withoutData, Map<String, Long> unloaded) {

    public ClusterSnapshot {
        List<BrokerLoad> ordered = new ArrayList<>(brokers);
        ordered.sort(Comparator.comparing(BrokerLoad::name));
        brokers = List.copyOf(ordered);
        withoutData = java.util.Collections.unmodifiableSet(new TreeSet<>(withoutData));
        unloaded = java.util.Collections.unmodifiableMap(new HashMap<>(unloaded));
    }

    /** A cluster in which every broker reports and nothing was unloaded lately. */
    public static ClusterSnapshot of(Collection<BrokerLoad> brokers) {
        return new ClusterSnapshot(List.copyOf(brokers), Set.of(), Map.of());
    }
}
