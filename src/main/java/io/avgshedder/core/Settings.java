package io.avgshedder.core;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/**
 * The effective settings of one round. Durations are in milliseconds, scores and thresholds in points.
 *
 * <p>The defaults are those of {@code broker.conf}. {@link Builder#build} refuses values that contradict each other;
 * whoever reads them from outside checks each against its own range first, where the key can still be named.
 */
public final class Settings {

    private static final long MINUTE = 60_000;

    private final double[] weights;
    private final double lowThreshold;
    private final double highThreshold;
    private final int hitCountLow;
    private final int hitCountHigh;
    private final double overloadThreshold;
    private final double msgRateCapacity;
    private final double msgThroughputCapacity;
    private final long gracePeriodMillis;
    private final long sheddingIntervalMillis;
    private final long hostUsageIntervalMillis;
    private final long longestReportIntervalMillis;
    private final double reportThreshold;
    private final long maxTopicsPerBroker;
    private final int maxUnloadsPerRound;
    private final boolean quietPeriod;
    private final PlanMode plan;
    private final PlacementMode placement;
    private final Set<String> excludedNamespaces;
    private final UnloadLimits unloadLimits;
    private final NamespaceRules namespaceRules;
    private final MetricThresholds metricThresholds;
    private final Ceilings ceilings;
    private final Set<String> draining;
    private final long holdUntil;
    private final boolean dryRun;

    private Settings(Builder builder) {
        weights = builder.weights.clone();
        lowThreshold = builder.lowThreshold;
        highThreshold = builder.highThreshold;
        hitCountLow = builder.hitCountLow;
        hitCountHigh = builder.hitCountHigh;
        overloadThreshold = builder.overloadThreshold;
        msgRateCapacity = builder.msgRateCapacity;
        msgThroughputCapacity = builder.msgThroughputCapacity;
        gracePeriodMillis = builder.gracePeriodMillis;
        sheddingIntervalMillis = builder.sheddingIntervalMillis;
        hostUsageIntervalMillis = builder.hostUsageIntervalMillis;
        longestReportIntervalMillis = builder.longestReportIntervalMillis;
        reportThreshold = builder.reportThreshold;
        maxTopicsPerBroker = builder.maxTopicsPerBroker;
        maxUnloadsPerRound = builder.maxUnloadsPerRound;
        quietPeriod = builder.quietPeriod;
        plan = builder.plan;
        placement = builder.placement;
        excludedNamespaces = Set.copyOf(builder.excludedNamespaces);
        unloadLimits = builder.unloadLimits;
        namespaceRules = builder.namespaceRules;
        metricThresholds = builder.metricThresholds;
        ceilings = builder.ceilings;
        draining = Set.copyOf(builder.draining);
        holdUntil = builder.holdUntil;
        dryRun = builder.dryRun;
    }

