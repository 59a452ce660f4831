package io.avgshedder.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/**
 * A load manager's data for a cluster of a given size, always the same for the same size and state.
 *
 * <p>Scores are whole numbers, because the built-in AvgShedder of some versions compares them as such and fails on
 * others. A broker's traffic is proportional to its score, and its bundles share it unevenly: most are small, some are
 * large.
 */
public final class LoadedCluster {

    /** What the brokers look like. */
    public enum State {
        /** Half of the brokers are hot: every pair is more than the high threshold apart. */
        HOT,
        /** All brokers are within ten points: no pair is out of level. */
        LEVEL
    }

    private static final int BUNDLES_PER_NAMESPACE = 64;
    private static final double MESSAGES_PER_POINT = 1_000;
    private static final double BYTES_PER_MESSAGE = 1_024;
    private static final double CPU_LIMIT = 1_600;
    private static final double MEMORY_LIMIT = 8_192;
    private static final double NETWORK_LIMIT = 10_000_000;

    private final LoadData loadData = new LoadData();
    private final SplittableRandom random = new SplittableRandom(20_26);

    private LoadedCluster() {
    }

    /** @param size brokers and, in all, bundles, such as {@code 100x10000} */
    static LoadedCluster of(String size, State state) {
        String[] parts = size.split("x");
        int brokers = Integer.parseInt(parts[0]);
        int bundles = Integer.parseInt(parts[1]);
        LoadedCluster cluster = new LoadedCluster();
        for (int broker = 0; broker < brokers; broker++) {
            int first = (int) ((long) bundles * broker / brokers);
            int end = (int) ((long) bundles * (broker + 1) / brokers);
            int base = state == State.LEVEL ? 50 : broker % 2 == 0 ? 75 : 15;
            cluster.add(broker, base + broker / 2 % 10, brokers, first, end);
        }
        return cluster;
    }

    private void add(int number, int score, int brokers, int first, int end) {
        String name = String.format(Locale.ROOT, "broker-%04d.example:8080", number);
        double[] shares = new double[end - first];
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = Math.exp(2 * random.nextDouble() + 2 * random.nextDouble());
            sum += shares[i];
        }
        Map<String, NamespaceBundleStats> stats = new java.util.HashMap<>();
        for (int i = 0; i < shares.length; i++) {
            double messages = score * MESSAGES_PER_POINT * shares[i] / sum;
            NamespaceBundleStats figures = new NamespaceBundleStats();
            figures.msgRateIn = messages / 2;
            figures.msgRateOut = messages / 2;
            figures.msgThroughputIn = messages / 2 * BYTES_PER_MESSAGE;
            figures.msgThroughputOut = messages / 2 * BYTES_PER_MESSAGE;
            figures.topics = 1;
            // Neighbours in a namespace lie on different brokers, as they do in a cluster that has run for a while.
            String bundle = bundle(i * brokers + number);
            stats.put(bundle, figures);
            BundleData history = new BundleData(10, 1_000, figures);
            history.update(figures);
            loadData.getBundleData().put(bundle, history);
        }
        LocalBrokerData report = new LocalBrokerData();
        report.setLastUpdate(TimeUnit.DAYS.toMillis(1));
        report.setCpu(new ResourceUsage(score * CPU_LIMIT / 100, CPU_LIMIT));
        report.setMemory(new ResourceUsage(0.4 * MEMORY_LIMIT, MEMORY_LIMIT));
        report.setDirectMemory(new ResourceUsage(0.2 * MEMORY_LIMIT, MEMORY_LIMIT));
        report.setBandwidthIn(new ResourceUsage(0.1 * score / 100 * NETWORK_LIMIT, NETWORK_LIMIT));
        report.setBandwidthOut(new ResourceUsage(0.1 * score / 100 * NETWORK_LIMIT, NETWORK_LIMIT));
        report.setMsgRateIn(score * MESSAGES_PER_POINT / 2);
        report.setMsgRateOut(score * MESSAGES_PER_POINT / 2);
        report.setMsgThroughputIn(score * MESSAGES_PER_POINT / 2 * BYTES_PER_MESSAGE);
        report.setMsgThroughputOut(score * MESSAGES_PER_POINT / 2 * BYTES_PER_MESSAGE);
        report.setLastStats(stats);
        report.setBundles(new HashSet<>(stats.keySet()));
        report.setNumBundles(stats.size());
        BrokerData data = new BrokerData(report);
        loadData.getBrokerData().put(name, data);
    }

    private static String bundle(int number) {
        long width = 0x1_0000_0000L / BUNDLES_PER_NAMESPACE;
        long from = number % BUNDLES_PER_NAMESPACE * width;
        return String.format(Locale.ROOT, "tenant/namespace-%05d/0x%08x_0x%08x", number / BUNDLES_PER_NAMESPACE, from,
                Math.min(from + width, 0xffff_ffffL));
    }

    LoadData loadData() {
        return loadData;
    }

    /** All brokers' names. */
    List<String> brokers() {
        return new ArrayList<>(loadData.getBrokerData().keySet());
    }
}
