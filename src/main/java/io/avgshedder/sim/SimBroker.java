package io.avgshedder.sim;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.SystemResourceUsage;

/**
 * A broker as it really is, and the report it makes of itself.
 *
 * <p>Beyond 100 points its CPU has no more to give: usage stays there and messages are served more slowly. Only the
 * report is cut, the true usage is not.
 */
final class SimBroker {

    private static final double BITS_PER_KILOBIT = 1000;
    private static final double MEMORY_PERCENT = 20;

    final String name;
    final double capacity;
    final double cores;
    final double nic;
    final String isolation;
    final Set<SimBundle> owned = new LinkedHashSet<>();

    boolean alive;
    boolean frozen;
    /** Counts its starts, so that what was planned for an earlier life ends. */
    int life;
    private final double idle;
    private double other;
    private long startedAt;

    private double rate;
    private double bytes;
    private double usedPoints;
    private double usedBytes;
    private long accruedTo;
    private double pointsWhenSampled;
    private double bytesWhenSampled;
    private long sampledAt;

    private double reportedCpu;
    private double reportedBytes;
    private Map<String, NamespaceBundleStats> stats = Map.of();
    private Report written;

    /** A load report whose start time is the virtual one. */
    private static final class Report extends LocalBrokerData {

        private final long start;

        private Report(String broker, long start) {
            super("http://" + broker, null, "pulsar://" + broker, null);
            this.start = start;
        }

        /** Overrides the one of 3.0.0 and later, which is the wall clock's. */
        public long getStartTimestamp() {
            return start;
        }

        @Override
        public boolean equals(Object that) {
            return this == that;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    SimBroker(String name, double capacity, double cores, double idle, double other, double nic, String isolation) {
        this.name = name;
        this.capacity = capacity;
        this.cores = cores;
        this.idle = idle;
        this.other = other;
        this.nic = nic;
        this.isolation = isolation;
    }

    /** True usage in points, without what comes and goes within minutes. May exceed 100. */
    double trueUsage() {
        double sum = 0;
        for (SimBundle bundle : owned) {
            sum += bundle.expected;
        }
        return idle + other + points(sum);
    }

    /** The points used without any bundle. */
    double backgroundUsage() {
        return idle + other;
    }

    /** The points that a rate takes here. */
    double points(double messagesPerSecond) {
        return 100 * messagesPerSecond / capacity;
    }

    void otherLoad(double points, long now) {
        accrue(now);
        other = points;
    }

    void start(long now) {
        alive = true;
        frozen = false;
        life++;
        startedAt = now;
        accruedTo = now;
        usedPoints = 0;
        usedBytes = 0;
        pointsWhenSampled = 0;
        bytesWhenSampled = 0;
        sampledAt = now;
        reportedCpu = 0;
        reportedBytes = 0;
        stats = Map.of();
        written = null;
        recompute();
    }

    private double demand() {
        return idle + other + points(rate);
    }

    /** The part of its messages that it can serve. */
    private double served() {
        double demand = demand();
        return demand <= 100 ? 1 : Math.max(0, 100 - idle - other) / points(rate);
    }

    void accrue(long now) {
        double seconds = (now - accruedTo) / 1000.0;
        usedPoints += Math.min(100, demand()) * seconds;
        usedBytes += bytes * served() * seconds;
        accruedTo = now;
    }

    /** Sums its bundles up again, after their rates or their owner have changed; accrue first. */
    void recompute() {
        rate = 0;
        bytes = 0;
        for (SimBundle bundle : owned) {
            rate += bundle.current;
            bytes += bundle.current * bundle.size;
        }
    }

    void add(SimBundle bundle, long now) {
        accrue(now);
        owned.add(bundle);
        bundle.owner = this;
        bundle.startReading(now);
        recompute();
    }

    void remove(SimBundle bundle, long now) {
        accrue(now);
        owned.remove(bundle);
        bundle.owner = null;
        recompute();
    }

    /** The host's usage figures of the span since the last sample. */
    void sampleUsage(long now, double noise) {
        accrue(now);
        if (now > sampledAt) {
            double seconds = (now - sampledAt) / 1000.0;
            reportedCpu = Math.max(0, Math.min(100, (usedPoints - pointsWhenSampled) / seconds + noise));
            reportedBytes = (usedBytes - bytesWhenSampled) / seconds;
            pointsWhenSampled = usedPoints;
            bytesWhenSampled = usedBytes;
            sampledAt = now;
        }
    }

    /** The broker's own statistics of its bundles, read anew. */
    void readStats(long now) {
        double served = served();
        Map<String, NamespaceBundleStats> read = new LinkedHashMap<>();
        for (SimBundle bundle : owned) {
            double messages = bundle.read(now) * served;
            NamespaceBundleStats figures = new NamespaceBundleStats();
            figures.msgRateIn = messages / 2;
            figures.msgRateOut = messages / 2;
            figures.msgThroughputIn = messages / 2 * bundle.size;
            figures.msgThroughputOut = messages / 2 * bundle.size;
            figures.topics = 1;
            figures.producerCount = 1;
            figures.consumerCount = 1;
            read.put(bundle.name, figures);
        }
        stats = read;
    }

    /**
     * The report as it is now, where one has to be written: a rate or the number of bundles has changed by more than
     * so many percent since the last one, usage by more than so many points, or it is too old.
     */
    LocalBrokerData reportIfDue(long now, long epoch, Scenario.Reporting reporting) {
        if (frozen) {
            return null;
        }
        Report report = new Report(name, epoch + startedAt);
        SystemResourceUsage usage = new SystemResourceUsage();
        double cpuLimit = cores * 100;
        usage.setCpu(new ResourceUsage(reportedCpu / 100 * cpuLimit, cpuLimit));
        double nicLimit = nic * 1000;
        double kilobits = reportedBytes / 2 * 8 / BITS_PER_KILOBIT;
        usage.setBandwidthIn(new ResourceUsage(kilobits, nicLimit));
        usage.setBandwidthOut(new ResourceUsage(kilobits, nicLimit));
        usage.setMemory(new ResourceUsage(MEMORY_PERCENT, 100));
        usage.setDirectMemory(new ResourceUsage(MEMORY_PERCENT, 100));
        report.update(usage, stats);
        report.setLastUpdate(epoch + now);
        report.cleanDeltas();
        if (written != null && !isDue(written, report, reporting)) {
            return null;
        }
        written = report;
        return report;
    }

    private static boolean isDue(LocalBrokerData before, LocalBrokerData report, Scenario.Reporting reporting) {
        if (report.getLastUpdate() - before.getLastUpdate() > reporting.longest() * 60_000) {
            return true;
        }
        double change = Math.max(100 * Math.abs(cpu(before) - cpu(report)),
                Math.max(percent(before.getMsgRateIn() + before.getMsgRateOut(),
                                report.getMsgRateIn() + report.getMsgRateOut()),
                        Math.max(percent(before.getMsgThroughputIn() + before.getMsgThroughputOut(),
                                        report.getMsgThroughputIn() + report.getMsgThroughputOut()),
                                percent(before.getNumBundles(), report.getNumBundles()))));
        return change > reporting.change();
    }

    private static double cpu(LocalBrokerData report) {
        return Math.max(report.getCpu().percentUsage(), report.getBandwidthIn().percentUsage()) / 100;
    }

    private static double percent(double before, double after) {
        return before == 0 ? after == 0 ? 0 : Double.POSITIVE_INFINITY : 100 * Math.abs((before - after) / before);
    }
}
