package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long an imbalance must last before anything moves. */
class HitCasesTest {

    @Test
    void aLowGapMovesAfterAsManyRoundsAsTheLowHitCountSays() {
        Rounds rounds = Rounds.of("A 60 20000 {11x900}, B 40 2000, C 50 10000")
                .with(Settings.builder().thresholds(20, 40).hitCounts(6, 2));

        assertThat(rounds.run(6)).isEqualTo("6: 10 A>B");
    }

    @ParameterizedTest(name = "gaps {0}: {1}")
    @CsvSource({
            "41 14 41 14 41 14 41 14 41 14 41 14 41 14 41 14, nothing",
            "41 39 41 39 41 39 41 39, round 8",
            "39.9 39.9 39.9 39.9 39.9 39.9 39.9 39.9, round 8",
            "40 40, round 2",
            "39.9 40 40, round 3",
            "15 15 15 15 15 15 15 15, round 8",
            "15 15 15 15 15 15 15 14.9 15 15 15 15 15 15 15, nothing",
            "39 39 39 39 39 39 41 41, round 8",
            "39 39 41 41, round 4",
            "86.5 10 10 10 10 10 10 10 10 10, nothing",
            "86.5 14 86.5 14 86.5 14 86.5, nothing"})
    void hitsAreRoundsInARow(String gaps, String fires) {
        Rounds rounds = Rounds.of("A 50 20000 {20x1000}, B 5 2000");
        String fired = "nothing";
        int number = 0;
        for (String gap : gaps.split(" ")) {
            rounds.cluster.score("A", 5 + Double.parseDouble(gap));
            number++;
            if (!rounds.next().transfers().isEmpty()) {
                fired = "round " + number;
            }
        }

        assertThat(fired).isEqualTo(fires);
    }

    @Test
    void aPairWhoseDirectionChangesStartsAgain() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000");
        assertThat(rounds.run(1)).isEqualTo("nothing");

