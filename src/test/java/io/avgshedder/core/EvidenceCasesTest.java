package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is believed of a report, and what is learnt of a transfer that did not happen. */
class EvidenceCasesTest {

    // ---- reports

    @Test
    void aFrozenReportDoesNotEmptyABroker() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000");
        rounds.cluster.freeze(true);
        assertThat(rounds.run(8)).isEqualTo("2: 9 A>B");
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A -> B: cpu gap 30.0: A has not written a new report since it gave or took bundles");

        rounds.cluster.broker("A").frozen = false;
        assertThat(rounds.run(4)).as("B's report is still the old one").isEqualTo("nothing");
        assertThat(rounds.verdict("A").sentence()).contains("B has not written a new report");

        rounds.cluster.freeze(false);
        assertThat(rounds.run(2)).as("both are hot as ever").isEqualTo("14: 9 A>B");
    }

    @ParameterizedTest(name = "usage averaged over {0} minutes")
    @CsvSource({"1, 5", "2, 7", "3, 9"})
    void aRewrittenReportIsNotEnoughBeforeUsageCanShowTheMove(int minutes, int next) {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000")
                .with(Settings.builder().hostUsageIntervalMillis(minutes * Rounds.MINUTE));

        assertThat(rounds.run(next)).isEqualTo("2: 9 A>B; " + next + ": 9 A>B");
    }

    @Test
    void settlingCountsFromABundlesOwnUnload() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000").unloadsTake(3 * Rounds.MINUTE);
        rounds.run(2);

        assertThat(rounds.run(1)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).isEqualTo(Reason.SETTLING);
        assertThat(rounds.run(1)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).as("two minutes after the last unload").isEqualTo(Reason.COUNTING);
    }

    @Test
    void aReportThatIsNeverRewrittenIsStale() {
        Rounds rounds = Rounds.of("A 60 20000 {20x1000}, B 50 20000 {20x1000}, C 20 2000");
        rounds.cluster.broker("C").frozen = true;
        rounds.run(7);
        rounds.cluster.score("A", 34);
        rounds.run(10);
        assertThat(rounds.reason("C")).isNull();

        rounds.run(1);
        assertThat(rounds.verdict("C").sentence())
                .isEqualTo("C: the report has not changed for 17 min: takes no part until it is rewritten");
        rounds.cluster.broker("C").frozen = false;
        rounds.run(1);
        assertThat(rounds.reason("C")).isNull();
    }

    @Test
    void usageThatContradictsTrafficIsBelievedOfFreshReportsOnly() {
        Rounds rounds = Rounds.of("slow 55 20000 40M {10x2000}, fast 25 60000 120M {30x2000}");
        rounds.next();
        rounds.cluster.freeze(true);
        assertThat(rounds.run(9)).isEqualTo("nothing");
        assertThat(rounds.verdict("slow").sentence()).isEqualTo("slow -> fast: cpu gap 30.0 >= 15, hits 8/8: "
                + "usage and traffic disagree, so both have to write a new report first");

        rounds.cluster.broker("slow").frozen = false;
        assertThat(rounds.run(3)).isEqualTo("nothing");
        rounds.cluster.broker("fast").frozen = false;
        assertThat(rounds.run(1)).isEqualTo("14: 5 slow>fast");
    }

    /** Of 85 against 30 at least 35 points are certain: an unwritten report hides no more than 10. */
    @Test
    void aContradictionThatNoUnwrittenReportExplainsNeedsNoNewOnes() {
        Rounds rounds = Rounds.of("slow 85 20000 40M {10x2000}, fast 30 60000 120M {30x2000}");
        rounds.next();
        rounds.cluster.freeze(true);

        assertThat(rounds.run(1)).as("6 bundles are due, and 5 turn nothing round even at 75 and 40")
                .isEqualTo("2: 5 slow>fast");
    }

    /** Of 65 against 30 just low is certain, and 4 of 4.7 bundles turn nothing round by more than low. */
    @Test
    void aContradictionOfWhichJustLowIsCertainNeedsNoNewReports() {
        Rounds rounds = Rounds.of("slow 65 20000 40M {10x2000}, fast 30 60000 120M {30x2000}");
        rounds.next();
        rounds.cluster.freeze(true);

        assertThat(rounds.run(7)).isEqualTo("8: 4 slow>fast");
    }

    // ---- figures that are none

    @ParameterizedTest(name = "cpu {0} of {1}")
    @CsvSource({"NaN, 100", "Infinity, 100", "-Infinity, 100", "-1, 100", "50, 0", "50, -1000", "50, NaN", "0, 0"})
    void aBrokerWithoutAKnownMetricTakesNoPart(double usage, double limit) {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 30 2000, X 0 20000 {20x1000}");
        rounds.cluster.broker("X").usage(Metric.CPU, usage, limit);

        assertThat(rounds.run(2)).isEqualTo("2: 9 A>B");
        assertThat(rounds.reason("X")).isEqualTo(Reason.NO_LOAD_DATA);
    }

    @Test
    void anUnknownMetricIsSaidOnceAndTheOthersCount() {
        Rounds rounds = Rounds.of("A ? 20000 {20x1000}, B 30 2000");
        rounds.cluster.broker("A").usage(Metric.BANDWIDTH_IN, 80, 100);
        rounds.cluster.broker("B").usage(Metric.BANDWIDTH_IN, 30, 100);

        List<String> notices = rounds.next().notices();
        assertThat(notices).contains("cpu has no usable limit or usage in the report of A: it does not count for "
                + "their scores");
        assertThat(rounds.next().notices()).isEmpty();
        assertThat(Rounds.plan(rounds.last())).isEqualTo("9 A>B");
        assertThat(rounds.verdict("A").sentence()).startsWith("A -> B: bandwidthIn gap 50.0");
    }

    @Test
    void aMetricKnownOfOneSideOnlyIsNotCompared() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B ? 20000");
        rounds.cluster.broker("A").usage(Metric.BANDWIDTH_IN, 25, 100);
        rounds.cluster.broker("B").usage(Metric.BANDWIDTH_IN, 20, 100);

        assertThat(rounds.run(10)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").gap()).isEqualTo(5);
    }

    @Test
    void usageAbove100IsKeptAsItIs() {
        Rounds rounds = Rounds.of("A 250 20000 {20x1000}, B 30 2000");

        rounds.next();
        assertThat(rounds.verdict("A").gap()).isEqualTo(220);
    }

    /** Issues #3199, #13464 and #21168: garbage collection and pooled buffers are not load. */
    @ParameterizedTest
    @CsvSource({"MEMORY", "DIRECT_MEMORY"})
    void memoryCountsByExplicitChoiceOnly(Metric memory) {
        Rounds rounds = Rounds.of("A 30 20000 {20x1000}, B 30 2000");
        rounds.cluster.broker("A").usage(memory, 95, 100);
        rounds.cluster.broker("B").usage(memory, 5, 100);
        assertThat(rounds.run(20)).isEqualTo("nothing");

        rounds.with(Settings.builder().weight(memory, 1));
        assertThat(rounds.run(2)).isEqualTo("22: 9 A>B");
    }

    @Test
    void aWeightOf0LeavesAMetricOut() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 30 2000").with(Settings.builder().weight(Metric.CPU, 0));
        rounds.cluster.brokers().forEach(broker -> broker.usage(Metric.BANDWIDTH_OUT, 40, 100));

        assertThat(rounds.run(20)).isEqualTo("nothing");
        assertThat(rounds.verdict("B").gap()).isZero();
    }

    @Test
    void aBrokerWithoutAReportIsNotIdle() {
        Rounds rounds = Rounds.of(Cluster.of("A 80 20000 {20x1000}, B 30 2000").joinWithoutData("X"));

        assertThat(rounds.run(2)).isEqualTo("2: 9 A>B");
        assertThat(rounds.verdict("X").sentence())
                .isEqualTo("X: no load report with a known metric: takes no part");
    }

    @Test
    void aBrokerWithoutAReportIsNotSuspectedOfAStaleOne() {
        Rounds rounds = Rounds.of(Cluster.of("A 80 20000 {20x1000}, B 30 2000").joinWithoutData("X"));

        assertThat(rounds.next().notices()).noneMatch(notice -> notice.startsWith("The load report"));
    }

    /** Rewritten a minute after the plan, and seen with the news of the unloads: it need not be rewritten again. */
    @Test
    void whatSettlesIsMeasuredFromTheReportsOfThePlan() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000");
        assertThat(rounds.run(3)).isEqualTo("2: 9 A>B");
        assertThat(rounds.reason("A")).isEqualTo(Reason.SETTLING);
        rounds.cluster.freeze(true);

        rounds.run(1);
        assertThat(rounds.reason("A")).isEqualTo(Reason.COUNTING);
    }

    @Test
    void brokersWithoutAnyTrafficHaveNothingToMove() {
        Rounds rounds = Rounds.of("A 80 0 {20x0}, B 30 0");

        assertThat(rounds.run(10)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).isEqualTo(Reason.NO_TRAFFIC);
    }

    @Test
    void bundlesThatExplainNextToNothingOfTheirBrokerAreNotBelieved() {
        Rounds rounds = Rounds.of("A 80 20000 {20x99}, B 30 2000");
        assertThat(rounds.run(10)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).isEqualTo(Reason.BUNDLE_STATS_UNRELIABLE);

        assertThat(Rounds.of("A 80 20000 {20x101}, B 30 2000").run(2)).isEqualTo("2: 20 A>B");
    }

    // ---- transfers that did not happen

    @Test
    void aDroppedTransferGivesTheHitsBackAndNobodySettles() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000").drops(transfer -> true);
        rounds.run(2);

        rounds.cluster.score("A", 50);
        rounds.run(1);
        assertThat(rounds.shedder.placement().plannedBundles()).isEmpty();
        assertThat(rounds.shedder.placement().inFlightCount()).isZero();
        assertThat(rounds.verdict("A").reason()).isEqualTo(Reason.COUNTING);
        assertThat(rounds.verdict("A").gap()).isEqualTo(20);
        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(3);
    }

    @Test
    void aDroppedTransferIsTriedAgainAtOnce() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000").drops(transfer -> true);
        rounds.run(2);
        rounds.drops(transfer -> false);

        assertThat(rounds.run(1)).isEqualTo("3: 9 A>B");
    }

    @Test
    void whoseTransfersHappenedInPartSettles() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000")
                .drops(transfer -> transfer.bundle().equals("t/n/A-001"));
        rounds.run(3);

        assertThat(rounds.reason("A")).isEqualTo(Reason.SETTLING);
        assertThat(rounds.shedder.placement().plannedBundles()).doesNotContain("t/n/A-001");
    }

    @Test
    void aTransferThatFailsAgainAndAgainWaitsEverLonger() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000").drops(transfer -> true);

        assertThat(rounds.run(5)).isEqualTo("2: 1 A>B; 3: 1 A>B; 4: 1 A>B");
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A: cpu gap 70.0 to B: these transfers failed repeatedly, the next try is in 30 min");
        assertThat(rounds.run(245)).isEqualTo("36: 1 A>B; 98: 1 A>B; 220: 1 A>B");
    }

    /** Two failures alone do not count for more than two memories, an hour; the third one would. */
    @Test
    void failuresOfLongAgoAreForgotten() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000").drops(transfer -> true)
                .with(Settings.builder().hitCounts(1000, 2));
        rounds.run(3);
        rounds.cluster.score("A", 40);
        rounds.run(62);
        rounds.cluster.score("A", 90);

        assertThat(rounds.run(5)).isEqualTo("67: 1 A>B; 68: 1 A>B; 69: 1 A>B");
    }

    /** Twice it was dropped; it then arrives, comes back, and may fail three times again. */
    @Test
    void aTransferThatHappenedHasNoFailures() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000").drops(transfer -> true);
        rounds.with(Settings.builder().gracePeriodMillis(10 * Rounds.MINUTE)).run(3);
        rounds.drops(transfer -> false).run(1);
        assertThat(rounds.unloaded).hasSize(1);
        rounds.cluster.broker("B").bundles.put("t/n/small", rounds.cluster.broker("A").bundles.remove("t/n/small"));
        rounds.run(1);
        assertThat(rounds.shedder.placement().plannedBundles()).isEmpty();
        rounds.cluster.broker("A").bundles.put("t/n/small", rounds.cluster.broker("B").bundles.remove("t/n/small"));
        rounds.drops(transfer -> true);

        assertThat(rounds.run(20)).isEqualTo("16: 1 A>B; 17: 1 A>B; 18: 1 A>B");
    }

    @Test
    void aBundleThatIsUnloadedButStaysWhereItIsWaitsToo() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000");

        assertThat(rounds.run(101)).isEqualTo("2: 1 A>B; 34: 1 A>B; 66: 1 A>B");
        assertThat(rounds.reason("A")).isEqualTo(Reason.BACKED_OFF);
        assertThat(rounds.run(100)).isEqualTo("103: 1 A>B; 170: 1 A>B");
    }

    @Test
    void anotherBundleGetsTheTurnOfOneThatFails() {
        Rounds rounds = Rounds.of("A 90 10000 {4500, 3500, 1000, 1000}, B 20 2000")
                .drops(transfer -> transfer.bundle().equals("t/n/A-001") || transfer.bundle().equals("t/n/A-002"));

        rounds.run(10);
        assertThat(rounds.placed.keySet()).contains("t/n/A-003");
    }
}
