package io.avgshedder.pulsar;

import static io.avgshedder.core.Metric.BANDWIDTH_IN;
import static io.avgshedder.core.Metric.BANDWIDTH_OUT;
import static io.avgshedder.core.Metric.CPU;
import static io.avgshedder.core.Metric.DIRECT_MEMORY;
import static io.avgshedder.core.Metric.MEMORY;
import static io.avgshedder.core.Metric.MSG_RATE;
import static io.avgshedder.core.Metric.MSG_THROUGHPUT;

import io.avgshedder.core.Ceilings;
import io.avgshedder.core.MetricThresholds;
import io.avgshedder.core.NamespaceRules;
import io.avgshedder.core.PlacementMode;
import io.avgshedder.core.PlanMode;
import io.avgshedder.core.Settings;
import io.avgshedder.core.UnloadLimits;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A key, a good text for it that is not its default, and what that makes of the settings.
 *
 * @param key      the name of the key
 * @param text     as it is written in {@code broker.conf}
 * @param expected the value of the setting then
 * @param setting  finds the value
 */
public record SettingSample(String key, String text, Object expected, Function<Settings, Object> setting) {

    /** One for every key that is a setting; the key of the settings file is none. */
    public static List<SettingSample> all() {
        return List.of(
                of("loadBalancerCPUResourceWeight", "0.5", 0.5, s -> s.weight(CPU)),
                of("loadBalancerBandwidthInResourceWeight", "0.25", 0.25, s -> s.weight(BANDWIDTH_IN)),
                of("loadBalancerBandwithInResourceWeight", "0.75", 0.75, s -> s.weight(BANDWIDTH_IN)),
                of("loadBalancerBandwidthOutResourceWeight", "2", 2.0, s -> s.weight(BANDWIDTH_OUT)),
                of("loadBalancerBandwithOutResourceWeight", "0", 0.0, s -> s.weight(BANDWIDTH_OUT)),
                of("loadBalancerAvgShedderMemoryWeight", "0.1", 0.1, s -> s.weight(MEMORY)),
                of("loadBalancerAvgShedderDirectMemoryWeight", "100", 100.0, s -> s.weight(DIRECT_MEMORY)),
                of("loadBalancerAvgShedderMsgRateWeight", "0.3", 0.3, s -> s.weight(MSG_RATE)),
                of("loadBalancerAvgShedderMsgRateCapacity", "25000", 25_000.0, Settings::msgRateCapacity),
                of("loadBalancerAvgShedderMsgThroughputWeight", "3", 3.0, s -> s.weight(MSG_THROUGHPUT)),
                of("loadBalancerAvgShedderMsgThroughputCapacity", "1.5e9", 1.5e9,
                        Settings::msgThroughputCapacity),
                of("loadBalancerAvgShedderLowThreshold", "12", 12.0, Settings::lowThreshold),
                of("loadBalancerAvgShedderHighThreshold", "55", 55.0, Settings::highThreshold),
                of("loadBalancerAvgShedderHitCountLowThreshold", "5", 5, Settings::hitCountLow),
                of("loadBalancerAvgShedderHitCountHighThreshold", "3", 3, Settings::hitCountHigh),
                of("loadBalancerAvgShedderMaxUnloadsPerRound", "20", 20, Settings::maxUnloadsPerRound),
                of("loadBalancerAvgShedderQuietPeriod", "false", false, Settings::quietPeriod),
                of("loadBalancerAvgShedderPlacement", "random", PlacementMode.RANDOM, Settings::placement),
                of("loadBalancerAvgShedderPlan", "level", PlanMode.LEVEL, Settings::plan),
                of("loadBalancerAvgShedderMaxUnloads", "cluster=20/10m, namespace=2/1h",
                        UnloadLimits.parse("cluster=20/10m, namespace=2/1h"), Settings::unloadLimits),
                of("loadBalancerAvgShedderMetricThresholds", "bandwidthOut=10/30",
                        MetricThresholds.parse("bandwidthOut=10/30"), Settings::metricThresholds),
                of("loadBalancerAvgShedderCeilings", "cpu=70", Ceilings.parse("cpu=70"), Settings::ceilings),
                of("loadBalancerAvgShedderNamespaceRules", "a/b exempt; all max 1/1h",
                        NamespaceRules.parse("a/b exempt; all max 1/1h"), Settings::namespaceRules),
                of("loadBalancerAvgShedderHoldUntil", "2026-12-24T08:00:00Z", 1_798_099_200_000L,
                        Settings::holdUntil),
                of("loadBalancerAvgShedderDrain", "b-1:8080, b-2:8080", Set.of("b-1:8080", "b-2:8080"),
                        Settings::draining),
                of("loadBalancerAvgShedderDryRun", "true", true, Settings::dryRun),
                of("loadBalancerSheddingIntervalMinutes", "2", 120_000L, Settings::sheddingIntervalMillis),
                of("loadBalancerSheddingGracePeriodMinutes", "45", 2_700_000L, Settings::gracePeriodMillis),
                of("loadBalancerHostUsageCheckIntervalMinutes", "3", 180_000L,
                        Settings::hostUsageIntervalMillis),
                of("loadBalancerReportUpdateMaxIntervalMinutes", "10", 600_000L,
                        Settings::longestReportIntervalMillis),
                of("loadBalancerReportUpdateThresholdPercentage", "5", 5.0, Settings::reportThreshold),
                of("loadBalancerBrokerOverloadedThresholdPercentage", "70", 70.0, Settings::overloadThreshold),
                of("loadBalancerBrokerMaxTopics", "1000", 1_000L, Settings::maxTopicsPerBroker),
                of("loadBalancerSheddingExcludedNamespaces", "a/b, c/d", Set.of("a/b", "c/d"),
                        Settings::excludedNamespaces));
    }

    private static SettingSample of(String key, String text, Object expected, Function<Settings, Object> setting) {
        return new SettingSample(key, text, expected, setting);
    }

    public Object in(Settings settings) {
        return setting.apply(settings);
    }

    /** Whether the broker of this version has a setting of its own under this key. */
    public boolean isDeclaredByTheBroker() {
        return BrokerConf.declares(key);
    }

    @Override
    public String toString() {
        return key + "=" + text;
    }
}
