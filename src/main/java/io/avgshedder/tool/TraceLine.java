package io.avgshedder.tool;

import java.util.List;
import java.util.Map;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/** One line of a trace. Times are in milliseconds since the epoch. */
sealed interface TraceLine {

    /** Settings from here on, as in {@code broker.conf}, merged over the earlier ones. */
    record Conf(Map<String, String> values) implements TraceLine {
    }

    /**
     * The reports of all active brokers.
     *
     * @param brokers a broker's report is {@code null} where it is active and none is known
     * @param shed    whether a round follows
     */
    record Reports(long time, Map<String, LocalBrokerData> brokers, boolean shed) implements TraceLine {
    }

    /** One call of {@code selectBroker}. */
    record Place(long time, String bundle, List<String> candidates) implements TraceLine {
    }
}
