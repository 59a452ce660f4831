package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlacementTest {

    private static final long MINUTE = Rounds.MINUTE;

    private final Placement placement = new Placement(new Random(1));

    private static List<BrokerLoad> brokers(String cluster) {
        return Cluster.of(cluster).snapshot(Map.of()).brokers();
    }

    private static Placement.Question question(String bundle, double messages, boolean hasHistory) {
        return new Placement.Question(null, bundle, Cluster.load(bundle, messages), hasHistory);
    }

    private String place(String bundle, double messages, String cluster) {
        return placement.place(question(bundle, messages, true), brokers(cluster), Settings.defaults(), 0).broker();
    }

    @Test
    void whatWasPlacedCountsUntilItIsProved() {
        String cluster = "A 40 10000, B 44 11000, C 60 15000";

        assertThat(place("x", 2000, cluster)).isEqualTo("A");
        assertThat(place("y", 2000, cluster)).as("A is at 48").isEqualTo("B");
        assertThat(place("z", 2000, cluster)).as("B is at 52").isEqualTo("A");
    }

    @Test
    void aBundleThatIsAskedForAgainCountsOnceAndStays() {
        String cluster = "A 40 10000, B 44 11000";
        for (int i = 0; i < 5; i++) {
            assertThat(place("x", 2000, cluster)).isEqualTo("A");
        }

        assertThat(placement.inFlightCount()).isEqualTo(1);
    }

    @Test
    void amongEqualsABundleThatIsAskedForAgainStays() {
        assertThat(place("x", 0, "A 0 0, B 0 0")).isEqualTo("A");

        assertThat(place("x", 0, "A 0 0 {5x0}, B 0 0")).as("though A has more bundles by now").isEqualTo("A");
        assertThat(place("y", 0, "A 0 0 {5x0}, B 0 0")).isEqualTo("B");
    }

    @Test
    void aBundleWeighsLessOnALargerBroker() {
        String cluster = "small 40@800 10000, large 44@3200 44000";

        assertThat(place("x", 8000, cluster)).as("small").isEqualTo("small");
        assertThat(place("y", 8000, cluster)).isEqualTo("large");
        assertThat(place("z", 8000, cluster)).as("large is at 52, small at 70 or more").isEqualTo("large");
    }

    @Test
    void tiesGoToFewerBundlesAndThenRoundRobin() {
        assertThat(place("x", 0, "A 40 1000 {3x1}, B 40 1000 {2x1}, C 40 1000 {3x1}")).isEqualTo("B");

        Placement idle = new Placement(new Random(1));
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            answers.add(idle.place(question("b" + i, 0, true), brokers("A 0 0, B 0 0, C 0 0"), Settings.defaults(), 0)
                    .broker());
        }
        assertThat(answers).containsExactly("A", "B", "C", "A", "B", "C", "A");
    }

    @Test
    void whereNothingIsKnownOfAnyCandidateTheNumberOfBundlesDecides() {
        String unknown = "A ? 1000 {3x1}, B ? 1000 {2x1}, C ? 1000 {4x1}";

        assertThat(place("x", 1, unknown)).isEqualTo("B");
        assertThat(place("y", 1, unknown)).as("A and B have 3").isEqualTo("A");
        assertThat(place("z", 1, unknown)).as("B has 3, A 4").isEqualTo("B");
        assertThat(place("x", 1, "A ? 1000, B 80 1000 {2x1}")).as("unknown is not idle").isEqualTo("B");
    }

    @Test
    void anOverloadedBrokerIsTakenOnlyWhereThereIsNoOther() {
        Settings settings = Settings.builder().overloadThreshold(50).build();
        Placement.Question question = question("x", 0, true);

        assertThat(placement.place(question, brokers("A 51 1000, B 52 1000"), settings, 0).broker()).isEqualTo("A");
        assertThat(placement.place(question, brokers("A 51 1000, B 50 1000"), settings, 0).broker()).isEqualTo("B");
    }

    @Test
    void aStaleBrokerIsTakenOnlyWhereThereIsNoOther() {
        Rounds rounds = Rounds.of("A 10 1000, B 50 1000");
        rounds.cluster.broker("A").frozen = true;
        rounds.run(18);

        assertThat(rounds.place("t/n/x").broker()).isEqualTo("B");
        rounds.candidates((bundle, broker) -> broker.equals("A"));
        assertThat(rounds.place("t/n/x").broker()).isEqualTo("A");
    }

    @Test
    void aBrokerIsStaleNoLongerThanItsReportIs() {
        Rounds rounds = Rounds.of("A 10 1000, B 50 1000");
        rounds.cluster.broker("A").frozen = true;
        rounds.run(18);

        rounds.with(Settings.builder().longestReportIntervalMillis(60 * MINUTE)).run(1);
        assertThat(rounds.place("t/n/x").broker()).isEqualTo("A");
    }

    /** Ten thousand bundles of a broker that died are looked up before any report changes. */
    @Test
    void manyBundlesSpreadByWhatTheBrokersCarry() {
        List<BrokerLoad> brokers = brokers("A 20 5000 {50x100}, B 30 7500 {75x100}, C 40 10000 {100x100}");
        Map<String, Integer> owned = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            owned.merge(placement.place(question("b" + i, 0, false), brokers, Settings.defaults(), 0).broker(), 1,
                    Integer::sum);
        }

        assertThat(owned.values()).allSatisfy(count -> assertThat(count).isCloseTo(3333, within(100)));
    }

    @Test
    void theOrderOfTheCandidatesDoesNotMatter() {
        Set<List<String>> answers = new HashSet<>();
        List<BrokerLoad> brokers = new ArrayList<>(brokers("A 40 10000, B 40 10000, C 40.1 9000, D 39 8000, E 39 8000"));
        Random random = new Random(3);
        for (int order = 0; order < 20; order++) {
            Placement fresh = new Placement(new Random(1));
            List<String> answer = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                Collections.shuffle(brokers, random);
                answer.add(fresh.place(question("b" + i, 10 * i, true), brokers, Settings.defaults(), 0).broker());
            }
            answers.add(answer);
        }

        assertThat(answers).hasSize(1);
    }

    @Test
    void placedLoadEndsAtTheLongestReportInterval() {
        place("x", 2000, "A 40 10000, B 44 11000");
        assertThat(placement.inFlightCount()).isEqualTo(1);

        placement.place(question("y", 2000, true), brokers("A 40 10000"), Settings.defaults(), 15 * MINUTE);
        assertThat(placement.inFlightCount()).as("y alone").isEqualTo(1);
    }

    @Test
    void placedLoadOfABrokerThatDoesNotWriteEndsInARoundToo() {
        Rounds rounds = Rounds.of("A 40 10000, B 44 11000");
        rounds.run(1);
        rounds.cluster.broker("A").frozen = true;
        rounds.place("t/n/x", Cluster.load("x", 2000), true);
        rounds.run(14);
        assertThat(rounds.shedder.placement().inFlightCount()).isEqualTo(1);

        rounds.run(1);
        assertThat(rounds.shedder.placement().inFlightCount()).isZero();
    }

    @Test
    void placedLoadEndsWithItsBroker() {
        Rounds rounds = Rounds.of("A 40 10000, B 44 11000");
        rounds.run(1);
        assertThat(rounds.place("t/n/x", Cluster.load("x", 2000), true).broker()).isEqualTo("A");
        rounds.cluster.leave("A");

        rounds.run(1);
        assertThat(rounds.shedder.placement().inFlightCount()).isZero();
    }

    @Test
    void placedLoadEndsWithAReportWrittenTwoUsageIntervalsLater() {
        Rounds rounds = Rounds.of("A 40 10000, B 44 11000");
        rounds.run(1);
        rounds.place("t/n/x", Cluster.load("x", 2000), true);
        rounds.run(1);
        assertThat(rounds.shedder.placement().inFlightCount()).isEqualTo(1);

        rounds.run(1);
        assertThat(rounds.shedder.placement().inFlightCount()).isZero();
    }

    @Test
    void placedLoadIsProvedEarlierByTheReportOfAMessageRate() {
        Rounds planned = Rounds.of("A ? 9000 {9x1000}, B ? 1000").moving()
                .with(Settings.builder().msgRateCapacity(10_000));

        assertThat(planned.run(2)).isEqualTo("2: 4 A>B");
        assertThat(planned.shedder.placement().inFlightCount()).isEqualTo(4);
        planned.run(1);
        assertThat(planned.shedder.placement().inFlightCount()).isZero();
    }

    @Test
    void placedLoadIsProvedEarlierByTheReportOfAThroughput() {
        Rounds planned = Rounds.of("A ? 9000 {9x1000}, B ? 1000").moving()
                .with(Settings.builder().msgThroughputCapacity(10_000 * 1024));

        assertThat(planned.run(2)).isEqualTo("2: 4 A>B");
        planned.run(1);
        assertThat(planned.shedder.placement().inFlightCount()).isZero();
    }

    /** CPU is a mean over a minute: that the bundle is there does not tell that its load is seen. */
    @Test
    void placedLoadIsNotProvedByTheBundleAloneWhereUsageIsMeasured() {
        Rounds planned = Rounds.of("A 90 18000 {18x1000}, B 10 2000").moving();

        assertThat(planned.run(2)).isEqualTo("2: 8 A>B");
        planned.run(1);
        assertThat(planned.shedder.placement().inFlightCount()).isEqualTo(8);
        planned.run(1);
        assertThat(planned.shedder.placement().inFlightCount()).isZero();
    }

    /** Both list A-001, as they may for a minute after any unload. B's report was first seen in the round of the plan. */
    @Test
    void aReportFromBeforeThePlanProvesNothing() {
        Rounds planned = Rounds.of("A ? 9000 {9x1000}, B ? 1000 {A-001:1000}")
                .with(Settings.builder().msgRateCapacity(10_000));
        assertThat(planned.run(2)).isEqualTo("2: 4 A>B");
        assertThat(planned.bundles()).contains("A-001");

        planned.cluster.broker("B").frozen = true;
        planned.run(1);
        assertThat(planned.shedder.placement().inFlightCount()).isEqualTo(4);
    }

    @Test
    void randomPlacementDrawsEveryCandidate() {
        Settings settings = Settings.builder().placement(PlacementMode.RANDOM).build();
        Map<String, Integer> owned = new TreeMap<>();
        for (int i = 0; i < 3000; i++) {
            Placed placed = placement.place(question("b" + i, 10, true), brokers("A 90 1, B 10 1, C 50 1"), settings, 0);
            assertThat(placed.reason()).isEqualTo(PlacementReason.RANDOM);
            owned.merge(placed.broker(), 1, Integer::sum);
        }

        assertThat(owned.values()).hasSize(3)
                .allSatisfy(count -> assertThat(count).isCloseTo(1000, within(120)));
    }

    // ---- refusals

    @Test
    void aFilteredTargetIsRefusedToTheNamespace() {
        Rounds rounds = planRefusedByB(49_999);

        rounds.cluster.join("A 80 20000 {20xother/a:1000}");
        assertThat(rounds.run(6)).contains("9 A>B");
    }

    @Test
    void aFilteredTargetThatHasItsFillOfTopicsIsRefusedToAll() {
        Rounds rounds = planRefusedByB(50_000);

        rounds.cluster.join("A 80 20000 {20xother/a:1000}");
        assertThat(rounds.run(20)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A: cpu gap 50.0 to B: "
                + "the load manager's filters refuse every colder broker to its bundles");
    }

    private static Rounds planRefusedByB(long topics) {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 30 2000").candidates((bundle, broker) -> !broker.equals("B"));
        rounds.cluster.broker("B").topics = topics;
        assertThat(rounds.run(5)).isEqualTo("2: 9 A>B");
        assertThat(rounds.shedder.placement().refusalCount()).isEqualTo(1);
        assertThat(rounds.reason("A")).isEqualTo(Reason.REFUSED);
        return rounds;
    }

    @Test
    void aRefusedTargetIsNotAnsweredAgain() {
        Rounds rounds = Rounds.of("A 60 12000 {x:4000, 8x1000}, B 20 4000").drops(transfer -> true);
        rounds.run(2);
        Placement asked = rounds.shedder.placement();
        BrokerLoad target = rounds.cluster.broker("B").report;

        assertThat(asked.placeAsPlanned("t/n/x", false, target, rounds.settings(), rounds.now)).isNull();
        assertThat(asked.plannedTarget("t/n/x", rounds.now)).isNull();
        assertThat(asked.plannedSource("t/n/x", rounds.now)).isEqualTo("A");
        assertThat(asked.liveTargets(rounds.now)).isEmpty();
        assertThat(asked.placeAsPlanned("t/n/x", true, target, rounds.settings(), rounds.now)).isNull();
        assertThat(asked.learntRefusals(rounds.now))
                .containsExactly(new Placement.LearntRefusal("t/n", "B", rounds.now + 30 * MINUTE));
    }

    @Test
    void withoutALimitOfTopicsABrokerNeverHasItsFill() {
        Rounds rounds = Rounds.of("A 60 12000 {x:4000, 8x1000}, B 20 4000").drops(transfer -> true)
                .with(Settings.builder().maxTopicsPerBroker(0));
        rounds.run(2);
        rounds.shedder.placement().placeAsPlanned("t/n/x", false, rounds.cluster.broker("B").report, rounds.settings(),
                rounds.now);

        assertThat(rounds.shedder.placement().learntRefusals(rounds.now))
                .containsExactly(new Placement.LearntRefusal("t/n", "B", rounds.now + 30 * MINUTE));
    }

    /** Refused at minute 2 for half an hour; two hits later it is tried again. */
    @Test
    void aRefusalIsTriedAgainAfterTheGracePeriod() {
        Rounds rounds = planRefusedByB(49_999);

        assertThat(rounds.run(30)).isEqualTo("33: 9 A>B");
    }

    /** The grace period is shortened to ten minutes, and the last round that was not quiet is the fifth. */
    @Test
    void refusalsAreForgottenAfterAGracePeriodInWhichAllIsLevel() {
        Rounds rounds = planRefusedByB(49_999);
        rounds.with(Settings.builder().gracePeriodMillis(10 * MINUTE)).cluster.score("A", 30);

        rounds.run(9);
        assertThat(rounds.shedder.placement().refusalCount()).isEqualTo(1);
        rounds.run(1);
        assertThat(rounds.shedder.placement().refusalCount()).isZero();
    }

    // ---- for those who look from outside

    @Test
    void liveTargetsAreShown() {
        Rounds rounds = Rounds.of("A 60 12000 {x:4000, 8x1000}, B 20 4000").drops(transfer -> true);
        rounds.run(2);

        Placement shown = rounds.shedder.placement();
        assertThat(shown.liveTargets(rounds.now))
                .containsExactly(new Placement.LiveTarget("t/n/x", "A", "B", rounds.now));
        assertThat(shown.plannedSource("t/n/x", rounds.now)).isEqualTo("A");
        assertThat(shown.plannedTarget("t/n/x", rounds.now)).isEqualTo("B");
        assertThat(shown.plannedTarget("t/n/y", rounds.now)).isNull();
        assertThat(shown.plannedTarget(null, rounds.now)).isNull();
        assertThat(shown.inFlightCount()).as("nobody has asked yet").isEqualTo(1);
        assertThat(shown.liveTargets(rounds.now + 30 * MINUTE)).as("no round tells what became of it").isEmpty();
    }

    /**
     * 20,000 msg/s make 81.6 points at the mean capacity of 250, so that 1,000 are 2.55 points on the large broker and
     * 10.2 on the small one.
     */
    @Test
    void whatABundleWeighsFollowsFromTheCapacities() {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            answers.add(place("x" + i, 1000, "small 40@100 4000, large 41@400 16000").substring(0, 1));
        }

        assertThat(String.join("", answers)).isEqualTo("sllllslllls");
    }
}