        rounds.cluster.join("A 30 2000, B 90 20000 {20x1000}");
        assertThat(rounds.run(1)).isEqualTo("nothing");
        assertThat(rounds.verdict("B").hitsHigh()).isEqualTo(1);
        assertThat(rounds.run(1)).isEqualTo("3: 9 B>A");
    }

    @Test
    void hitsOfTheColdBrokerCountThoughTheHotOnesAlternate() {
        Rounds rounds = Rounds.of("A 81 20000 {20x1000}, B 80 20000 {20x1000}, C 20 2000");
        rounds.run(1);
        rounds.cluster.score("A", 79);

        assertThat(rounds.run(1)).isEqualTo("2: 9 B>C");
    }

    @Test
    void theBrokerInTheMiddleStartsAgain() {
        Rounds rounds = Rounds.of("A 81 20000 {20x1000}, B 80 20000 {20x1000}, C 20 2000");
        rounds.run(1);
        rounds.cluster.score("A", 79);
        rounds.cluster.freeze(true);
        rounds.cluster.leave("C");
        rounds.cluster.join("D 20 2000");
        rounds.cluster.broker("A").frozen = false;

        assertThat(rounds.run(1)).as("D is new, and B was in the middle").isEqualTo("nothing");
        assertThat(rounds.verdict("B").hitsHigh()).isEqualTo(1);
    }

    @Test
    void aNewLeaderNeedsAllHitsAgain() {
        Cluster cluster = Cluster.of("A 60 20000 {20x1000}, B 30 2000");
        assertThat(Rounds.of(cluster).run(7)).isEqualTo("nothing");

        Rounds newLeader = Rounds.of(cluster);
        assertThat(newLeader.run(8)).isEqualTo("8: 9 A>B");
    }

    @Test
    void aNewLeaderHasNoShedTargets() {
        Cluster cluster = Cluster.of("A 90 20000 {20x1000}, B 30 2000");
        Rounds former = Rounds.of(cluster);
        former.run(2);
        assertThat(former.shedder.placement().plannedBundles()).hasSize(9);

        assertThat(Rounds.of(cluster).shedder.placement().plannedBundles()).isEmpty();
    }

    @Test
    void aBrokerThatLeftIsForgotten() {
        Rounds rounds = Rounds.of("A 60 20000 {20x1000}, B 30 2000, C 45 10000, D 45 10000");
        rounds.run(7);
        Cluster.Broker a = rounds.cluster.leave("A");
        Cluster.Broker b = rounds.cluster.leave("B");
        rounds.run(1);
        rounds.cluster.put(a).put(b);

        assertThat(rounds.run(1)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(1);
    }

    @Test
    void aMissedRoundStartsAllAgain() {
        Map<String, Integer> hitsAfterPause = new TreeMap<>();
        for (int minutes = 1; minutes <= 4; minutes++) {
            Rounds rounds = Rounds.of("A 60 20000 {20x1000}, B 30 2000");
            rounds.run(5);
            rounds.now += (minutes - 1) * Rounds.MINUTE;
            rounds.next();
            hitsAfterPause.put(minutes + " min", rounds.verdict("A").hitsLow());
        }

        assertThat(hitsAfterPause).containsExactly(entry("1 min", 6), entry("2 min", 6), entry("3 min", 1),
                entry("4 min", 1));
    }

    @Test
    void aRoundOfSlowUnloadsIsNotAMissedOne() {
        Rounds rounds = Rounds.of("A 71 20000 {20x1000}, B 33 2000, C 70 20000 {20x1000}, D 45 2000")
                .unloadsTake(4 * Rounds.MINUTE);
        assertThat(rounds.run(5)).isEqualTo("nothing");
        rounds.cluster.score("A", 95);
        assertThat(rounds.run(2)).isEqualTo("7: 9 A>B");
        assertThat(rounds.verdict("C").hitsLow()).isEqualTo(7);

        assertThat(rounds.run(1)).isEqualTo("8: 9 C>D");
    }

    @Test
    void twoAndAHalfIntervalsAreNotYetAMissedRound() {
        Rounds rounds = Rounds.of("A 60 20000 {20x1000}, B 30 2000");
        rounds.run(5);
        rounds.now += 90_000;
        rounds.next();
        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(6);

        rounds.now += 90_001;
        rounds.next();
        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(1);
    }

    /** What A is to give stays where it is, so that nothing is unloaded; the manager asks for four minutes. */
    @Test
    void aRoundOfSlowQuestionsIsNotAMissedOne() {
        Rounds rounds = Rounds.of("A 71 20000 {20xg1/a:1000}, B 33 2000, C 70 20000 {20x1000}, D 45 2000")
                .unloadsTake(4 * Rounds.MINUTE).candidates((bundle, broker) -> broker.equals("A"));
        assertThat(rounds.run(5)).isEqualTo("nothing");
        rounds.cluster.score("A", 95);
        assertThat(rounds.run(2)).isEqualTo("7: 9 A>B");
        assertThat(rounds.unloaded).isEmpty();

        rounds.run(1);
        assertThat(rounds.verdict("C").hitsLow()).isEqualTo(8);
    }

    @Test
    void aBrokerThatIsNotKnownForARoundStartsAgain() {
        Rounds rounds = Rounds.of("A 60 20000 {20x1000}, B 30 2000");
        rounds.run(7);
        rounds.cluster.score("A", Double.NaN);
        rounds.run(1);
        rounds.cluster.score("A", 60);
        rounds.run(1);

        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(1);
    }

    @Test
    void aBrokerWhoseReportWasStaleStartsAgain() {
        Rounds rounds = Rounds.of("A 60 20000 {20x1000}, B 30 2000")
                .with(Settings.builder().hitCounts(50, 50));
        rounds.cluster.broker("A").frozen = true;
        rounds.run(17);
        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(17);
        rounds.run(1);
        assertThat(rounds.reason("A")).isEqualTo(Reason.STALE_REPORT);
        rounds.cluster.broker("A").frozen = false;
        rounds.run(1);

        assertThat(rounds.verdict("A").hitsLow()).isEqualTo(1);
    }

    @Test
    void hitsThatALimitHeldBackAreKept() {
        Rounds rounds = Rounds.of("A 90 20000 {20x1000}, B 30 2000, C 80 20000 {20x1000}, D 35 2000")
                .with(Settings.builder().maxUnloadsPerRound(9));

        assertThat(rounds.run(2)).isEqualTo("2: 9 A>B");
        assertThat(rounds.verdict("C").reason()).isEqualTo(Reason.ROUND_CAP);
        assertThat(rounds.run(1)).isEqualTo("3: 9 C>D");
    }
}
