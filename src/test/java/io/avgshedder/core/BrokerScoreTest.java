package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The score of one broker, and the comparison of two. */
class BrokerScoreTest {

    private static final Settings DEFAULTS = Settings.defaults();

    private static BrokerLoad broker(String name, double cpu, double in, double out) {
        return BrokerLoad.named(name).usage(Metric.CPU, cpu, 100).usage(Metric.BANDWIDTH_IN, in, 100)
                .usage(Metric.BANDWIDTH_OUT, out, 100).traffic(600, 3000, 5000).build();
    }

    @Test
    void theLargestWeightedUsageIsTheScore() {
        BrokerLoad broker = broker("A", 40, 60, 50);

        assertThat(BrokerScore.of(broker, DEFAULTS)).isEqualTo(new BrokerScore("A", 60, Metric.BANDWIDTH_IN));
        assertThat(BrokerScore.of(broker, Settings.builder().weight(Metric.BANDWIDTH_OUT, 2).build()))
                .isEqualTo(new BrokerScore("A", 100, Metric.BANDWIDTH_OUT));
        assertThat(BrokerScore.of(broker, Settings.builder().weight(Metric.BANDWIDTH_IN, 0.5).build()))
                .isEqualTo(new BrokerScore("A", 50, Metric.BANDWIDTH_OUT));
    }

    @Test
    void aProductThatIsNoFigureIsUnknown() {
        Settings settings = Settings.builder().weight(Metric.CPU, 100).build();

        assertThat(BrokerScore.of(broker("A", 1e307, 20, 10), settings))
                .isEqualTo(new BrokerScore("A", 20, Metric.BANDWIDTH_IN));
    }

    @Test
    void theFirstMetricIsNamedAmongEquals() {
        assertThat(BrokerScore.of(broker("A", 60, 60, 60), DEFAULTS).metric()).isEqualTo(Metric.CPU);
        assertThat(BrokerScore.of(broker("A", 40, 60, 60), DEFAULTS).metric()).isEqualTo(Metric.BANDWIDTH_IN);
    }

    @Test
    void configuredCapacitiesMakeMetricsOfRates() {
        Settings settings = Settings.builder().msgRateCapacity(1000).msgThroughputCapacity(10_000).build();

        assertThat(BrokerScore.of(broker("A", 40, 0, 0), settings))
                .isEqualTo(new BrokerScore("A", 80, Metric.MSG_THROUGHPUT));
        assertThat(BrokerScore.of(broker("A", 40, 0, 0), Settings.builder().msgRateCapacity(1000).build()))
                .isEqualTo(new BrokerScore("A", 60, Metric.MSG_RATE));
    }

    @Test
    void withoutAKnownMetricThereIsNoScore() {
        assertThat(BrokerScore.of(broker("A", -1, -1, Double.NaN), DEFAULTS)).isNull();
        assertThat(BrokerScore.of(BrokerLoad.named("A").usage(Metric.MEMORY, 50, 100).build(), DEFAULTS)).isNull();
    }

    @Test
    void aPairIsComparedByTheMetricsThatAreKnownOfBoth() {
        BrokerPair pair = BrokerPair.of(broker("A", 80, 25, 20), broker("B", -1, 20, 10), 0, DEFAULTS);

        assertThat(pair.hotScore()).isEqualTo(25);
        assertThat(pair.coldScore()).isEqualTo(20);
        assertThat(pair.metric()).isEqualTo(Metric.BANDWIDTH_IN);
        assertThat(BrokerPair.of(broker("A", 80, -1, -1), broker("B", -1, 20, 10), 0, DEFAULTS)).isNull();
    }

    @Test
    void aPairsGapIsBetweenScoresAndNotWithinOneMetric() {
        BrokerPair pair = BrokerPair.of(broker("A", 80, 25, 20), broker("B", 10, 70, 10), 0, DEFAULTS);

        assertThat(pair.gap()).isEqualTo(10);
        assertThat(pair.metric()).isEqualTo(Metric.CPU);
    }

    @Test
    void loadOnItsWayCountsForTheColdBroker() {
        BrokerPair pair = BrokerPair.of(broker("A", 80, 0, 0), broker("B", 30, 0, 0), 12.5, DEFAULTS);

        assertThat(pair.gap()).isEqualTo(37.5);
    }
}
