package io.avgshedder.pulsar;

import static io.avgshedder.core.Metric.BANDWIDTH_IN;
import static io.avgshedder.core.Metric.BANDWIDTH_OUT;
import static io.avgshedder.core.Metric.CPU;
import static io.avgshedder.core.Metric.DIRECT_MEMORY;
import static io.avgshedder.core.Metric.MEMORY;
import static io.avgshedder.core.Metric.MSG_RATE;
import static io.avgshedder.core.Metric.MSG_THROUGHPUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.Ceilings;
import io.avgshedder.core.MetricThresholds;
import io.avgshedder.core.NamespaceRules;
import io.avgshedder.core.PlacementMode;
import io.avgshedder.core.PlanMode;
import io.avgshedder.core.Settings;
import io.avgshedder.core.UnloadLimits;
import io.avgshedder.pulsar.EffectiveSetting.Origin;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is set in the configuration of this broker version reaches the settings, whichever way this version has. */
class SettingsContractTest {

    record Row(String key, String text, Object expected, Function<Settings, Object> setting) {

        @Override
        public String toString() {
            return key + "=" + text;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                new Row("loadBalancerCPUResourceWeight", "0.5", 0.5, s -> s.weight(CPU)),
                new Row("loadBalancerBandwidthInResourceWeight", "0.25", 0.25, s -> s.weight(BANDWIDTH_IN)),
                new Row("loadBalancerBandwithInResourceWeight", "0.75", 0.75, s -> s.weight(BANDWIDTH_IN)),
                new Row("loadBalancerBandwidthOutResourceWeight", "2", 2.0, s -> s.weight(BANDWIDTH_OUT)),
                new Row("loadBalancerBandwithOutResourceWeight", "0", 0.0, s -> s.weight(BANDWIDTH_OUT)),
                new Row("loadBalancerAvgShedderMemoryWeight", "0.1", 0.1, s -> s.weight(MEMORY)),
                new Row("loadBalancerAvgShedderDirectMemoryWeight", "100", 100.0, s -> s.weight(DIRECT_MEMORY)),
                new Row("loadBalancerAvgShedderMsgRateWeight", "0.3", 0.3, s -> s.weight(MSG_RATE)),
                new Row("loadBalancerAvgShedderMsgRateCapacity", "25000", 25_000.0, Settings::msgRateCapacity),
                new Row("loadBalancerAvgShedderMsgThroughputWeight", "3", 3.0, s -> s.weight(MSG_THROUGHPUT)),
                new Row("loadBalancerAvgShedderMsgThroughputCapacity", "1.5e9", 1.5e9,
                        Settings::msgThroughputCapacity),
                new Row("loadBalancerAvgShedderLowThreshold", "12", 12.0, Settings::lowThreshold),
                new Row("loadBalancerAvgShedderHighThreshold", "55", 55.0, Settings::highThreshold),
                new Row("loadBalancerAvgShedderHitCountLowThreshold", "5", 5, Settings::hitCountLow),
                new Row("loadBalancerAvgShedderHitCountHighThreshold", "3", 3, Settings::hitCountHigh),
                new Row("loadBalancerAvgShedderMaxUnloadsPerRound", "20", 20, Settings::maxUnloadsPerRound),
                new Row("loadBalancerAvgShedderQuietPeriod", "false", false, Settings::quietPeriod),
                new Row("loadBalancerAvgShedderPlacement", "random", PlacementMode.RANDOM, Settings::placement),
                new Row("loadBalancerAvgShedderPlan", "level", PlanMode.LEVEL, Settings::plan),
                new Row("loadBalancerAvgShedderMaxUnloads", "cluster=20/10m, namespace=2/1h",
                        UnloadLimits.parse("cluster=20/10m, namespace=2/1h"), Settings::unloadLimits),
                new Row("loadBalancerAvgShedderMetricThresholds", "bandwidthOut=10/30",
                        MetricThresholds.parse("bandwidthOut=10/30"), Settings::metricThresholds),
                new Row("loadBalancerAvgShedderCeilings", "cpu=70", Ceilings.parse("cpu=70"), Settings::ceilings),
                new Row("loadBalancerAvgShedderNamespaceRules", "a/b exempt; all max 1/1h",
                        NamespaceRules.parse("a/b exempt; all max 1/1h"), Settings::namespaceRules),
                new Row("loadBalancerAvgShedderHoldUntil", "2026-12-24T08:00:00Z", 1_798_099_200_000L,
                        Settings::holdUntil),
                new Row("loadBalancerAvgShedderDrain", "b-1:8080, b-2:8080", Set.of("b-1:8080", "b-2:8080"),
                        Settings::draining),
                new Row("loadBalancerAvgShedderDryRun", "true", true, Settings::dryRun),
                new Row("loadBalancerSheddingIntervalMinutes", "2", 120_000L, Settings::sheddingIntervalMillis),
                new Row("loadBalancerSheddingGracePeriodMinutes", "45", 2_700_000L, Settings::gracePeriodMillis),
                new Row("loadBalancerHostUsageCheckIntervalMinutes", "3", 180_000L,
                        Settings::hostUsageIntervalMillis),
                new Row("loadBalancerReportUpdateMaxIntervalMinutes", "10", 600_000L,
                        Settings::longestReportIntervalMillis),
                new Row("loadBalancerBrokerOverloadedThresholdPercentage", "70", 70.0, Settings::overloadThreshold),
                new Row("loadBalancerBrokerMaxTopics", "1000", 1_000L, Settings::maxTopicsPerBroker),
                new Row("loadBalancerSheddingExcludedNamespaces", "a/b, c/d", Set.of("a/b", "c/d"),
                        Settings::excludedNamespaces));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aLineOfBrokerConfReachesTheSettings(Row row) {
        Reading reading = new SettingsReader().read(BrokerConf.installed(row.key() + "=" + row.text()));

        assertThat(row.setting().apply(reading.settings())).isEqualTo(row.expected());
        assertThat(reading.problems()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theOriginIsTheBrokersGetterExactlyWhereItHasOne(Row row) {
        ServiceConfiguration conf = BrokerConf.installed(row.key() + "=" + row.text());

        assertThat(new SettingsReader().effective(conf)).filteredOn(setting -> setting.key().equals(row.key()))
                .extracting(EffectiveSetting::origin)
                .containsExactly(BrokerConf.declares(row.key()) ? Origin.GETTER : Origin.PROPERTIES);
    }

    static Stream<Row> rowsThatTheBrokerDeclares() {
        return rows().filter(row -> BrokerConf.declares(row.key()));
    }

    @ParameterizedTest
    @MethodSource("rowsThatTheBrokerDeclares")
    void dynamicConfigurationReachesTheSettingsAtTheNextReading(Row row) {
        ServiceConfiguration conf = BrokerConf.installed();
        SettingsReader reader = new SettingsReader();
        assertThat(row.setting().apply(reader.read(conf).settings())).isNotEqualTo(row.expected());

        BrokerConf.set(conf, row.key(), parsedByTheBroker(row));

        Reading reading = reader.read(conf);
        assertThat(row.setting().apply(reading.settings())).isEqualTo(row.expected());
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void everyKeyButTheOneOfTheSettingsFileHasARow() {
        List<String> keys = SettingKeys.ALL.stream().map(SettingKeys.Key::name).toList();

        assertThat(rows().map(Row::key)).doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(keys.stream()
                        .filter(key -> !key.equals("loadBalancerAvgShedderSettingsFile")).toList());
    }

    private static Object parsedByTheBroker(Row row) {
        Class<?> type = BrokerConf.type(row.key());
        if (type == int.class) {
            return Integer.valueOf(row.text());
        }
        if (type == long.class) {
            return Long.valueOf(row.text());
        }
        return type == double.class ? Double.valueOf(row.text()) : row.expected();
    }
}
