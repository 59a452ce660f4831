package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gives to whom. */
class PairingCasesTest {

    private static final double[] FIVE = {62.0, 61.4, 34.5, 68.5, 41.9};

    @ParameterizedTest(name = "brokers named in the order {0}")
    @ValueSource(strings = {"b1 b2 b3 b4 b5", "b5 b4 b3 b2 b1", "b3 b1 b5 b2 b4", "b4 b5 b2 b3 b1"})
    void theHottestGivesToTheColdestAndTheMiddleIsLeftAlone(String order) {
        String[] names = order.split(" ");
        Rounds rounds = Rounds.of(IntStream.range(0, 5).mapToObj(i -> String.format("%s %.1f %.0f {20x%.0f}", names[i],
                FIVE[i], 1000 * FIVE[i], 50 * FIVE[i])).collect(Collectors.joining(", ")));
        Set<String> hot = Set.of(names[0], names[1], names[3]);

        assertThat(rounds.run(7)).isEqualTo("nothing");
        Map<String, String> pairs = new HashMap<>();
        rounds.next().transfers().forEach(transfer -> pairs.put(transfer.source(), transfer.target()));
        assertThat(pairs).isEqualTo(Map.of(names[3], names[2], names[0], names[4]));
        for (int i = 0; i < 100; i++) {
            assertThat(rounds.next().transfers()).extracting(Transfer::target).doesNotContainAnyElementsOf(hot);
        }
    }

    @Test
    void aBrokerHotFromAnotherProcessTakesNoPair() {
        Rounds rounds = Rounds.of("b1 10 2000, b2 50 10000 {10x1000}, b3 70 0");

        assertThat(rounds.run(2)).isEqualTo("2: 4 b2>b1");
        assertThat(rounds.verdict("b3").sentence())
                .isEqualTo("b3: cpu gap 60.0 to b1: no bundle that carries traffic may move");
        assertThat(rounds.verdict("b3").cold()).isNull();
    }

    @ParameterizedTest(name = "c carries {0}")
    @ValueSource(strings = {"{20000}", "{20000, 10x0}", "{19990, 5x2}", "{pulsar/system/x:10000, pulsar/system/y:10000}"})
    void aBrokerThatCannotGiveTakesNoHotPlace(String bundles) {
        Rounds rounds = Rounds.of("a 10 2000, m 88 20000 {20x1000}, c 90 20000 " + bundles);

        assertThat(rounds.run(2)).isEqualTo("2: 9 m>a");
        assertThat(rounds.reason("c")).isIn(Reason.NOTHING_MOVABLE, Reason.NOTHING_FITS);
    }

    @ParameterizedTest(name = "{0} at {1}, one at 0")
    @CsvSource({"10, 80, 20000", "4, 80, 20000", "5, 50, 10000", "1, 80, 20000", "2, 80, 20000", "7, 60, 12000",
            "20, 84, 20000"})
    void oneIdleBrokerIsFilledWithoutOverloadingIt(int count, int score, int rate) {
        String hot = IntStream.range(0, count).mapToObj(i -> String.format("b%02d %d %d {20x%d}", i, score, rate,
                rate / 20)).collect(Collectors.joining(", "));
        Rounds rounds = Rounds.of(hot + ", Z 0 0").moving(1000.0 * score / rate);
        int sheddingRounds = 0;
        for (int i = 0; i < 150; i++) {
            Map<String, Double> before = new HashMap<>();
            rounds.cluster.brokers().forEach(broker -> before.put(broker.name, broker.score));
            List<Transfer> transfers = rounds.next().transfers();
            sheddingRounds += transfers.isEmpty() ? 0 : 1;
            assertThat(transfers).allSatisfy(transfer -> assertThat(rounds.cluster.broker(transfer.target()).score)
                    .as("where the receiver ends").isLessThanOrEqualTo(before.get(transfer.source())));
        }

        assertThat(sheddingRounds).isBetween(1, 5);
        assertThat(rounds.cluster.spread()).isLessThan(15);
    }

