package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.TrafficScale.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficScaleTest {

    private static final BundleLoad BUNDLE = new BundleLoad("t/n/x", 100, 3000, 5000);

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"BANDWIDTH_IN, 3000", "BANDWIDTH_OUT, 5000", "MSG_RATE, 100", "MSG_THROUGHPUT, 8000"})
    void eachRateMetricIsDrivenByItsOwnKindOfTraffic(Metric metric, double traffic) {
        TrafficScale scale = TrafficScale.of(metric, new Totals(1000, 20_000, 20_000));

        assertThat(scale.of(BUNDLE)).isEqualTo(traffic);
        assertThat(scale.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"CPU", "MEMORY", "DIRECT_MEMORY"})
    void otherMetricsAreDrivenByMessagesAndBytesAlike(Metric metric) {
        TrafficScale scale = TrafficScale.of(metric, new Totals(1000, 20_000, 20_000));

        assertThat(scale.of(BUNDLE)).as("the mean of 10 %% and 20 %%").isEqualTo(0.15);
    }

    @ParameterizedTest(name = "of {0} messages and {1} bytes: {2}")
    @CsvSource({"1000, 0, 0.1", "0, 40000, 0.2"})
    void aKindOfWhichTheClusterHasNoneIsLeftOut(double messages, double bytes, double share) {
        TrafficScale scale = TrafficScale.of(Metric.CPU, new Totals(messages, bytes / 2, bytes / 2));

        assertThat(scale.of(BUNDLE)).isEqualTo(share);
    }

    @ParameterizedTest
    @CsvSource({"CPU, 0, 0, 0", "BANDWIDTH_IN, 10, 0, 10", "BANDWIDTH_OUT, 10, 10, 0", "MSG_RATE, 0, 10, 10",
            "MSG_THROUGHPUT, 10, 0, 0"})
    void withoutTrafficOfItsKindAScaleIsEmpty(Metric metric, double messages, double in, double out) {
        TrafficScale scale = TrafficScale.of(metric, new Totals(messages, in, out));

        assertThat(scale.isEmpty()).isTrue();
        assertThat(scale.of(BUNDLE)).isZero();
    }

    @Test
    void totalsAddUp() {
        Totals totals = Totals.of(Cluster.of("A 1 1000, B 2 500").snapshot(java.util.Map.of()).brokers());

        assertThat(totals).isEqualTo(new Totals(1500, 1500 * 512, 1500 * 512));
        assertThat(totals.plus(BUNDLE).minus(BUNDLE)).isEqualTo(totals);
        assertThat(new Totals(100, 3000, 5000).times(0.25)).isEqualTo(new Totals(25, 750, 1250));
    }

    @ParameterizedTest
    @CsvSource({"NaN", "Infinity", "-Infinity", "-1"})
    void ratesThatAreNoneCountAs0(double rate) {
        assertThat(new BundleLoad("t/n/x", rate, rate, rate)).isEqualTo(new BundleLoad("t/n/x", 0, 0, 0));
        BrokerLoad broker = BrokerLoad.named("A").traffic(rate, rate, 1).build();
        assertThat(broker.messages()).isZero();
        assertThat(broker.bytes()).isEqualTo(1);
    }
}
