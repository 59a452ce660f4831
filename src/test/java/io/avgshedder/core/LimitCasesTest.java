package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What holds a pair back that has fired: hold, cap, budget, rules, ceilings, dry run. */
class LimitCasesTest {

    private static final String TWO = "A 80 20000 {11x900}, B 30 2000, C 50 10000";

    private static Rounds rounds(String cluster, Settings.Builder settings) {
        return Rounds.of(cluster).with(settings);
    }

    @Test
    void aDryRunSaysWhatItWouldMoveAndKeepsEverything() {
        Rounds rounds = rounds(TWO, Settings.builder().dryRun(true));
        rounds.run(1);
        Round round = rounds.shedder.round(rounds.cluster.snapshot(Map.of()), rounds.settings(),
                rounds.now + Rounds.MINUTE);

        assertThat(round.dryRun()).isTrue();
        assertThat(round.transfers()).hasSize(10);
        assertThat(round.verdicts().get(0).reason()).isEqualTo(Reason.DRY_RUN);
        assertThat(round.verdicts().get(0).sentence())
                .startsWith("A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles, forecast ");
        assertThat(rounds.shedder.placement().liveTargets(rounds.now)).isEmpty();

        Round real = rounds.shedder.round(rounds.cluster.snapshot(Map.of()),
                Settings.defaults(), rounds.now + 2 * Rounds.MINUTE);
        assertThat(real.verdicts().get(0).hitsHigh()).as("hits are kept").isEqualTo(3);
        assertThat(real.transfers()).as("the same plan").isEqualTo(round.transfers());
    }

    @Test
    void aDryRunOnlyPeeksAtTheBudget() {
        Settings.Builder settings = Settings.builder().unloadLimits(UnloadLimits.parse("cluster=3/10m"));
        Rounds rounds = rounds(TWO, settings.dryRun(true));
        rounds.run(1);
        for (int i = 1; i <= 3; i++) {
            Round round = rounds.shedder.round(rounds.cluster.snapshot(Map.of()), rounds.settings(),
                    rounds.now + i * Rounds.MINUTE);
            assertThat(round.transfers()).hasSize(3);
        }
    }

    /** Its old and its new owner both report a bundle for a minute after any unload. */
    @Test
    void aBundleThatTwoDonorsReportMovesOnce() {
        Rounds rounds = Rounds.of("A 90 9000 {x:3000, 6x1000}, B 10 1000, C 11 1000, D 89 9000 {x:3000, 6x1000}");

        assertThat(rounds.run(2)).isEqualTo("2: 2 A>B, 1 D>C");
        assertThat(rounds.bundles()).containsExactlyInAnyOrder("x", "A-001", "D-001");
        assertThat(rounds.verdict("D").sentence()).endsWith(
                "; 1 more waits: t/n/x is reported by another broker too, which gives it in this round");
    }

    /** A's x is worth two thirds of its gap; D, which may not give it too, is still the one further out of level. */
    @Test
    void aBundleThatWasHeldBackLevelsNothing() {
        Rounds rounds = rounds("A 90 9000 {x:3000, 6x1000}, B 10 1000, C 11 1000, D 89 9000 {x:3000, 6x1000}",
                Settings.builder().maxUnloadsPerRound(2));

        assertThat(rounds.run(2)).isEqualTo("2: 1 A>B, 1 D>C");
    }

