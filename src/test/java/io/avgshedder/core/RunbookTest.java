package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.Runbook;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The runbook explains every reason and quotes what rounds say of it. Each quote is compared with what a cluster in that
 * state is really told; a reason without a state here does not compile, and one without a section fails.
 */
class RunbookTest {

    private static final String ACTION = "**Do:** ";
    private static final String ENDINGS = "How a bundle's story ends";
    private static final String HOT = "broker-1:8080";
    private static final String COLD = "broker-2:8080";
    private static final String OTHER = "broker-3:8080";
    /** One hot broker and a cold one that can take ten of its bundles. */
    private static final String TWO = HOT + " 80 20000 {11x900}, " + COLD + " 30 2000";
    private static final long HOLD_END = Instant.parse("2026-12-24T08:00:00Z").toEpochMilli();
    private static final String THREE = TWO + ", " + OTHER + " 50 10000";

    @ParameterizedTest
    @EnumSource
    void everyVerdictIsExplainedInItsOwnWords(Reason reason) {
        List<Verdict> verdicts = examples(reason);

        assertThat(verdicts).extracting(Verdict::reason).containsOnly(reason);
        assertThat(Runbook.quotes(reason.name())).containsExactlyElementsOf(
                verdicts.stream().map(verdict -> verdict.reason() + " " + verdict.sentence()).toList());
        assertThat(Runbook.section(reason.name())).anyMatch(line -> line.startsWith(ACTION));
    }

    @ParameterizedTest
    @EnumSource
    void everyPlacementReasonIsExplained(PlacementReason reason) {
        Placed placed = example(reason);

        assertThat(placed.reason()).isEqualTo(reason);
        assertThat(Runbook.quotes(reason.name()))
                .containsExactly("Placing t/n/x on " + placed.broker() + ": " + placed.reason());
        assertThat(Runbook.section(reason.name())).anyMatch(line -> line.startsWith(ACTION));
    }

