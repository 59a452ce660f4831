package io.avgshedder.core;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Says once which metrics that have a weight cannot be read from which brokers' reports. */
final class UnknownMetrics {

    private final Map<String, Set<Metric>> said = new HashMap<>();

    /** One notice for each metric that became unknown for some broker; a broker that recovers is forgotten. */
    List<String> notices(ClusterSnapshot snapshot, Settings settings) {
        Set<String> present = new HashSet<>();
        Map<Metric, List<String>> fresh = new java.util.EnumMap<>(Metric.class);
        for (BrokerLoad broker : snapshot.brokers()) {
            present.add(broker.name());
            for (Metric metric : Metric.ALL) {
                if (isOff(metric, settings) || !Double.isNaN(broker.usage(metric, settings))) {
                    Set<Metric> known = said.get(broker.name());
                    if (known != null) {
                        known.remove(metric);
                    }
                } else if (said.computeIfAbsent(broker.name(), name -> EnumSet.noneOf(Metric.class)).add(metric)) {
                    fresh.computeIfAbsent(metric, any -> new ArrayList<>()).add(broker.name());
                }
            }
        }
        said.keySet().retainAll(present);
        List<String> notices = new ArrayList<>();
        fresh.forEach((metric, brokers) -> notices.add(metric.label() + " has no usable limit or usage in the report of "
                + brokers.get(0) + others(brokers.size() - 1)
                + ": it does not count for their scores" + remedy(metric)));
        return notices;
    }

    private static String others(int count) {
        return count == 0 ? "" : " and of " + count + (count == 1 ? " other" : " others");
    }

    private static String remedy(Metric metric) {
        return metric == Metric.BANDWIDTH_IN || metric == Metric.BANDWIDTH_OUT
                ? ". Where a machine tells no speed of its network card, write into broker.conf: "
                + "loadBalancerOverrideBrokerNicSpeedGbps=<Gbit/s>" : "";
    }

    private static boolean isOff(Metric metric, Settings settings) {
        return settings.weight(metric) <= 0
                || metric == Metric.MSG_RATE && settings.msgRateCapacity() <= 0
                || metric == Metric.MSG_THROUGHPUT && settings.msgThroughputCapacity() <= 0;
    }
}
