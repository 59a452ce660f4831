package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetricTest {

    @ParameterizedTest(name = "{0} of {1} is {2} %")
    @CsvSource({"80, 100, 80", "320, 400, 80", "0, 100, 0", "250, 100, 250", "1, 3, 33.333333333333336"})
    void usageIsInPercentOfItsLimit(double usage, double limit, double percent) {
        assertThat(Metric.percent(usage, limit)).isEqualTo(percent);
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({"50, 0", "50, -1000", "50, NaN", "50, Infinity", "-1, 100", "NaN, 100", "Infinity, 100", "0, 0",
        "1e308, 100", "1, 1e-320"})
    void whatCannotBeMeasuredIsUnknownAndNot0(double usage, double limit) {
        assertThat(Metric.percent(usage, limit)).isNaN();
    }

    @ParameterizedTest
    @EnumSource
    void everyMetricIsFoundByItsLabel(Metric metric) {
        assertThat(Metric.byLabel(metric.label())).contains(metric);
        assertThat(Metric.byLabel(metric.label().toUpperCase())).contains(metric);
    }

    @Test
    void anUnknownLabelIsNoMetric() {
        assertThat(Metric.byLabel("disk")).isEmpty();
    }
}