    /** Issue #24954: scores compared as whole numbers give no order, and sorting throws from 32 brokers on. */
    @Test
    void fortyBrokersCloseTogetherGiveTheSamePlanForAnyOrder() {
        Random random = new Random(24954);
        List<BrokerLoad> brokers = new ArrayList<>(Cluster.of(IntStream.range(0, 40).mapToObj(i -> String.format(
                "b%02d %.1f %.0f {40x%.0f}", i, 20 + 0.6 * i, 1000 * (20 + 0.6 * i), 25 * (20 + 0.6 * i)))
                .collect(Collectors.joining(", "))).snapshot(Map.of()).brokers());
        Set<List<Transfer>> plans = new HashSet<>();
        for (int order = 0; order < 20; order++) {
            Collections.shuffle(brokers, random);
            Shedder shedder = new Shedder(new Random(1));
            Round round = null;
            for (int i = 1; i <= 8; i++) {
                round = shedder.round(ClusterSnapshot.of(brokers), Settings.defaults(), i * Rounds.MINUTE);
            }
            plans.add(round.transfers());
            assertThat(Rounds.plan(round)).endsWith("9 b34>b05, 9 b35>b04, 10 b36>b03, 10 b37>b02, 10 b38>b01, 11 b39>b00");
        }

        assertThat(plans).hasSize(1);
    }

    /** B has 20 points on its way, and C is the coldest by then. */
    @Test
    void whatIsOnTheWayCountsForWhoIsTheColdest() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 30 6000, C 35 7000");
        rounds.run(1);
        assertThat(rounds.place("t/n/new", Cluster.load("new", 4000), true).broker()).isEqualTo("B");
        rounds.run(1);

        assertThat(rounds.verdict("A").cold()).isEqualTo("C");
    }

    @Test
    void brokersThatScoreTheSameAreOrderedByName() {
        Rounds rounds = Rounds.of("d 80 20000 {20x1000}, b 30 2000, c 80 20000 {20x1000}, a 30 2000, "
                + "e 55 10000, f 55 10000");

        assertThat(rounds.run(2)).isEqualTo("2: 9 c>b, 9 d>a");
        assertThat(rounds.last().brokers()).extracting(BrokerScore::broker)
                .containsExactly("d", "c", "f", "e", "b", "a");
    }

    @Test
    void whoTheFiltersKeepApartIsNotPairedAgain() {
        Rounds rounds = Rounds.of("A 80 20000 {20xg1/a:1000}, B 30 7500 {20xg1/b:375}, D 70 17500 {20xg2/d:875}, "
                + "C 10 2500 {20xg2/c:125}").moving()
                .candidates((bundle, broker) -> (bundle.startsWith("t/g1/") ? "AB" : "CD").contains(broker));

        assertThat(rounds.run(2)).as("nothing is known yet").isEqualTo("2: 9 A>C, 6 D>B");
        assertThat(rounds.placed.values()).extracting(Placed::broker).containsOnly("B", "C");
        assertThat(rounds.run(28)).doesNotContain("A>C", "D>B");
        assertThat(rounds.cluster.scores()).isEqualTo("A 56.0, B 54.0, C 41.5, D 38.5");
    }

    @Test
    void groupsWithoutLearntRefusalsAreServedByTheirOwnOnceTheOthersAreKnown() {
        Rounds rounds = Rounds.of("A 80 20000 {20xg1/a:1000}, B 30 7500 {20xg1/b:375}, D 70 17500 {20xg2/d:875}, "
                + "C 10 2500 {20xg2/c:125}")
                .candidates((bundle, broker) -> (bundle.startsWith("t/g1/") ? "AB" : "CD").contains(broker));
        rounds.run(2);

        String later = rounds.run(28);
        assertThat(later).contains("A>B", "D>C").doesNotContain("A>C", "D>B");
    }
}
