package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {

    @Test
    void theDefaultsAreThoseOfBrokerConf() {
        Settings defaults = Settings.defaults();

        assertThat(defaults.lowThreshold()).isEqualTo(15);
        assertThat(defaults.highThreshold()).isEqualTo(40);
        assertThat(defaults.hitCountLow()).isEqualTo(8);
        assertThat(defaults.hitCountHigh()).isEqualTo(2);
        assertThat(defaults.overloadThreshold()).isEqualTo(85);
        assertThat(defaults.gracePeriodMillis()).isEqualTo(30 * 60_000);
        assertThat(defaults.sheddingIntervalMillis()).isEqualTo(60_000);
        assertThat(defaults.hostUsageIntervalMillis()).isEqualTo(60_000);
        assertThat(defaults.maxUnloadsPerRound()).isEqualTo(200);
        assertThat(defaults.maxTopicsPerBroker()).isEqualTo(50_000);
        assertThat(defaults.quietPeriod()).isTrue();
        assertThat(defaults.placement()).isEqualTo(PlacementMode.PREDICTED);
        assertThat(defaults.excludedNamespaces()).isEmpty();
        assertThat(Metric.ALL).allSatisfy(metric -> assertThat(defaults.weight(metric)).as(metric.label())
                .isEqualTo(metric == Metric.MEMORY || metric == Metric.DIRECT_MEMORY ? 0 : 1));
    }

    static Stream<Arguments> contradictions() {
        String thresholds = "thresholds must be 0 < low <= high, but are ";
        String hits = "hit counts must be 1 or more, but are ";
        return Stream.of(
                Arguments.of(Settings.builder().thresholds(0, 40), thresholds + "0.0 and 40.0"),
                Arguments.of(Settings.builder().thresholds(-1, 40), thresholds + "-1.0 and 40.0"),
                Arguments.of(Settings.builder().thresholds(41, 40), thresholds + "41.0 and 40.0"),
                Arguments.of(Settings.builder().thresholds(Double.NaN, 40), thresholds + "NaN and 40.0"),
                Arguments.of(Settings.builder().thresholds(15, Double.NaN), thresholds + "15.0 and NaN"),
                Arguments.of(Settings.builder().thresholds(15, Double.POSITIVE_INFINITY), thresholds + "15.0 and Infinity"),
                Arguments.of(Settings.builder().hitCounts(0, 2), hits + "0 and 2"),
                Arguments.of(Settings.builder().hitCounts(8, -1), hits + "8 and -1"),
                Arguments.of(Settings.builder().maxUnloadsPerRound(0), "the cap of a round must be 1 or more, but is 0"),
                Arguments.of(Settings.builder().weight(Metric.CPU, -0.1),
                        "weights must be 0 or more, but are [-0.1, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]"),
                Arguments.of(Settings.builder().weight(Metric.MSG_RATE, Double.NaN),
                        "weights must be 0 or more, but are [1.0, 0.0, 0.0, 1.0, 1.0, NaN, 1.0]"),
                Arguments.of(Settings.builder().gracePeriodMillis(-1), "durations must not be negative"),
                Arguments.of(Settings.builder().sheddingIntervalMillis(0), "durations must not be negative"),
                Arguments.of(Settings.builder().hostUsageIntervalMillis(-1), "durations must not be negative"),
                Arguments.of(Settings.builder().longestReportIntervalMillis(0), "durations must not be negative"),
                Arguments.of(Settings.builder().reportThreshold(-1), "the report threshold must be 0 or more, but is -1.0"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("contradictions")
    void valuesThatContradictEachOtherAreRefused(Settings.Builder builder, String message) {
        assertThatThrownBy(builder::build).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void theLimitsOfRangesAreInside() {
        Settings settings = Settings.builder().thresholds(40, 40).hitCounts(1, 1).maxUnloadsPerRound(1)
                .gracePeriodMillis(0).sheddingIntervalMillis(1).hostUsageIntervalMillis(0).longestReportIntervalMillis(1)
                .reportThreshold(0).maxTopicsPerBroker(0).weight(Metric.CPU, 0).build();

        assertThat(settings.lowThreshold()).isEqualTo(settings.highThreshold());
        assertThat(settings.maxTopicsPerBroker()).isZero();
        assertThat(settings.settlingMillis()).isZero();
    }

    @Test
    void durationsThatFollowFromOthers() {
        Settings settings = Settings.builder().gracePeriodMillis(5 * 60_000).hostUsageIntervalMillis(90_000)
                .longestReportIntervalMillis(600_000).build();

        assertThat(settings.memoryMillis()).as("ten minutes at least").isEqualTo(600_000);
        assertThat(settings.settlingMillis()).isEqualTo(180_000);
        assertThat(settings.staleAfterMillis()).isEqualTo(720_000);
        assertThat(Settings.defaults().memoryMillis()).isEqualTo(1_800_000);
    }
}
