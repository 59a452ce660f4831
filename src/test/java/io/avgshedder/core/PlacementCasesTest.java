package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where bundles go, and how long that is remembered. */
class PlacementCasesTest {

    /** A gives x, which is worth 20 points, to B in round 2. */
    private static Rounds planOfOne(String others) {
        Rounds rounds = Rounds.of("A 60 12000 {x:4000, 8x1000}, B 20 4000" + others);
        rounds.drops(transfer -> true).run(2);
        assertThat(rounds.last().transfers()).containsExactly(new Transfer("t/n/x", "A", "B"));
        return rounds;
    }

    // ---- shed targets

    @Test
    void theShedTargetIsAnsweredHoweverOftenItIsAsked() {
        Rounds rounds = planOfOne(", C 21 8000");

        for (int i = 0; i < 5; i++) {
            assertThat(rounds.place("t/n/x")).isEqualTo(new Placed("B", PlacementReason.PLANNED));
        }
        assertThat(rounds.shedder.placement().inFlightCount()).isEqualTo(1);
    }

    /** Issue #24581: a target that was filtered out was replaced by a random broker, the source included. */
    @ParameterizedTest(name = "C at {0}: {1}")
    @CsvSource({"39, C", "39.9, C", "40, A", "40.1, A", "55, A"})
    void aFilteredTargetIsReplacedByWhoEndsBelowTheSource(double score, String expected) {
        Rounds rounds = planOfOne(", C " + score + " 8000").candidates((bundle, broker) -> !broker.equals("B"));

        for (int i = 0; i < 5; i++) {
            assertThat(rounds.place("t/n/x").broker()).isEqualTo(expected);
        }
        assertThat(rounds.place("t/n/x").reason())
                .isEqualTo(expected.equals("A") ? PlacementReason.STAYED : PlacementReason.PREDICTED);
    }

    @Test
    void anAnswerStandsThoughTheFirstChoiceCanBeHadAgain() {
        Rounds rounds = planOfOne(", C 39 8000").candidates((bundle, broker) -> !broker.equals("B"));
        assertThat(rounds.place("t/n/x").broker()).isEqualTo("C");

        rounds.candidates((bundle, broker) -> true);
        assertThat(rounds.place("t/n/x").broker()).isEqualTo("C");
    }

    @Test
    void theTargetOfABrokerThatStoppedIsReplaced() {
        Rounds rounds = planOfOne(", C 30 8000");
        rounds.cluster.leave("B");

        assertThat(rounds.place("t/n/x")).isEqualTo(new Placed("C", PlacementReason.PREDICTED));
        assertThat(rounds.shedder.placement().refusalCount()).as("it was gone, not refused").isZero();
    }

    @Test
    void anOverloadedTargetIsReplaced() {
        Rounds rounds = planOfOne(", C 30 8000");
        rounds.cluster.score("B", 85);
        rounds.cluster.write(rounds.now);

        assertThat(rounds.place("t/n/x")).isEqualTo(new Placed("C", PlacementReason.PREDICTED));
        assertThat(rounds.shedder.placement().refusalCount()).isZero();
    }

    @Test
    void aBundleGoesElsewhereOnlyWhileThatEndsBelowTheSource() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 55 13000, C 20 0").moving(3)
                .candidates((bundle, broker) -> !broker.equals("C"));

