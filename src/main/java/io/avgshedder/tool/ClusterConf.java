package io.avgshedder.tool;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The lines of {@code broker.conf} behind a running broker's configuration, as far as they concern load balancing.
 * Nothing else is taken: a configuration holds passwords and addresses.
 */
final class ClusterConf {

    private static final String CONCERNED = "loadBalancer";
    private static final String PLUGIN = "loadBalancerAvgShedder";

    private static final int MOST_ASKED = 3;

    private ClusterConf() {
    }

    /** What the first of the brokers that tells its configuration runs with. */
    static Map<String, String> firstTold(Cluster cluster, List<String> brokers) throws AdminException {
        AdminException failure = new AdminException("the cluster lists no broker");
        for (String broker : brokers.subList(0, Math.min(MOST_ASKED, brokers.size()))) {
            try {
                return cluster.configuration(broker);
            } catch (AdminException e) {
                failure = e;
            }
        }
        throw failure;
    }

    /** Whether the key may go into a trace. The settings file is a path on the broker's own disk. */
    static boolean isConcerned(String key) {
        return key.startsWith(CONCERNED) && !key.equals(PLUGIN + "SettingsFile");
    }

    /** Brokers print their values as Java does; the file wants them as it is written. */
    static Map<String, String> lines(Map<String, String> configuration) {
        Map<String, String> lines = new TreeMap<>();
        configuration.forEach((key, value) -> {
            boolean isOptional = value.startsWith("Optional");
            String text = value.startsWith("[") && value.endsWith("]")
                    ? value.substring(1, value.length() - 1).replace(", ", ",") : value;
            if (isConcerned(key) && !isOptional && !text.isBlank()) {
                lines.put(key, text);
            }
        });
        return lines;
    }

    /** Whether the broker's version declares the plugin's thresholds, and so tells their values. */
    static boolean tellsThresholds(Map<String, String> configuration) {
        return configuration.containsKey(PLUGIN + "LowThreshold");
    }
}
