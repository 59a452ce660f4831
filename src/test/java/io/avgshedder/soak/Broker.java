package io.avgshedder.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/** One broker of a random cluster: what it carries, and the report in which it says so, more or less truly. */
final class Broker {

    private static final double[] GARBAGE = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, -0.0, 0,
        Double.MIN_VALUE, 1e300, Double.MAX_VALUE, -Double.MAX_VALUE};
    private static final String[] STRANGE_NAMES = {"", "/", "x", "t/n/", "t/n/0xzz_0x10", "t/n/0x00000010_0x00000000",
        "t/n/0x00000000_0xffffffffffffffffff", "t//0x0_0x1", "_", "t/n/_", "p\u00fclsar/\u0000/0x0_0x1"};

    final String name;
    /** Messages per second of each bundle that it has. */
    final Map<String, Double> bundles = new TreeMap<>();
    private final Random random;
    private final double limit;
    private final double idle;
    private final double speed;
    private final long clockError;
    /** Of ten thousand figures and structures so many are garbage. */
    private final int garbage;
    long started;
    int frozenFor;
    LocalBrokerData report;

    Broker(String name, Random random, int garbage, long now) {
        this.name = name;
        this.random = random;
        this.garbage = garbage;
        limit = random.nextInt(4) == 0 ? 400 : 100;
        idle = random.nextInt(20);
        speed = random.nextInt(5) == 0 ? 0.5 : 1;
        clockError = random.nextInt(2_000_000) - 1_000_000;
        started = now;
    }

    private double cpu() {
        double rate = bundles.values().stream().mapToDouble(Double::doubleValue).sum();
        return idle + rate * speed / 200 * 100 / limit;
    }

    private boolean isGarbage() {
        return garbage > 0 && random.nextInt(10_000) < garbage;
    }

    private double figure(double value) {
        return isGarbage() ? GARBAGE[random.nextInt(GARBAGE.length)] : value;
    }

    private ResourceUsage usage(double usage, double limit) {
        return isGarbage() ? null : new ResourceUsage(figure(usage), figure(limit));
    }

    /** Writes a new report, from the very same figures where nothing is to go wrong. */
    void write(long now) {
        LocalBrokerData written = new LocalBrokerData("http://" + name, null, "pulsar://" + name, null);
        double rate = bundles.values().stream().mapToDouble(Double::doubleValue).sum();
        written.setCpu(usage(cpu() * limit / 100, limit));
        written.setMemory(usage(random.nextInt(100), 100));
        written.setDirectMemory(usage(random.nextInt(100), 100));
        written.setBandwidthIn(usage(rate / 100, 100));
        written.setBandwidthOut(usage(rate / 150, 100));
        written.setMsgRateIn(figure(rate / 2));
        written.setMsgRateOut(figure(rate / 2));
        written.setMsgThroughputIn(figure(rate * 700));
        written.setMsgThroughputOut(figure(rate * 900));
        written.setNumTopics((int) figure(bundles.size()));
        written.setLastUpdate(isGarbage() ? random.nextLong() : now + clockError);
        Map<String, NamespaceBundleStats> stats = new LinkedHashMap<>();
        bundles.forEach((bundle, messages) -> stats.put(bundle, isGarbage() ? null : stats(messages)));
        if (isGarbage()) {
            stats.put(STRANGE_NAMES[random.nextInt(STRANGE_NAMES.length)], stats(500));
            stats.put(null, stats(100));
        }
        written.setLastStats(isGarbage() ? null : stats);
        written.setBundles(isGarbage() ? null : new HashSet<>(bundles.keySet()));
        written.setNumBundles(isGarbage() ? random.nextInt() : bundles.size());
        report = written;
    }

    private NamespaceBundleStats stats(double messages) {
        NamespaceBundleStats stats = new NamespaceBundleStats();
        stats.msgRateIn = figure(messages / 2);
        stats.msgRateOut = figure(messages / 2);
        stats.msgThroughputIn = figure(messages * 700);
        stats.msgThroughputOut = figure(messages * 900);
        stats.topics = 1;
        return stats;
    }

    /** A report without any garbage, of a load that all brokers have. */
    LocalBrokerData level(long now) {
        LocalBrokerData written = new LocalBrokerData("http://" + name, null, "pulsar://" + name, null);
        written.setCpu(new ResourceUsage(30, 100));
        written.setBandwidthIn(new ResourceUsage(20, 100));
        written.setBandwidthOut(new ResourceUsage(20, 100));
        written.setMsgRateIn(1_000);
        written.setMsgThroughputIn(700_000);
        written.setLastUpdate(now + clockError);
        written.setBundles(new HashSet<>(bundles.keySet()));
        written.setLastStats(new LinkedHashMap<>());
        written.setNumBundles(bundles.size());
        return written;
    }

    /** The same report with the maps in it in another order. */
    static void shuffle(LocalBrokerData report, Random order) {
        if (report.getLastStats() != null) {
            List<Map.Entry<String, NamespaceBundleStats>> entries = new ArrayList<>(report.getLastStats().entrySet());
            Collections.shuffle(entries, order);
            Map<String, NamespaceBundleStats> shuffled = new LinkedHashMap<>();
            entries.forEach(entry -> shuffled.put(entry.getKey(), entry.getValue()));
            report.setLastStats(shuffled);
        }
        if (report.getBundles() != null) {
            List<String> names = new ArrayList<>(report.getBundles());
            Collections.shuffle(names, order);
            report.setBundles(new LinkedHashSet<>(names));
        }
    }
}