        assertThat(rounds.run(2)).isEqualTo("2: 10 A>C");
        assertThat(rounds.unloaded).hasSize(4);
        assertThat(rounds.cluster.scores()).isEqualTo("A 68.0, B 67.0, C 20.0");
    }

    /**
     * Each bundle is worth 3 points. Two have left A for B, at 55, as far as it is known; after two more the two are at
     * 68 and 67.
     */
    @Test
    void whatHasLeftTheSourceCountsUntilItsReportShowsIt() {
        Rounds rounds = twoOfTenWentToB();
        rounds.cluster.freeze(true);
        rounds.run(3);

        assertThat(answers(rounds)).isEqualTo("BBAAAAAA");
    }

    /** The same, but the reports are rewritten, and show as much on A and on B as before. */
    @Test
    void whatHasLeftTheSourceCountsNoMoreOnceItsReportShowsIt() {
        Rounds rounds = twoOfTenWentToB();
        rounds.run(3);

        assertThat(answers(rounds)).isEqualTo("BBBBAAAA");
    }

    private static Rounds twoOfTenWentToB() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 55 13000, C 20 0").drops(transfer -> true)
                .candidates((bundle, broker) -> !broker.equals("C"));
        assertThat(rounds.run(2)).isEqualTo("2: 10 A>C");
        assertThat(rounds.place("t/n/A-001").broker()).isEqualTo("B");
        assertThat(rounds.place("t/n/A-002").broker()).isEqualTo("B");
        rounds.last().transfers().forEach(transfer -> rounds.unloaded.put(transfer.bundle(), rounds.now));
        return rounds;
    }

    private static String answers(Rounds rounds) {
        StringBuilder answers = new StringBuilder();
        for (int i = 3; i <= 10; i++) {
            answers.append(rounds.place(String.format("t/n/A-%03d", i)).broker());
        }
        return answers.toString();
    }

    @Test
    void randomPlacementDrawsAmongThoseThatEndBelowTheSource() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 55 13000, C 20 0, D 78 20000").moving(3)
                .with(Settings.builder().placement(PlacementMode.RANDOM))
                .candidates((bundle, broker) -> !broker.equals("C"));
        rounds.run(2);

        assertThat(rounds.unloaded).hasSize(4);
        assertThat(rounds.cluster.scores()).isEqualTo("A 68.0, B 67.0, C 20.0, D 78.0");
    }

    @Test
    void aSmallerBrokerGainsMorePointsThanThePlannedTarget() {
        Rounds rounds = Rounds.of("A 60@400 12000 {x:4000, 8x1000}, B 20@400 4000, C 30@100 2000")
                .candidates((bundle, broker) -> !broker.equals("B"));
        rounds.run(2);

        assertThat(rounds.bundles()).containsExactly("x");
        assertThat(rounds.unloaded).as("C would end at 110").isEmpty();
    }

    /** Issue #26246: a plan keyed by the bundles' figures is lost at the next update, or crossed. */
    @Test
    void bundlesWithEqualFiguresGoEachToTheirOwnTarget() {
        Rounds rounds = Rounds.of("A1 60 12000 {x:4000, 8x1000}, A2 60 12000 {y:4000, 8x1000}, B 20 4000, C 20 4000")
                .drops(transfer -> true);
        assertThat(rounds.run(2)).isEqualTo("2: 1 A1>C, 1 A2>B");

        rounds.cluster.broker("A1").bundles.put("t/n/x", 3000.0);
        rounds.cluster.broker("A2").bundles.put("t/n/y", 3000.0);
        rounds.cluster.write(rounds.now + 1);
        assertThat(rounds.place("t/n/x").broker()).isEqualTo("C");
        assertThat(rounds.place("t/n/y").broker()).isEqualTo("B");
    }

    @Test
    void oldBrokersThatAskAtTheLookupOnlyGetTheShedTargetThen() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000, C 50 10000").moving().asksAtLookupOnly();

        assertThat(rounds.run(100)).isEqualTo("2: 8 A>B");
        assertThat(rounds.cluster.scores()).isEqualTo("A 50.0, B 50.0, C 50.0");
    }

    // ---- the end of a shed target

    @Test
    void aTargetEndsWhenItsReportShowsTheBundle() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000").moving();
        rounds.run(2);
        assertThat(rounds.shedder.placement().plannedBundles()).hasSize(8);

        rounds.run(1);
        assertThat(rounds.shedder.placement().plannedBundles()).isEmpty();
    }

    @Test
    void aTargetEndsFiveMinutesAfterItsRoundsUnloads() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000");
        rounds.run(2);
        rounds.cluster.score("A", 40);
        rounds.run(5);
        assertThat(rounds.shedder.placement().plannedBundles()).hasSize(8);
        assertThat(rounds.shedder.placement().plannedTarget("t/n/A-001", rounds.now)).isEqualTo("B");
        assertThat(rounds.shedder.placement().plannedTarget("t/n/A-001", rounds.now + Rounds.MINUTE)).isNull();

        rounds.run(1);
        assertThat(rounds.shedder.placement().plannedBundles()).isEmpty();
    }

    @Test
    void aTargetLivesAsLongAsItsRoundsUnloadsRun() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000, C 50 10000").moving()
                .unloadsTake(20 * Rounds.MINUTE);

        assertThat(rounds.run(2)).isEqualTo("2: 8 A>B");
        assertThat(rounds.placed.values()).hasSize(8).containsOnly(new Placed("B", PlacementReason.PLANNED));
    }

    @Test
    void aBundleThatWasPlacedIsNotSentThereForEver() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000, C 50 10000").moving();
        rounds.run(5);
        assertThat(rounds.placed.get("t/n/A-001").broker()).isEqualTo("B");

        rounds.cluster.leave("B");
        assertThat(rounds.place("t/n/A-001").broker()).isIn("A", "C");
        assertThat(rounds.shedder.placement().plannedTarget("t/n/A-001", rounds.now)).isNull();
    }

    @ParameterizedTest(name = "the halves are on {0}")
    @ValueSource(strings = {"A", "B"})
    void aBundleThatWasSplitHasNoTarget(String owner) {
        Rounds rounds = Rounds.of("A 60 12000 {0x00000000_0x80000000:4000, 8x1000}, B 20 4000");
        rounds.run(2);
        assertThat(rounds.bundles()).containsExactly("0x00000000_0x80000000");

        rounds.cluster.broker("A").bundles.remove("t/n/0x00000000_0x80000000");
        rounds.cluster.broker(owner).bundles.putAll(Map.of("t/n/0x00000000_0x40000000", 2000.0,
                "t/n/0x40000000_0x80000000", 2000.0));
        rounds.run(1);
        assertThat(rounds.shedder.placement().plannedBundles()).isEmpty();
    }

    @Test
    void theHalvesOfABundleRestAsLongAsTheWholeWouldHave() {
        Rounds rounds = Rounds.of("A 60 12000 {0x00000000_0x80000000:4000, 8x1000}, B 20 4000 {4x100}");
        rounds.run(2);
        rounds.cluster.broker("A").bundles.remove("t/n/0x00000000_0x80000000");
        rounds.cluster.join("A 20 4000, B 60 12000 {0x00000000_0x40000000:4000, 0x40000000_0x80000000:4000, 8x500}");

        Map<String, Integer> movedInRound = new TreeMap<>();
        for (int i = 3; i < 45; i++) {
            for (Transfer transfer : rounds.next().transfers()) {
                movedInRound.putIfAbsent(transfer.bundle(), i);
            }
        }
        assertThat(movedInRound.get("t/n/B-001")).isLessThan(10);
        assertThat(movedInRound.get("t/n/0x00000000_0x40000000")).isBetween(33, 44);
    }

    @Test
    void nothingIsRememberedAfterAThousandQuietRounds() {
        Rounds rounds = Rounds.of("A 80 20000 {20xg1/a:1000}, B 30 7500 {20xg1/b:375}, C 10 2500 {20xg2/c:125}, "
                + "D 70 17500 {20xg2/d:875}").moving()
                .candidates((bundle, broker) -> (bundle.startsWith("t/g1/") ? "AB" : "CD").contains(broker));
        rounds.run(60);
        rounds.cluster.leave("D").bundles.keySet().forEach(rounds::place);
        rounds.cluster.brokers().forEach(broker -> broker.score = 50);
        rounds.run(1000);

        Placement placement = rounds.shedder.placement();
        assertThat(placement.plannedBundles()).isEmpty();
        assertThat(placement.inFlightCount()).isZero();
        assertThat(placement.refusalCount()).isZero();
        assertThat(placement.orphanNames(Set.of("A", "B", "C"), rounds.settings(), rounds.now)).isEmpty();
    }

    // ---- bundles without a target

    @ParameterizedTest(name = "the manager still has their history: {0}")
    @ValueSource(booleans = {true, false})
    void theBundlesOfABrokerThatStoppedGoWhereTheyEndLowest(boolean hasHistory) {
        Rounds rounds = Rounds.of("A 40 10000, B 42 10500, C 60 15000, Z 50 12500 {x:3000, y:2000, z:1000}");
        rounds.run(1);
        Cluster.Broker stopped = rounds.cluster.leave("Z");

        List<String> orphans = rounds.shedder.placement()
                .orphanNames(Set.of("A", "B", "C"), rounds.settings(), rounds.now);
        assertThat(orphans).containsExactlyInAnyOrderElementsOf(stopped.bundles.keySet());
        List<String> owners = new ArrayList<>();
        stopped.bundles.forEach((bundle, rate) -> owners.add(rounds.place(bundle,
                Cluster.load(bundle, hasHistory ? rate : 50), hasHistory).broker()));
        assertThat(owners).containsExactly("A", "B", "B");
    }

    @Test
    void aBundleThatHasAnOwnerAgainIsNoOrphan() {
        Rounds rounds = Rounds.of("A 40 10000, B 42 10500, Z 50 12500 {x:3000, y:2000}");
        rounds.run(1);
        rounds.cluster.leave("Z");
        rounds.run(1);
        assertThat(rounds.shedder.placement().orphanNames(Set.of("A", "B"), rounds.settings(), rounds.now))
                .containsExactly("t/n/x", "t/n/y");

        rounds.cluster.broker("A").bundles.put("t/n/x", 3000.0);
        rounds.run(1);
        assertThat(rounds.shedder.placement().orphanNames(Set.of("A", "B"), rounds.settings(), rounds.now))
                .containsExactly("t/n/y");
    }

    @ParameterizedTest(name = "{0} bundles on {1}, measured: {3}")
    @CsvSource({
            "16, 'A 30 10000, B 30 10000, C 30 10000, D 30 10000', '4 4 4 4', true",
            "16, 'A 30 10000, B 30 10000, C 30 10000, D 30 10000', '4 4 4 4', false",
            "16, 'A 0 0, B 0 0, C 0 0, D 0 0', '4 4 4 4', true",
            "16, 'A 0 0, B 0 0, C 0 0, D 0 0', '4 4 4 4', false",
            "4, 'A 30 10000, B 30 10000, C 30 10000', '1 1 2', true",
            "4, 'A 0 0, B 0 0, C 0 0', '1 1 2', false",
            "64, 'A 2 100 {10x10}, B 2 100 {10x10}, C 2 100 {10x10}', '21 21 22', true",
            "64, 'A 2 100 {10x10}, B 2 100 {10x10}, C 2 100 {10x10}', '21 21 22', false"})
    void bundlesWithoutTrafficSpreadEvenly(int bundles, String cluster, String counts, boolean measured) {
        Rounds rounds = Rounds.of(cluster);
        Map<String, Integer> owned = new TreeMap<>();
        for (int i = 0; i < bundles; i++) {
            String bundle = "t/n/new-" + i;
            owned.merge(rounds.place(bundle, Cluster.load(bundle, 0), measured).broker(), 1, Integer::sum);
        }

        assertThat(owned.values().stream().sorted().map(String::valueOf).toList()).containsExactly(counts.split(" "));
    }

    @Test
    void whoIsNotKnownIsAnsweredOnlyWhereThereIsNoOther() {
        Rounds rounds = Rounds.of("A 40 10000, X ? 0");

        assertThat(rounds.place("t/n/new")).isEqualTo(new Placed("A", PlacementReason.PREDICTED));
        rounds.candidates((bundle, broker) -> broker.equals("X"));
        assertThat(rounds.place("t/n/new")).isEqualTo(new Placed("X", PlacementReason.PREDICTED));
        rounds.candidates((bundle, broker) -> false);
        assertThat(rounds.place("t/n/new")).isNull();
    }

    @Test
    void aBundleThatStaysIsNotUnloaded() {
        Rounds rounds = planOfOne(", C 41 8000").candidates((bundle, broker) -> !broker.equals("B"))
                .drops(transfer -> false);
        rounds.run(1);

        assertThat(rounds.last().transfers()).as("the dropped one is tried again").hasSize(1);
        assertThat(rounds.unloaded).as("but stays where it is").isEmpty();
    }

    /** Even distribution may leave the source itself out; before the unload the bundle can still stay there. */
    @Test
    void aSourceThatTheFiltersLeftOutKeepsItsBundleWhereEveryOtherWouldEndAboveIt() {
        Rounds rounds = Rounds.of("A 80 60 {20x3}, B 78 55, C 20 0");
        rounds.run(1);
        rounds.cluster.write(rounds.now + Rounds.MINUTE);
        Round round = rounds.shedder.round(rounds.cluster.snapshot(java.util.Map.of()), rounds.settings(),
                rounds.now + Rounds.MINUTE);
        String bundle = round.transfers().get(0).bundle();
        Placement placement = rounds.shedder.placement();
        java.util.List<BrokerLoad> onlyB = java.util.List.of(rounds.cluster.broker("B").report);
        placement.placeAsPlanned(bundle, false, rounds.cluster.broker("C").report, rounds.settings(), rounds.now);
        BundleLoad load = Cluster.load(bundle, 3);

        assertThat(placement.place(new Placement.Question(bundle, bundle, load, true,
                rounds.cluster.broker("A").report), onlyB, rounds.settings(), rounds.now))
                .isEqualTo(new Placed("A", PlacementReason.STAYED));
        assertThat(placement.place(new Placement.Question(bundle, bundle, load, true), onlyB, rounds.settings(),
                rounds.now).broker()).as("a lookup needs an owner").isEqualTo("B");
    }
}