    /** Settings as they are when {@code broker.conf} sets nothing. */
    public static Settings defaults() {
        return new Builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The factor on a metric's usage; 0 leaves the metric out. */
    public double weight(Metric metric) {
        return weights[metric.ordinal()];
    }

    /** A gap from here on counts a low hit. */
    public double lowThreshold() {
        return lowThreshold;
    }

    /** A gap from here on counts a low and a high hit; at least the low threshold. */
    public double highThreshold() {
        return highThreshold;
    }

    /** Rounds in a row at or above the low threshold before a pair fires. */
    public int hitCountLow() {
        return hitCountLow;
    }

    /** Rounds in a row at or above the high threshold before a pair fires. */
    public int hitCountHigh() {
        return hitCountHigh;
    }

    /** A broker whose score is above this is overloaded: a donor of urgency, a receiver of last resort. */
    public double overloadThreshold() {
        return overloadThreshold;
    }

    /** Messages per second that are 100 % of {@link Metric#MSG_RATE}; 0 where the metric is off. */
    public double msgRateCapacity() {
        return msgRateCapacity;
    }

    /** Bytes per second that are 100 % of {@link Metric#MSG_THROUGHPUT}; 0 where the metric is off. */
    public double msgThroughputCapacity() {
        return msgThroughputCapacity;
    }

    /** How long a bundle rests after it was unloaded. */
    public long gracePeriodMillis() {
        return gracePeriodMillis;
    }

    public long sheddingIntervalMillis() {
        return sheddingIntervalMillis;
    }

    /** The span over which a broker averages its CPU and network usage. */
    public long hostUsageIntervalMillis() {
        return hostUsageIntervalMillis;
    }

    /** After this long a healthy broker writes its report even if nothing changed. */
    public long longestReportIntervalMillis() {
        return longestReportIntervalMillis;
    }

    /** A healthy broker writes its report at once when its largest usage has changed by so much, in points. */
    public double reportThreshold() {
        return reportThreshold;
    }

    /** A report that has not changed for this long is stale: the longest interval and two minutes for its way. */
    long staleAfterMillis() {
        return longestReportIntervalMillis + 2 * MINUTE;
    }

    /** How long a transfer and its receiver need before their usage can be believed: two host usage intervals. */
    long settlingMillis() {
        return 2 * hostUsageIntervalMillis;
    }

    /** How long a refusal or a failure is remembered: the grace period, ten minutes at least. */
    long memoryMillis() {
        return Math.max(gracePeriodMillis, 10 * MINUTE);
    }

    /** The load manager does not give a broker bundles once it has this many topics; 0 for no limit. */
    public long maxTopicsPerBroker() {
        return maxTopicsPerBroker;
    }

    public int maxUnloadsPerRound() {
        return maxUnloadsPerRound;
    }

    /** Whether restarts of brokers hold transfers back. */
    public boolean quietPeriod() {
        return quietPeriod;
    }

    /** How pairs that fire are served. */
    public PlanMode plan() {
        return plan;
    }

    public PlacementMode placement() {
        return placement;
    }

    /** Namespaces whose bundles are never moved, such as {@code tenant/namespace}. */
    public Set<String> excludedNamespaces() {
        return excludedNamespaces;
    }

    /** How many unloads a window of time may see. */
    public UnloadLimits unloadLimits() {
        return unloadLimits;
    }

    /** What holds for the bundles of single namespaces. */
    public NamespaceRules namespaceRules() {
        return namespaceRules;
    }

    /** Metrics that trip a pair by a gap of their own. */
    public MetricThresholds metricThresholds() {
        return metricThresholds;
    }

    /** Usages that no receiver's forecast may pass. */
    public Ceilings ceilings() {
        return ceilings;
    }

    /** Brokers that receive nothing while another can. */
    public Set<String> draining() {
        return draining;
    }

    /** Nothing moves before this instant of the round's clock; {@link Long#MIN_VALUE} for none. */
    public long holdUntil() {
        return holdUntil;
    }

    /** Whether rounds decide and say everything, and move nothing. */
    public boolean dryRun() {
        return dryRun;
    }

    /** Collects settings; what is not given keeps its default. */
    public static final class Builder {

        private final double[] weights = new double[Metric.ALL.size()];
        private double lowThreshold = 15;
        private double highThreshold = 40;
        private int hitCountLow = 8;
        private int hitCountHigh = 2;
        private double overloadThreshold = 85;
        private double msgRateCapacity;
        private double msgThroughputCapacity;
        private long gracePeriodMillis = 30 * MINUTE;
        private long sheddingIntervalMillis = MINUTE;
        private long hostUsageIntervalMillis = MINUTE;
        private long longestReportIntervalMillis = 15 * MINUTE;
        private double reportThreshold = 10;
        private long maxTopicsPerBroker = 50_000;
        private int maxUnloadsPerRound = 200;
        private boolean quietPeriod = true;
        private PlacementMode placement = PlacementMode.PREDICTED;
        private Set<String> excludedNamespaces = Set.of();
        private PlanMode plan = PlanMode.PAIRS;
        private UnloadLimits unloadLimits = UnloadLimits.NONE;
        private NamespaceRules namespaceRules = NamespaceRules.NONE;
        private MetricThresholds metricThresholds = MetricThresholds.NONE;
        private Ceilings ceilings = Ceilings.NONE;
        private Set<String> draining = Set.of();
        private long holdUntil = Long.MIN_VALUE;
        private boolean dryRun;

        private Builder() {
            Arrays.fill(weights, 1);
            weights[Metric.MEMORY.ordinal()] = 0;
            weights[Metric.DIRECT_MEMORY.ordinal()] = 0;
        }

        public Builder weight(Metric metric, double weight) {
            weights[metric.ordinal()] = weight;
            return this;
        }

        public Builder thresholds(double low, double high) {
            lowThreshold = low;
            highThreshold = high;
            return this;
        }

        public Builder hitCounts(int low, int high) {
            hitCountLow = low;
            hitCountHigh = high;
            return this;
        }

        public Builder overloadThreshold(double points) {
            overloadThreshold = points;
            return this;
        }

        public Builder msgRateCapacity(double messagesPerSecond) {
            msgRateCapacity = messagesPerSecond;
            return this;
        }

        public Builder msgThroughputCapacity(double bytesPerSecond) {
            msgThroughputCapacity = bytesPerSecond;
            return this;
        }

        public Builder gracePeriodMillis(long millis) {
            gracePeriodMillis = millis;
            return this;
        }

        public Builder sheddingIntervalMillis(long millis) {
            sheddingIntervalMillis = millis;
            return this;
        }

        public Builder hostUsageIntervalMillis(long millis) {
            hostUsageIntervalMillis = millis;
            return this;
        }

        public Builder longestReportIntervalMillis(long millis) {
            longestReportIntervalMillis = millis;
            return this;
        }

        public Builder reportThreshold(double points) {
            reportThreshold = points;
            return this;
        }

        public Builder maxTopicsPerBroker(long topics) {
            maxTopicsPerBroker = topics;
            return this;
        }

        public Builder maxUnloadsPerRound(int bundles) {
            maxUnloadsPerRound = bundles;
            return this;
        }

        public Builder quietPeriod(boolean on) {
            quietPeriod = on;
            return this;
        }

        public Builder placement(PlacementMode mode) {
            placement = Objects.requireNonNull(mode, "placement");
            return this;
        }

        public Builder excludedNamespaces(Set<String> namespaces) {
            excludedNamespaces = namespaces;
            return this;
        }

        public Builder plan(PlanMode mode) {
            plan = Objects.requireNonNull(mode, "plan");
            return this;
        }

        public Builder unloadLimits(UnloadLimits limits) {
            unloadLimits = Objects.requireNonNull(limits, "unload limits");
            return this;
        }

        public Builder namespaceRules(NamespaceRules rules) {
            namespaceRules = Objects.requireNonNull(rules, "namespace rules");
            return this;
        }

        public Builder metricThresholds(MetricThresholds thresholds) {
            metricThresholds = Objects.requireNonNull(thresholds, "metric thresholds");
            return this;
        }

        public Builder ceilings(Ceilings perMetric) {
            ceilings = Objects.requireNonNull(perMetric, "ceilings");
            return this;
        }

        public Builder draining(Set<String> brokers) {
            draining = brokers;
            return this;
        }

        public Builder holdUntil(long millis) {
            holdUntil = millis;
            return this;
        }

        public Builder dryRun(boolean on) {
            dryRun = on;
            return this;
        }

        /**
         * @throws IllegalArgumentException where a threshold is not positive, low is above high, a hit count or the
         *                                  round's cap is below 1, or a weight or duration is negative
         */
        public Settings build() {
            require(lowThreshold > 0 && lowThreshold <= highThreshold && highThreshold < Double.POSITIVE_INFINITY,
                    "thresholds must be 0 < low <= high, but are " + lowThreshold + " and " + highThreshold);
            require(hitCountLow >= 1 && hitCountHigh >= 1,
                    "hit counts must be 1 or more, but are " + hitCountLow + " and " + hitCountHigh);
            require(maxUnloadsPerRound >= 1, "the cap of a round must be 1 or more, but is " + maxUnloadsPerRound);
            require(Arrays.stream(weights).allMatch(BundleLoad::isRate),
                    "weights must be 0 or more, but are " + Arrays.toString(weights));
            require(gracePeriodMillis >= 0 && sheddingIntervalMillis > 0 && hostUsageIntervalMillis >= 0
                    && longestReportIntervalMillis > 0, "durations must not be negative");
            require(reportThreshold >= 0, "the report threshold must be 0 or more, but is " + reportThreshold);
            return new Settings(this);
        }

        private static void require(boolean condition, String message) {
            if (!condition) {
                throw new IllegalArgumentException(message);
            }
        }
    }
}
