package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
        Settings settings = Settings.builder().weight(Metric.CPU, 10_000).build();

        assertThat(BrokerScore.of(broker("A", 1e305, 20, 10), settings))
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

    @Test
    void loadOnItsWayCountsForTheMetricThatItWasPlannedFor() {
        Settings settings = Settings.builder()
                .metricThresholds(MetricThresholds.parse("cpu=15/40, bandwidthOut=10/30")).build();
        BrokerPair pair = BrokerPair.of(broker("A", 80, 0, 70), broker("B", 30, 0, 20), 12.5, settings);

        assertThat(pair.gauges(12.5, settings)).extracting(BrokerPair::metric)
                .containsExactly(Metric.CPU, Metric.CPU, Metric.BANDWIDTH_OUT);
        assertThat(pair.gauges(12.5, settings)).extracting(BrokerPair::coldScore).containsExactly(42.5, 42.5, 20.0);
    }

    @Test
    void theFirstMetricDecidesAmongEqualsInAPairToo() {
        assertThat(BrokerPair.of(broker("A", 60, 60, 60), broker("B", 30, 0, 0), 0, DEFAULTS).metric())
                .isEqualTo(Metric.CPU);
    }

    @Test
    void theHottestComesFirstAndWhoHasNoScoreNotAtAll() {
        ClusterSnapshot snapshot = ClusterSnapshot.of(List.of(broker("A", 40, 0, 0), broker("X", -1, -1, -1),
                broker("B", 60, 0, 0), broker("C", 60, 0, 0)));

        assertThat(BrokerScore.hottestFirst(snapshot, DEFAULTS)).extracting(BrokerScore::broker)
                .containsExactly("C", "B", "A");
    }
}