    @Test
    void nothingMovesBeforeTheHoldEnds() {
        Rounds rounds = Rounds.of("A 90 20000 {11x900}, B 30 2000");
        rounds.with(Settings.builder().holdUntil(rounds.now + 3 * Rounds.MINUTE));

        assertThat(rounds.run(2)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").reason()).isEqualTo(Reason.HOLD);
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A -> B: cpu gap 60.0 >= 40, hits 2/2: held until 1970-01-01T16:43:00Z");
        assertThat(rounds.run(1)).as("hits were kept").isEqualTo("3: 10 A>B");
    }

    @Test
    void aSpentBudgetHoldsThePairAndSaysWhenItFrees() {
        Rounds rounds = rounds("A 80 20000 {11x900}, B 30 2000, C 79 20000 {11x900}, D 31 2000",
                Settings.builder().unloadLimits(UnloadLimits.parse("cluster=3/10m, source=2/1h")));

        assertThat(rounds.run(2)).isEqualTo("2: 2 A>B, 1 C>D");
        assertThat(rounds.verdict("A").reason()).isEqualTo(Reason.MOVED);
        assertThat(rounds.verdict("A").sentence())
                .contains("8 more wait: budget source 2/1h of A is spent, frees in 60 min");
        assertThat(rounds.verdict("C").sentence()).contains("9 more wait: budget cluster 3/10m is spent");
    }

    @Test
    void aPairWithoutAnyBudgetKeepsItsHits() {
        Rounds rounds = rounds("A 80 20000 {11x900}, B 30 2000",
                Settings.builder().unloadLimits(UnloadLimits.parse("target=0/10m")));

        assertThat(rounds.run(3)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").reason()).isEqualTo(Reason.BUDGET);
        assertThat(rounds.verdict("A").hitsHigh()).isEqualTo(3);
        assertThat(rounds.verdict("A").sentence()).isEqualTo(
                "A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles wait: budget target 0/10m of B allows none");
    }

    @Test
    void oneBundleWaits() {
        Rounds rounds = rounds("A 80 20000 {large:11000, small:9000}, B 30 2000",
                Settings.builder().unloadLimits(UnloadLimits.parse("cluster=0/10m")));

        assertThat(rounds.run(2)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").sentence()).isEqualTo(
                "A -> B: cpu gap 50.0 >= 40, hits 2/2: 1 bundle waits: budget cluster 0/10m allows none");
    }

    @Test
    void anExemptNamespacesShareIsFilledFromTheOthers() {
        Rounds rounds = rounds("A 80 20000 {x/z/y:4000, 11x900}, B 30 2000",
                Settings.builder().namespaceRules(NamespaceRules.parse("x/* exempt")));

        assertThat(rounds.run(2)).isEqualTo("2: 10 A>B");
        assertThat(rounds.bundles()).doesNotContain("y");
    }

    @Test
    void whereARuleHoldsEverythingTheRuleIsNamed() {
        Rounds rounds = rounds("A 80 20000 {20x1000}, B 30 2000",
                Settings.builder().namespaceRules(NamespaceRules.parse("all exempt")));

        rounds.run(2);
        assertThat(rounds.verdict("A").reason()).isEqualTo(Reason.NAMESPACE_RULE);
        assertThat(rounds.verdict("A").cold()).isNull();
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A: cpu gap 50.0 to B: rule \"all exempt\" holds t/n");
    }

    @Test
    void aRuleThatExpiresIsSaidOnceAndCountsNoMore() {
        Rounds rounds = Rounds.of("A 80 20000 {11x900}, B 30 2000");
        rounds.with(Settings.builder().namespaceRules(
                NamespaceRules.parse("all exempt until 1970-01-01T16:43:00Z")));

        assertThat(rounds.run(2)).isEqualTo("nothing");
        assertThat(rounds.next().notices()).containsExactly(
                "The namespace rule \"all exempt until 1970-01-01T16:43:00Z\" has expired and counts no more");
        assertThat(rounds.run(1)).isEqualTo("4: 10 A>B");
        assertThat(rounds.last().notices()).isEmpty();
    }

    @Test
    void aNamespacesLimitCountsWithinTheRoundToo() {
        Rounds rounds = rounds("A 80 20000 {11x900}, B 30 2000",
                Settings.builder().namespaceRules(NamespaceRules.parse("t/n max 4/1h")));

        assertThat(rounds.run(2)).isEqualTo("2: 4 A>B");
        assertThat(rounds.verdict("A").sentence()).contains("6 more wait: rule \"t/n max 4/1h\" holds t/n, frees in");
    }

    @Test
    void aTransferThatDidNotHappenCostsNoBudget() {
        Rounds rounds = rounds("A 80 20000 {11x900}, B 30 2000",
                Settings.builder().unloadLimits(UnloadLimits.parse("cluster=10/10m"))).drops(transfer -> true);

        assertThat(rounds.run(3)).isEqualTo("2: 10 A>B; 3: 10 A>B");
    }

    @Test
    void noReceiverPassesItsCeiling() {
        Rounds rounds = rounds("A 80 20000 {20x1000}, B 30 2000",
                Settings.builder().ceilings(Ceilings.parse("cpu=42")));

        rounds.run(2);
        assertThat(rounds.last().transfers()).as("a bundle costs 4 points").hasSize(3);
    }

    /** A bundle costs 4 points of A's 100 and 1 of B's 400. */
    @Test
    void aCeilingCountsInTheReceiversOwnCapacity() {
        Rounds rounds = rounds("A 80 20000 {20x1000}, B 10@400 10000",
                Settings.builder().ceilings(Ceilings.parse("cpu=15")));

        assertThat(rounds.run(2)).isEqualTo("2: 5 A>B");
    }

    @Test
    void aReceiverAtItsCeilingGetsNothing() {
        Rounds rounds = rounds("A 80 20000 {20x1000}, B 30 2000",
                Settings.builder().ceilings(Ceilings.parse("cpu=30")));

        assertThat(rounds.run(3)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).isEqualTo(Reason.NOTHING_FITS);
    }

    @Test
    void aDrainingBrokerReceivesNothing() {
        Rounds rounds = rounds("A 80 20000 {11x900}, B 30 2000, C 35 3000",
                Settings.builder().draining(Set.of("B")));

        rounds.run(2);
        assertThat(rounds.last().transfers()).isNotEmpty().extracting(Transfer::target).containsOnly("C");
    }

    @Test
    void aDrainingBrokerIsPlacedOnOnlyWhereThereIsNoOther() {
        Rounds rounds = rounds("A 80 20000, B 30 2000", Settings.builder().draining(Set.of("B")));
        rounds.run(1);
        BundleLoad bundle = new BundleLoad("t/n/new", 10, 0, 0);
        Placement.Question question = new Placement.Question(null, new Object(), bundle, true);
        List<BrokerLoad> both = List.of(rounds.cluster.broker("A").report, rounds.cluster.broker("B").report);

        assertThat(rounds.shedder.placement().place(question, both, rounds.settings(), rounds.now).broker())
                .isEqualTo("A");
        assertThat(rounds.shedder.placement().place(question, both.subList(1, 2), rounds.settings(), rounds.now)
                .broker()).isEqualTo("B");
    }

    @Test
    void aMetricWithThresholdsOfItsOwnTripsAPairThatIsLevelByScore() {
        Rounds rounds = rounds("A 50 20000 {20x1000}, B 48 2000",
                Settings.builder().metricThresholds(MetricThresholds.parse("bandwidthOut=15/25")));
        rounds.cluster.broker("A").usage(Metric.BANDWIDTH_OUT, 41, 100);
        rounds.cluster.broker("B").usage(Metric.BANDWIDTH_OUT, 10, 100);

        assertThat(rounds.run(1)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A -> B: bandwidthOut gap 31.0 >= 25, hits 1/2: counting");
        assertThat(rounds.run(1)).isEqualTo("2: 9 A>B");
        assertThat(rounds.verdict("A").sentence()).startsWith("A -> B: bandwidthOut gap 31.0 >= 25, hits 2/2: 9 bundles");
    }

    @ParameterizedTest(name = "A {0}, B {1}, thresholds {2}: {3}")
    @CsvSource(delimiter = ';', value = {
            "50 25 25; 48 10 10; bandwidthOut=15/25; bandwidthOut gap 15.0 >= 15",
            "50 25 25; 48 10 10; bandwidthOut=10/20, bandwidthIn=10/20; bandwidthIn gap 15.0 >= 10",
            "50 10 25; 35 10 15; bandwidthOut=10/20; cpu gap 15.0 >= 15"})
    void aGapAtItsThresholdCountsAndTheFirstOfEqualsIsNamed(String a, String b, String thresholds, String named) {
        Cluster cluster = Cluster.of("A " + a.split(" ")[0] + " 20000 {20x1000}, B " + b.split(" ")[0] + " 2000");
        for (Map.Entry<String, String> usage : Map.of("A", a, "B", b).entrySet()) {
            String[] usages = usage.getValue().split(" ");
            cluster.broker(usage.getKey()).usage(Metric.BANDWIDTH_IN, Double.parseDouble(usages[1]), 100)
                    .usage(Metric.BANDWIDTH_OUT, Double.parseDouble(usages[2]), 100);
        }
        Rounds rounds = Rounds.of(cluster)
                .with(Settings.builder().metricThresholds(MetricThresholds.parse(thresholds)));

        rounds.run(1);
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: " + named + ", hits 1/8: counting");
    }

    @Test
    void aMetricsGapIsSigned() {
        Rounds rounds = rounds("A 50 20000 {20x1000}, B 48 2000",
                Settings.builder().metricThresholds(MetricThresholds.parse("bandwidthOut=15/25")));
        rounds.cluster.broker("A").usage(Metric.BANDWIDTH_OUT, 10, 100);
        rounds.cluster.broker("B").usage(Metric.BANDWIDTH_OUT, 41, 100);

        assertThat(rounds.run(4)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).isEqualTo(Reason.BELOW_THRESHOLD);
    }

    @Test
    void theLargestGapOverItsThresholdIsNamed() {
        Rounds rounds = rounds("A 60 20000 {20x1000}, B 20 2000",
                Settings.builder().metricThresholds(MetricThresholds.parse("cpu=5/30, bandwidthOut=20/35")));
        rounds.cluster.broker("A").usage(Metric.BANDWIDTH_OUT, 50, 100);
        rounds.cluster.broker("B").usage(Metric.BANDWIDTH_OUT, 10, 100);

        rounds.run(1);
        assertThat(rounds.verdict("A").sentence()).startsWith("A -> B: cpu gap 40.0 >= 30, hits 1/2");
    }

    /** Planned at minute 2 and unloaded at minute 6: ten minutes are over at minute 16, and not at 12. */
    @Test
    void aLateUnloadCountsFromWhenItHappened() {
        assertThat(minuteOfTheSecondMove(Settings.builder().unloadLimits(UnloadLimits.parse("cluster=1/10m"))))
                .isEqualTo(16);
        // with nothing to give the pairs had no place, and count two hits again
        assertThat(minuteOfTheSecondMove(Settings.builder().namespaceRules(NamespaceRules.parse("t/n max 1/10m"))))
                .isEqualTo(17);
    }

    private static long minuteOfTheSecondMove(Settings.Builder settings) {
        Rounds rounds = rounds("A 80 20000 {11x900}, B 30 2000, C 79 19750 {11x900}, D 31 2000",
                settings.gracePeriodMillis(60 * Rounds.MINUTE)).unloadsTake(4 * Rounds.MINUTE);
        long start = rounds.now;
        rounds.run(2);
        assertThat(rounds.last().transfers()).hasSize(1);
        assertThat(rounds.now).isEqualTo(start + 6 * Rounds.MINUTE);
        while (rounds.next().transfers().isEmpty()) {
            assertThat(rounds.now).isLessThan(start + 20 * Rounds.MINUTE);
        }
        return (rounds.last().time() - start) / Rounds.MINUTE;
    }

    /** The manager dropped it: it uses up neither a budget nor a rule, and the next round may try again. */
    @Test
    void whatWasNotUnloadedDoesNotCount() {
        for (Settings.Builder settings : List.of(
                Settings.builder().unloadLimits(UnloadLimits.parse("cluster=1/10m")),
                Settings.builder().namespaceRules(NamespaceRules.parse("t/n max 1/10m")))) {
            Rounds rounds = rounds(TWO, settings).drops(transfer -> true);

            assertThat(rounds.run(3)).isEqualTo("2: 1 A>B; 3: 1 A>B");
        }
    }

    /** After these failures the next try is 14 minutes away, unless all was level for the ten that they are remembered. */
    @Test
    void failuresAreForgottenAfterAGracePeriodInWhichAllIsLevel() {
        assertThat(afterLevelMinutes(9)).isEqualTo(Reason.BACKED_OFF);
        assertThat(afterLevelMinutes(11)).isEqualTo(Reason.COUNTING);
    }

    private static Reason afterLevelMinutes(int minutes) {
        Rounds rounds = rounds("A 80 20000 {x:9000, y:9000, z:2000}, B 30 2000", Settings.builder()
                .gracePeriodMillis(0).maxUnloadsPerRound(1)).drops(transfer -> true);
        rounds.run(23);
        assertThat(rounds.verdict("A").sentence()).endsWith("failed repeatedly, the next try is in 14 min");
        rounds.cluster.score("A", 30);
        rounds.run(minutes);
        rounds.cluster.score("A", 80);
        rounds.run(1);
        return rounds.reason("A");
    }
}
