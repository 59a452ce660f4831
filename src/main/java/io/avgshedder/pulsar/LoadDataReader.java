package io.avgshedder.pulsar;

import io.avgshedder.core.BrokerLoad;
import io.avgshedder.core.ClusterSnapshot;
import io.avgshedder.core.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/**
 * Reads the load manager's data into the core's types. Other threads change that data meanwhile (reports arrive, brokers
 * leave), so everything is looked up once.
 */
final class LoadDataReader {

    private LoadDataReader() {
    }

    static ClusterSnapshot snapshot(LoadData loadData, TimeSource clock) {
        List<BrokerLoad> brokers = new ArrayList<>();
        Set<String> withoutData = new HashSet<>();
        loadData.getBrokerData().forEach((name, data) -> {
            BrokerLoad broker = broker(name, data, loadData, clock);
            if (broker == null) {
                withoutData.add(name);
            } else {
                brokers.add(broker);
            }
        });
        Map<String, Long> unloaded = new HashMap<>();
        loadData.getRecentlyUnloadedBundles().forEach((bundle, time) -> {
            if (bundle != null && time != null) {
                unloaded.put(bundle, clock.fromWall(time));
            }
        });
        return new ClusterSnapshot(brokers, withoutData, unloaded);
    }

    private static BrokerLoad broker(String name, BrokerData data, LoadData loadData, TimeSource clock) {
        LocalBrokerData report = data == null ? null : data.getLocalData();
        return report == null ? null : broker(name, report, loadData, clock);
    }

    /** One broker's report. */
    static BrokerLoad broker(String name, LocalBrokerData report, LoadData loadData, TimeSource clock) {
        ReportedBundles bundles = new ReportedBundles(report, loadData.getBundleData());
        BrokerLoad.Builder builder = BrokerLoad.named(name)
                .traffic(report.getMsgRateIn() + report.getMsgRateOut(), report.getMsgThroughputIn(),
                        report.getMsgThroughputOut())
                .reportTime(report.getLastUpdate())
                .topicCount(PulsarMembers.topics(report))
                .bundles(bundles.size(), bundles);
        // A report of an older broker has no start; the newer one that reads it puts the time of reading there.
        long started = PulsarMembers.startTimestamp(report);
        if (started > 0 && started <= report.getLastUpdate()) {
            builder.started(started, clock.duration(report.getLastUpdate() - started));
        }
        usage(builder, Metric.CPU, report.getCpu());
        usage(builder, Metric.MEMORY, report.getMemory());
        usage(builder, Metric.DIRECT_MEMORY, report.getDirectMemory());
        usage(builder, Metric.BANDWIDTH_IN, report.getBandwidthIn());
        usage(builder, Metric.BANDWIDTH_OUT, report.getBandwidthOut());
        return builder.build();
    }

    private static void usage(BrokerLoad.Builder builder, Metric metric, ResourceUsage usage) {
        if (usage != null) {
            builder.usage(metric, usage.usage, usage.limit);
        }
    }
}
