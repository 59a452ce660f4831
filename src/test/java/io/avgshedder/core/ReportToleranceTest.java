package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportToleranceTest {

    private static double certain(Cluster cluster, Settings settings) {
        BrokerLoad hot = cluster.broker("A").report;
        BrokerLoad cold = cluster.broker("B").report;
        return ReportTolerance.certainGap(BrokerPair.of(hot, cold, 0, settings), settings);
    }

    private static double certain(Cluster cluster) {
        return certain(cluster, Settings.defaults());
    }

    @Test
    void eachReportMayHideTenPoints() {
        assertThat(certain(Cluster.of("A 80 20000, B 24 20000"))).isEqualTo(36);
    }

    @Test
    void aGapOfTwentyMayBeNone() {
        assertThat(certain(Cluster.of("A 50 20000, B 30 20000"))).isZero();
    }

    /** The broker watches its largest usage: below a flat direct memory of 90 the CPU may have fallen unseen. */
    @Test
    void nothingIsCertainOfAHotBrokerWhoseUsageIsNotItsLargest() {
        Cluster cluster = Cluster.of("A 80 20000, B 24 20000");
        cluster.broker("A").usage(Metric.DIRECT_MEMORY, 90, 100).write(60_000);

        assertThat(certain(cluster)).isZero();
    }

    /** ... and below a flat 45 the cold one's CPU may have come up to 45, and 10 more unwritten. */
    @Test
    void aColdBrokerMayHaveComeUpToItsLargestUsage() {
        Cluster cluster = Cluster.of("A 80 20000, B 24 20000");
        cluster.broker("B").usage(Metric.DIRECT_MEMORY, 45, 100).write(60_000);

        assertThat(certain(cluster)).isEqualTo(80 - 45 - 20);
    }

    @Test
    void aWeightScalesWhatAReportHides() {
        Settings half = Settings.builder().weight(Metric.CPU, 0.5).build();

        assertThat(certain(Cluster.of("A 80 20000, B 24 20000"), half)).isEqualTo((80 - 24) / 2 - 10);
    }

    @Test
    void aBrokerThatReportsLessOftenHidesMore() {
        Settings rarely = Settings.builder().reportThreshold(25).build();

        assertThat(certain(Cluster.of("A 80 20000, B 24 20000"), rarely)).isEqualTo(80 - 24 - 2 * 25);
    }

    @Test
    void whatIsOnTheWayCountsInFull() {
        Cluster cluster = Cluster.of("A 80 20000, B 24 20000");
        BrokerPair pair = BrokerPair.of(cluster.broker("A").report, cluster.broker("B").report, 12, Settings.defaults());

        assertThat(ReportTolerance.certainGap(pair, Settings.defaults())).isEqualTo(80 - 36 - 20);
    }

    /** CPU 80 and memory 75, both flat: when CPU falls to 20 the largest usage falls by 5 points, and nothing is written. */
    @Test
    void nothingIsCertainWhereAnotherUsageIsNearlyAsLarge() {
        Cluster cluster = Cluster.of("A 80 20000, B 24 20000");
        cluster.broker("A").usage(Metric.DIRECT_MEMORY, 75, 100).write(60_000);

        assertThat(certain(cluster)).isZero();
    }

    @Test
    void aUsageThatIsLargerByTenPointsIsTheLargestStill() {
        Cluster cluster = Cluster.of("A 80 20000, B 24 20000");
        cluster.broker("A").usage(Metric.DIRECT_MEMORY, 70, 100).write(60_000);

        assertThat(certain(cluster)).isEqualTo(36);
    }

    @Test
    void nothingIsCertainOfRatesOfAConfiguredCapacity() {
        assertThat(certain(Cluster.of("A ? 8000, B ? 2400"), Settings.builder().msgRateCapacity(10_000).build())).isZero();
        assertThat(certain(Cluster.of("A ? 8000, B ? 2400"),
                Settings.builder().msgThroughputCapacity(10_000 * 1024).build())).isZero();
    }

    /** B's direct memory of 30, twice as heavy, may have come up to 40, so to 80 points; A's CPU may be at 90. */
    @Test
    void eachMetricOfTheColdOneHasItsOwnWeight() {
        Settings heavy = Settings.builder().weight(Metric.DIRECT_MEMORY, 2).build();
        Cluster cluster = Cluster.of("A 100 20000, B 20 20000");
        cluster.broker("A").usage(Metric.DIRECT_MEMORY, 1, 100).write(60_000);
        cluster.broker("B").usage(Metric.DIRECT_MEMORY, 30, 100).write(60_000);

        assertThat(certain(cluster, heavy)).isEqualTo(90 - 80);
    }
}
