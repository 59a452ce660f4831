package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a pair moves, and which bundles. */
class TransferCasesTest {

    @Test
    void halfOfTheTrafficDifferenceMoves() {
        Rounds rounds = Rounds.of("A 80 20000 {11x900}, B 30 2000, C 50 10000");

        assertThat(rounds.run(2)).isEqualTo("2: 10 A>B");
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles, forecast 55.0 / 55.0");
    }

    @Test
    void everyPairThatFiresMovesInTheSameRound() {
        Rounds rounds = Rounds.of("A 80 20000 {11x900}, B 30 2000, C 75 20000 {11x900}, D 35 2000");

        assertThat(rounds.run(2)).isEqualTo("2: 10 A>B, 10 C>D");
    }

    @Test
    void aPairThatWasLevelledStaysLevel() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000").moving();

        assertThat(rounds.run(200)).isEqualTo("2: 8 A>B");
        assertThat(rounds.cluster.scores()).isEqualTo("A 50.0, B 50.0");
    }

    @ParameterizedTest(name = "common idle usage of {0} points")
    @ValueSource(ints = {0, 10, 20, 30})
    void commonIdleUsageCancelsOut(int idle) {
        Rounds rounds = Rounds.of("A " + (60 + idle) + " 20000 {20x1000}, B " + idle + " 0").moving(3);

        assertThat(rounds.run(200)).isEqualTo("2: 10 A>B");
        assertThat(rounds.cluster.spread()).isZero();
    }

    @Test
    void aLargerBrokerTakesInProportionToItsCapacity() {
        Rounds rounds = Rounds.of("small 80@800 20000 {20x1000}, large 10@3200 10000");

        assertThat(rounds.run(2)).isEqualTo("2: 14 small>large");
        assertThat(rounds.verdict("small").sentence()).endsWith("14 bundles, forecast 24.0 / 24.0");
    }

    @Test
    void aSlowBrokerIsHelpedByAFastOneThatCarriesMore() {
        Rounds rounds = Rounds.of("slow 85 20000 40M {10x2000}, fast 30 60000 120M {30x2000}").moving();

        assertThat(rounds.run(200)).isEqualTo("2: 6 slow>fast");
        assertThat(rounds.cluster.scores()).isEqualTo("fast 36.0, slow 34.0");
    }

    /**
     * B is too idle for its own slope of 12,000 msg/s a point to be believed, so it is taken to be as slow as M, whose 50
     * points carry 5,000: not 9.4 bundles are due, but 5.6.
     */
    @Test
    void aFastBrokerThatIsNearlyIdleIsTakenToBeAsSlowAsTheSlowest() {
        Rounds rounds = Rounds.of("A 85 20000 {20x1000}, B 5 60000, M 50 5000");

        assertThat(rounds.run(2)).isEqualTo("2: 6 A>B");
    }

    @Test
    void whatIsOnTheWayToTheReceiverCountsForItsTraffic() {
        Rounds rounds = Rounds.of("A 99 20000 {20x1000}, B 4 800");
        rounds.run(1);
        assertThat(rounds.place("t/n/new", Cluster.load("new", 4000), true).broker()).isEqualTo("B");

        assertThat(rounds.run(1)).as("half of 20,000 less 4,800").isEqualTo("2: 8 A>B");
    }

    @Test
    void aFastBrokerWithMoreTrafficButFewMorePointsIsLeftAlone() {
        Rounds rounds = Rounds.of("slow 44 20000 {10x2000}, fast 30 60000 {30x2000}");

        assertThat(rounds.run(50)).isEqualTo("nothing");
    }

    @Test
    void smallTrafficIsMovedLikeLarge() {
        assertThat(Rounds.of("A 70 900 {10x90}, B 5 0").run(2)).isEqualTo("2: 5 A>B");
        assertThat(Rounds.of("A 70 0.9 {10x0.09}, B 5 0").run(2)).isEqualTo("2: 5 A>B");
    }

    @Test
    void aBundleThatIsLargerThanTheGapStaysAndIsNamed() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000");

        assertThat(rounds.run(2)).isEqualTo("2: 1 A>B");
        assertThat(rounds.bundles()).containsExactly("small");
        assertThat(rounds.verdict("A").sentence())
                .endsWith("; one bundle, t/n/large, carries 90 % of the traffic of A: split it");
    }

    @Test
    void oneOvershootIsAllowedWhereItEndsNearerToLevel() {
        Rounds rounds = Rounds.of("A 90 10000 {4500, 4500, 1000}, B 20 2000");

        assertThat(rounds.run(2)).isEqualTo("2: 1 A>B");
        assertThat(rounds.bundles()).doesNotContain("A-003");
        assertThat(rounds.verdict("A").sentence()).contains("1 bundle, forecast 50.6 / 59.4");
    }

    @ParameterizedTest(name = "low {0}, high {1}, {2} and {3} hits")
    @CsvSource({"15, 40, 8, 2", "1, 1, 1, 1", "0.1, 80, 1, 100"})
    void theOnlyBundleWithTrafficIsNeverMoved(double low, double high, int hitsLow, int hitsHigh) {
        Rounds rounds = Rounds.of("A 90 10000 {10000, 5x0}, B 5 0")
                .with(Settings.builder().thresholds(low, high).hitCounts(hitsLow, hitsHigh));

        assertThat(rounds.run(50)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").reason()).isEqualTo(Reason.NOTHING_MOVABLE);
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A: cpu gap 85.0 to B: its only bundle with traffic, t/n/A-001, is never moved: split it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pulsar/system/0x00_0xff", "pulsar/c/broker-1:8080/0x00_0xff",
            "pulsar/broker-1:8080/0x00_0xff", "sla-monitor/c/broker-1:8080/0x00_0xff", "t/kept/0x00_0xff"})
    void whatABundleThatMustStayCarriesIsMadeUpForByOthers(String large) {
        String cluster = "A 90 20000 {16x1000}, B 10 0";
        Rounds rounds = Rounds.of(cluster).with(Settings.builder().excludedNamespaces(Set.of("t/kept")));
        rounds.cluster.broker("A").bundles.put(large, 4000.0);

        assertThat(rounds.run(2)).isEqualTo("2: 10 A>B");
        assertThat(rounds.last().transfers()).extracting(Transfer::bundle).doesNotContain(large);
    }

    @Test
    void dustIsNotTouched() {
        Rounds rounds = Rounds.of("A 90 21005 {10x1000, 500x0.01}, B 20 2000");

        assertThat(rounds.run(2)).isIn("2: 9 A>B", "2: 10 A>B");
        assertThat(rounds.last().transfers()).allSatisfy(transfer ->
                assertThat(transfer.bundle()).isLessThanOrEqualTo("t/n/A-010"));
    }

    @Test
    void atMostTheCapMovesInARoundAndTheRestFollows() {
        Rounds rounds = Rounds.of("A 90 100000 {1000x100}, B 10 0").moving(0.8)
                .with(Settings.builder().maxUnloadsPerRound(20));

        assertThat(rounds.run(2)).isEqualTo("2: 20 A>B");
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: cpu gap 80.0 >= 40, hits 2/2: 20 bundles, "
                + "forecast 88.4 / 11.6; 479 more wait: the round's 20 bundles went to more urgent ones");
        assertThat(rounds.run(20)).startsWith("5: 20 A>B; 8: 20 A>B; 11: 20 A>B");
    }

    @Test
    void theCapGoesToOverloadedDonorsFirstAndThenToTheLargestGaps() {
        Rounds rounds = Rounds.of("A 88 20000 {20x1000}, B 47 10000, C 84 20000 {20x1000}, D 5 0")
                .with(Settings.builder().maxUnloadsPerRound(3));

        assertThat(rounds.run(2)).isEqualTo("2: 3 A>D");

        rounds = Rounds.of("A 84 20000 {20x1000}, B 40 0, C 83 20000 {20x1000}, D 40 0")
                .with(Settings.builder().maxUnloadsPerRound(5));
        assertThat(rounds.run(2)).isEqualTo("2: 3 A>B, 2 C>D");
    }

    @Test
    void pairsWithTheSameGapTakeTurnsInTheOrderOfTheirNames() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, C 80 20000 {20x1000}, E 80 20000 {20x1000}, B 30 2000, "
                + "D 30 2000, F 30 2000").with(Settings.builder().maxUnloadsPerRound(5));

        assertThat(rounds.run(2)).isEqualTo("2: 2 A>F, 2 C>D, 1 E>B");
    }
}
