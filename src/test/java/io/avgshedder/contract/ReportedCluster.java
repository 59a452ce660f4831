package io.avgshedder.contract;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/** Load data as the load manager keeps it, filled by hand. Bundles carry one KiB a message. */
final class ReportedCluster {

    final LoadData loadData;
    private long reports = 1;

    ReportedCluster() {
        this(new LoadData());
    }

    ReportedCluster(LoadData loadData) {
        this.loadData = loadData;
    }

    /** A report of CPU in percent and the bundles' message rates; the broker's own rate is at least {@code rate}. */
    ReportedCluster broker(String name, double cpu, double rate, Map<String, Double> bundles) {
        LocalBrokerData report = new LocalBrokerData("http://" + name, null, "pulsar://" + name, null);
        report.setCpu(new ResourceUsage(cpu, 100));
        report.setMemory(new ResourceUsage(99, 100));
        report.setDirectMemory(new ResourceUsage(99, 100));
        report.setBandwidthIn(new ResourceUsage(1, 100));
        report.setBandwidthOut(new ResourceUsage(1, 100));
        report.setMsgRateIn(rate);
        report.setMsgThroughputIn(rate * 1024);
        report.setLastUpdate(reports++);
        Map<String, NamespaceBundleStats> stats = new HashMap<>();
        bundles.forEach((bundle, messages) -> {
            stats.put(bundle, stats(messages));
            loadData.getBundleData().computeIfAbsent(bundle, any -> new BundleData(10, 1000))
                    .update(stats.get(bundle));
        });
        report.setLastStats(stats);
        report.setBundles(new HashSet<>(bundles.keySet()));
        report.setNumBundles(bundles.size());
        loadData.getBrokerData().put(name, new BrokerData(report));
        return this;
    }

    /** Every broker that has a report writes the same one again. */
    void rewriteReports() {
        loadData.getBrokerData().values().stream().map(BrokerData::getLocalData).filter(Objects::nonNull)
                .forEach(report -> report.setLastUpdate(reports++));
    }

    BundleData bundle(String name) {
        return loadData.getBundleData().get(name);
    }

    static NamespaceBundleStats stats(double messages) {
        NamespaceBundleStats stats = new NamespaceBundleStats();
        stats.msgRateIn = messages;
        stats.msgThroughputIn = messages * 1024;
        stats.topics = 1;
        return stats;
    }

    /** As many equal bundles of one namespace as asked for. */
    static Map<String, Double> bundles(String namespace, int count, double messages) {
        Map<String, Double> bundles = new HashMap<>();
        for (int i = 0; i < count; i++) {
            bundles.put(String.format("%s/0x%08x_0x%08x", namespace, i * 0x1000, (i + 1) * 0x1000), messages);
        }
        return bundles;
    }
}