    @ParameterizedTest
    @EnumSource
    void everyEndOfABundlesStoryIsQuoted(Ending.How how) {
        Ending ending = example(how);

        assertThat(ending.how()).isEqualTo(how);
        assertThat(Runbook.quotes(ENDINGS)).hasSameSizeAs(Ending.How.values())
                .contains(ending.sentence());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("notices")
    void everyNoticeIsQuoted(String heading, List<String> notices) {
        assertThat(notices).hasSize(1);
        assertThat(Runbook.quotes(heading)).isEqualTo(notices);
        assertThat(Runbook.section(heading)).anyMatch(line -> line.startsWith(ACTION));
    }

    static Stream<Arguments> notices() {
        Rounds shortage = Rounds.of(HOT + " 80 20000 {20x1000}, " + COLD + " 80 2000, " + OTHER + " 80 2000");
        shortage.next();
        shortage.cluster.brokers().forEach(broker -> broker.score = 90);
        shortage.next();

        Rounds frozen = Rounds.of(HOT + " 50 20000 {20x1000}, " + COLD + " 45 2000");
        frozen.cluster.broker(COLD).frozen = true;
        frozen.run(18);

        Rounds unknown = Rounds.of(HOT + " 50 20000 {20x1000}, " + COLD + " 45 2000, " + OTHER + " 45 2000");
        unknown.cluster.brokers().forEach(broker -> broker.usage(Metric.BANDWIDTH_IN, 10, -1)
                .usage(Metric.BANDWIDTH_OUT, 10, 100));
        unknown.next();

        Rounds expired = Rounds.of(TWO);
        expired.with(rules("shop/orders exempt until 2026-12-24T08:00:00Z"));
        expired.now = HOLD_END - 2 * Rounds.MINUTE;
        expired.run(2);
        return Stream.of(Arguments.of("Capacity is short", shortage.last().notices()),
                Arguments.of("Suspect brokers", frozen.last().notices()),
                Arguments.of("Unknown metrics", unknown.last().notices()),
                Arguments.of("Expired rules", expired.last().notices()));
    }

    // ---- verdicts

    private static Verdict said(Rounds rounds, int count) {
        rounds.run(count);
        return rounds.verdict(HOT);
    }

    private static Verdict said(String cluster, int count) {
        return said(Rounds.of(cluster), count);
    }

    private static Verdict said(String cluster, Settings.Builder settings, int count) {
        return said(Rounds.of(cluster).with(settings), count);
    }

    private static Settings.Builder limits(String limits) {
        return Settings.builder().unloadLimits(UnloadLimits.parse(limits));
    }

    private static Settings.Builder rules(String rules) {
        return Settings.builder().namespaceRules(NamespaceRules.parse(rules));
    }

    private static List<Verdict> examples(Reason reason) {
        return switch (reason) {
            case MOVED -> List.of(
                    said(THREE, 2),
                    said(THREE, limits("cluster=3/10m"), 2),
                    said(HOT + " 80 20000 {shop/orders/0x00000000_0x40000000:15600, 4x1100}, " + COLD + " 10 2000", 2),
                    helper());
            case DRY_RUN -> List.of(said(THREE, Settings.builder().dryRun(true), 2));
            case BELOW_THRESHOLD -> List.of(
                    said(HOT + " 42 20000 {20x1000}, " + COLD + " 38 19000", 1),
                    said(HOT + " 50.9 20000 {20x1000}, " + COLD + " 38 19000", 1));
            case COUNTING -> List.of(said(HOT + " 60 20000 {20x1000}, " + COLD + " 40 9000", 3), said(THREE, 1));
            case SETTLING -> List.of(said(TWO, 3), frozenAfterItGave());
            case WAITING_FOR_REPORTS -> List.of(contradicting());
            case STALE_REPORT -> List.of(stale());
            case NO_LOAD_DATA -> List.of(
                    said(HOT + " ? 20000 {20x1000}, " + COLD + " 30 2000, " + OTHER + " 30 2000", 1), incomparable());
            case NO_TRAFFIC -> List.of(said(HOT + " 80 0 {20x0}, " + COLD + " 30 0", 2));
            case NOTHING_MOVABLE -> List.of(
                    said(HOT + " 80 20000 {shop/orders/0x00000000_0x40000000:20000, 3x0}, " + COLD + " 30 2000", 2),
                    said(THREE, Settings.builder().excludedNamespaces(Set.of("t/n")), 2), givenByAnother());
            case NOTHING_FITS -> List.of(
                    said(HOT + " 80 20000 {shop/orders/0x00000000_0x40000000:15600, "
                            + "shop/orders/0x40000000_0x80000000:4400}, " + COLD + " 60 9000", 9));
            case BUNDLE_STATS_UNRELIABLE -> List.of(said(HOT + " 80 20000 {20x99}, " + COLD + " 30 2000", 2));
            case REFUSED -> List.of(refused());
            case BACKED_OFF -> List.of(failing(), futile());
            case HOLD -> List.of(said(THREE, Settings.builder().holdUntil(HOLD_END), 2));
            case QUIET_PERIOD -> quiet();
            case ROUND_CAP -> List.of(capped());
            case BUDGET -> List.of(
                    said(THREE, limits("source=0/10m"), 2),
                    spent("cluster=10/30m"), spent("namespace=10/1h"));
            case NAMESPACE_RULE -> List.of(said(THREE, rules("t/n exempt"), 2),
                    said(THREE, rules("t/n exempt until 2026-12-24T08:00:00Z"), 2), ruled());
        };
    }

    /** Three hot brokers and an empty one; the last of the three is not needed by any pair of its own. */
    private static Verdict helper() {
        Rounds rounds = Rounds.of(HOT + " 80 20000 {20x1000}, " + OTHER + " 79 20000 {20x1000}, broker-4:8080 78 20000 "
                + "{20x1000}, " + COLD + " 0 0").with(Settings.builder().plan(PlanMode.LEVEL));
        rounds.run(2);
        return rounds.last().verdicts().stream().filter(verdict -> verdict.sentence().contains("helps to level"))
                .findFirst().orElseThrow();
    }

    private static Verdict frozenAfterItGave() {
        Rounds rounds = Rounds.of(TWO);
        rounds.cluster.broker(HOT).frozen = true;
        return said(rounds, 6);
    }

    private static Verdict contradicting() {
        Rounds rounds = Rounds.of(HOT + " 55 20000 40M {10x2000}, " + COLD + " 25 60000 120M {30x2000}");
        rounds.next();
        rounds.cluster.freeze(true);
        return said(rounds, 8);
    }

    private static Verdict stale() {
        Rounds rounds = Rounds.of(HOT + " 50 20000 {20x1000}, " + COLD + " 45 2000");
        rounds.cluster.broker(HOT).frozen = true;
        return said(rounds, 18);
    }

    private static Verdict incomparable() {
        Rounds rounds = Rounds.of(HOT + " 80 20000 {20x1000}, " + COLD + " ? 20000");
        rounds.cluster.broker(COLD).usage(Metric.BANDWIDTH_IN, 20, 100);
        return said(rounds, 1);
    }

    private static Verdict givenByAnother() {
        Rounds rounds = Rounds.of(OTHER + " 91 9000 {x:3000, 6x1000}, " + COLD + " 10 1000, broker-4:8080 11 1000, "
                + HOT + " 90 9000 {x:3000, y:6000}");
        return said(rounds, 2);
    }

    private static Verdict refused() {
        Rounds rounds = Rounds.of(TWO).candidates((bundle, broker) -> broker.equals(HOT));
        return said(rounds, 3);
    }

    private static Verdict failing() {
        Rounds rounds = Rounds.of(HOT + " 90 10000 {large:9000, small:1000}, " + COLD + " 20 2000")
                .drops(transfer -> true);
        return said(rounds, 5);
    }

    private static Verdict futile() {
        return said(Rounds.of(HOT + " 90 20000 {40x500}, " + COLD + " 30 2000").moving(0), 8);
    }

    private static List<Verdict> quiet() {
        Rounds joined = Rounds.of(THREE);
        joined.run(1);
        joined.cluster.join("broker-4:8080 50 10000");
        Rounds restarted = Rounds.of(THREE + ", broker-4:8080 50 10000");
        restarted.next();
        restart(restarted, OTHER);
        restart(restarted, "broker-4:8080");
        Rounds crashing = Rounds.of(COLD + " 60 20000, " + OTHER + " 50 10000, " + HOT + " 50 10000");
        crashing.next();
        for (int i = 0; i < 3; i++) {
            restart(crashing, HOT);
        }
        return List.of(said(joined, 1), said(restarted, 1), said(crashing, 1));
    }

    private static void restart(Rounds rounds, String broker) {
        Cluster.Broker gone = rounds.cluster.leave(broker);
        rounds.next();
        rounds.cluster.put(gone);
        gone.restart(rounds.now);
        rounds.next();
    }

    private static Verdict capped() {
        Rounds rounds = Rounds.of(HOT + " 70 20000 {20x1000}, " + COLD + " 30 2000, " + OTHER
                + " 90 20000 {20x1000}, broker-4:8080 20 2000").with(Settings.builder().maxUnloadsPerRound(3));
        return said(rounds, 2);
    }

    /** Ten bundles move, and the pair stays as far apart. */
    private static Verdict spent(String limits) {
        return said(Rounds.of(HOT + " 80 20000 {40x500}, " + COLD + " 30 2000").with(limits(limits)), 6);
    }

    private static Verdict ruled() {
        return said(Rounds.of(HOT + " 80 20000 {40x500}, " + COLD + " 30 2000").with(rules("t/* max 4/1h")), 6);
    }

    // ---- bundles

    private static Placed example(PlacementReason reason) {
        Rounds rounds = Rounds.of(HOT + " 90 10000 {y:9000, x:1000}, " + COLD + " 20 2000, " + OTHER + " 60 6000");
        if (reason == PlacementReason.RANDOM) {
            rounds.with(Settings.builder().placement(PlacementMode.RANDOM));
        }
        rounds.run(1);
        switch (reason) {
            case PLANNED -> rounds.run(1);
            case STAYED -> rounds.drops(transfer -> true).run(1);
            case PREDICTED, RANDOM -> { }
        }
        if (reason == PlacementReason.STAYED) {
            rounds.candidates((bundle, broker) -> broker.equals(HOT));
        }
        return rounds.place("t/n/x");
    }

    private static Ending example(Ending.How how) {
        Rounds rounds = Rounds.of(HOT + " 90 10000 {t/n/0x00000000_0x80000000:9000, t/n/0x80000000_0xffffffff:1000}, "
                + COLD + " 20 2000, " + OTHER + " 60 6000");
        Map<String, Double> given = rounds.cluster.broker(HOT).bundles;
        String bundle = "t/n/0x80000000_0xffffffff";
        rounds.run(1);
        switch (how) {
            case ARRIVED -> rounds.moving().run(2);
            case STAYED -> rounds.candidates((any, broker) -> broker.equals(HOT)).run(2);
            case NOT_UNLOADED -> rounds.drops(transfer -> true).run(2);
            case BACK -> rounds.run(7);
            case UNSEEN -> {
                rounds.run(1);
                given.remove(bundle);
                rounds.run(6);
            }
            case WITHOUT_TARGET -> {
                rounds.run(1);
                rounds.cluster.leave(COLD);
                rounds.run(1);
            }
            case SPLIT -> {
                rounds.run(1);
                given.remove(bundle);
                given.put("t/n/0x80000000_0xc0000000", 500.0);
                given.put("t/n/0xc0000000_0xffffffff", 500.0);
                rounds.run(1);
            }
        }
        return rounds.last().endings().stream()
                .filter(ending -> ending.transfer().bundle().equals(bundle)).findFirst().orElseThrow();
    }
}
