package io.avgshedder.core;

import java.util.Objects;

/**
 * One broker's load report, checked: every figure is either usable or unknown (NaN).
 *
 * <p>Times are of two kinds and never mixed: {@link #reportTime} and {@link #startTime} are the broker's own clock
 * and are compared with earlier values of the same broker only; {@link #upMillis} is a duration.
 */
public final class BrokerLoad {

    private final String name;
    private final double[] percents;
    private final double[] limits;
    private final double messages;
    private final double bytesIn;
    private final double bytesOut;
    private final long reportTime;
    private final long startTime;
    private final long upMillis;
    private final int bundleCount;
    private final long topicCount;
    private final BundleReport bundles;

    private BrokerLoad(Builder builder) {
        name = builder.name;
        percents = builder.percents.clone();
        limits = builder.limits.clone();
        messages = BundleLoad.rate(builder.messages);
        bytesIn = BundleLoad.rate(builder.bytesIn);
        bytesOut = BundleLoad.rate(builder.bytesOut);
        reportTime = builder.reportTime;
        startTime = builder.startTime;
        upMillis = builder.upMillis;
        bundleCount = builder.bundleCount;
        topicCount = builder.topicCount;
        bundles = builder.bundles;
    }

    public static Builder named(String name) {
        return new Builder(name);
    }

    public String name() {
        return name;
    }

    /** Messages per second, in and out together. */
    public double messages() {
        return messages;
    }

    /** Bytes per second from producers. */
    public double bytesIn() {
        return bytesIn;
    }

    /** Bytes per second to consumers. */
    public double bytesOut() {
        return bytesOut;
    }

    /** Bytes per second, in and out together. */
    public double bytes() {
        return bytesIn + bytesOut;
    }

    /** When the broker wrote the report ({@code lastUpdate}), by its own clock: changes exactly when it is rewritten. */
    public long reportTime() {
        return reportTime;
    }

    /** When the broker's process started, by its own clock; 0 where the report does not say (before Pulsar 3.0). */
    public long startTime() {
        return startTime;
    }

    /** How long the process had been up when it wrote the report, in milliseconds; -1 where unknown. */
    public long upMillis() {
        return upMillis;
    }

    public int bundleCount() {
        return bundleCount;
    }

    public long topicCount() {
        return topicCount;
    }

    public BundleReport bundles() {
        return bundles;
    }

    /** The usage in percent, NaN where unknown. The configured-capacity metrics take their limit from the settings. */
    double usage(Metric metric, Settings settings) {
        return switch (metric) {
            case MSG_RATE -> Metric.percent(messages, settings.msgRateCapacity());
            case MSG_THROUGHPUT -> Metric.percent(bytes(), settings.msgThroughputCapacity());
            default -> percents[metric.ordinal()];
        };
    }

    /** The limit behind {@link #usage}: the broker's capacity in that metric, in the metric's own unit. */
    double limit(Metric metric, Settings settings) {
        return switch (metric) {
            case MSG_RATE -> settings.msgRateCapacity();
            case MSG_THROUGHPUT -> settings.msgThroughputCapacity();
            default -> limits[metric.ordinal()];
        };
    }

    /** Collects the figures of one report; those that are not given are unknown or 0. */
    public static final class Builder {

        private final String name;
        private final double[] percents = new double[Metric.ALL.size()];
        private final double[] limits = new double[Metric.ALL.size()];
        private double messages;
        private double bytesIn;
        private double bytesOut;
        private long reportTime;
        private long startTime;
        private long upMillis = -1;
        private int bundleCount;
        private long topicCount;
        private BundleReport bundles = BundleReport.EMPTY;

        private Builder(String name) {
            this.name = Objects.requireNonNull(name, "broker name");
            java.util.Arrays.fill(percents, Double.NaN);
        }

        /** A raw usage and its limit, as the report has them; see {@link Metric#percent} for what is refused. */
        public Builder usage(Metric metric, double usage, double limit) {
            percents[metric.ordinal()] = Metric.percent(usage, limit);
            limits[metric.ordinal()] = limit;
            return this;
        }

        public Builder traffic(double messages, double bytesIn, double bytesOut) {
            this.messages = messages;
            this.bytesIn = bytesIn;
            this.bytesOut = bytesOut;
            return this;
        }

        public Builder reportTime(long reportTime) {
            this.reportTime = reportTime;
            return this;
        }

        /** Both of the broker's own clock; {@code upMillis} is what has passed between the start and the report. */
        public Builder started(long startTime, long upMillis) {
            this.startTime = startTime;
            this.upMillis = upMillis;
            return this;
        }

        public Builder topicCount(long topicCount) {
            this.topicCount = topicCount;
            return this;
        }

        public Builder bundles(int count, BundleReport bundles) {
            this.bundleCount = count;
            this.bundles = Objects.requireNonNull(bundles, "bundles");
            return this;
        }

        public BrokerLoad build() {
            return new BrokerLoad(this);
        }
    }
}
