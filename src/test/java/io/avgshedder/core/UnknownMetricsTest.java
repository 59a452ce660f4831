package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UnknownMetricsTest {

    private static final String WITHOUT_CPU = "cpu has no usable limit or usage in the report of %s: it does not count for "
            + "their scores";

    private final UnknownMetrics unknown = new UnknownMetrics();

    /** Brokers of these names, each with the two bandwidths and, where it does not end in x, with CPU. */
    private List<String> notices(Settings settings, String... brokers) {
        return unknown.notices(ClusterSnapshot.of(Stream.of(brokers).map(name -> BrokerLoad.named(name)
                .usage(Metric.CPU, 10, name.endsWith("x") ? 0 : 100).usage(Metric.BANDWIDTH_IN, 10, 100)
                .usage(Metric.BANDWIDTH_OUT, 10, 100).build()).toList()), settings);
    }

    private List<String> notices(String... brokers) {
        return notices(Settings.defaults(), brokers);
    }

    @Test
    void oneBrokerIsNamedAndTheOthersAreCounted() {
        assertThat(notices("A", "Bx")).containsExactly(String.format(WITHOUT_CPU, "Bx"));
        assertThat(notices("A", "Cx", "Dx")).containsExactly(String.format(WITHOUT_CPU, "Cx and of 1 other"));
        assertThat(notices("A", "Ex", "Fx", "Gx")).containsExactly(String.format(WITHOUT_CPU, "Ex and of 2 others"));
    }

    @Test
    void itIsSaidOnceAsLongAsTheBrokerIsThere() {
        notices("A", "Bx");
        assertThat(notices("A", "Bx")).isEmpty();

        notices("A");
        assertThat(notices("A", "Bx")).containsExactly(String.format(WITHOUT_CPU, "Bx"));
    }

    @Test
    void aMetricThatDoesNotCountNeedNotBeKnown() {
        assertThat(notices(Settings.builder().weight(Metric.CPU, 0).build(), "Bx")).isEmpty();
        assertThat(notices(Settings.builder().msgRateCapacity(100).msgThroughputCapacity(100).build(), "A")).isEmpty();
    }
}
