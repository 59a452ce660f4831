package io.avgshedder.core;

import java.util.List;
import java.util.Optional;

/**
 * A named usage of one broker, in percent of a limit. The declaration order decides ties: where two metrics give the
 * same score, the earlier one is named.
 *
 * <p>{@link #MSG_RATE} and {@link #MSG_THROUGHPUT} have no limit in Pulsar's load report. They are percentages of a
 * configured capacity, for clusters whose CPU or network figures cannot be trusted (containers that report their
 * host's), and unknown while that capacity is not set.
 */
public enum Metric {
    CPU("cpu"),
    MEMORY("memory"),
    DIRECT_MEMORY("directMemory"),
    BANDWIDTH_IN("bandwidthIn"),
    BANDWIDTH_OUT("bandwidthOut"),
    MSG_RATE("msgRate"),
    MSG_THROUGHPUT("msgThroughput");

    static final List<Metric> ALL = List.of(values());

    private final String label;

    Metric(String label) {
        this.label = label;
    }

    /** The metric as settings, sentences and metrics write it, such as {@code bandwidthIn}. */
    public String label() {
        return label;
    }

    /** The metric written as {@code label}, upper and lower case alike. */
    public static Optional<Metric> byLabel(String label) {
        return ALL.stream().filter(metric -> metric.label.equalsIgnoreCase(label)).findFirst();
    }

    /**
     * Usage in percent, or NaN for <em>unknown</em>: a limit of 0 or below (a virtual machine without NIC speed
     * reports 0 or -1000), a negative usage (CPU is -1 before its first sample), NaN or an infinity, and figures so far
     * apart that their quotient is one. Unknown is never 0: a broker that cannot be measured must not look idle. Values
     * above 100 are kept as they are.
     */
    public static double percent(double usage, double limit) {
        boolean known = limit > 0 && limit < Double.POSITIVE_INFINITY && usage >= 0;
        double percent = 100 * usage / limit;
        return known && percent < Double.POSITIVE_INFINITY ? percent : Double.NaN;
    }
}
