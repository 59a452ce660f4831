package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a round reads, and what it says. */
class ShedderTest {

    private final Map<String, Integer> reads = new TreeMap<>();

    /** A broker that counts how often its bundles are read. */
    private BrokerLoad counting(String broker) {
        BrokerLoad load = Cluster.report(broker);
        return BrokerLoad.named(load.name()).usage(Metric.CPU, load.usage(Metric.CPU, Settings.defaults()), 100)
                .traffic(load.messages(), load.bytesIn(), load.bytesOut()).reportTime(load.reportTime())
                .bundles(load.bundleCount(), new BundleReport() {
                    @Override
                    public boolean contains(String bundle) {
                        reads.merge(load.name(), 1, Integer::sum);
                        return load.bundles().contains(bundle);
                    }

                    @Override
                    public void forEach(Consumer<? super BundleLoad> action) {
                        reads.merge(load.name(), 1, Integer::sum);
                        load.bundles().forEach(action);
                    }
                }).build();
    }

    @Test
    void aQuietRoundTouchesNoBundles() {
        Shedder shedder = new Shedder(new Random(1));
        ClusterSnapshot quiet = ClusterSnapshot.of(List.of(counting("A 44 20000 {20x1000}"),
                counting("B 30 2000 {2x1000}"), counting("C 40 2000 {2x1000}")));
        for (int i = 1; i < 20; i++) {
            assertThat(shedder.round(quiet, Settings.defaults(), i * Rounds.MINUTE).transfers()).isEmpty();
        }

        assertThat(reads).isEmpty();
    }

    @Test
    void onlyBundlesOfThoseThatMayHaveToGiveAreRead() {
        new Shedder(new Random(1)).round(ClusterSnapshot.of(List.of(counting("A 80 20000 {20x1000}"),
                counting("B 30 2000 {2x1000}"), counting("C 50 2000 {2x1000}"), counting("D 40 2000 {2x1000}"))),
                Settings.defaults(), Rounds.MINUTE);

        assertThat(reads).containsExactly(entry("A", 1));
    }

    @Test
    void aRoundSaysOneThingOfEachPairAndOfEachThatHasNone() {
        Rounds rounds = Rounds.of(Cluster.of("A 90 20000 {20x1000}, B 30 2000, C 80 20000 {20000}, D 70 20000 {20x1000}, "
                + "E 40 2000, F 55 100, X ? 100").joinWithoutData("Y"));
        rounds.run(2);

        assertThat(rounds.last().verdicts().stream().collect(Collectors.toMap(
                verdict -> verdict.hot() + ">" + verdict.cold(), Verdict::reason)))
                .isEqualTo(Map.of("A>B", Reason.MOVED, "C>null", Reason.NOTHING_MOVABLE, "D>E", Reason.COUNTING,
                        "X>null", Reason.NO_LOAD_DATA, "Y>null", Reason.NO_LOAD_DATA));
        assertThat(rounds.last().number()).isEqualTo(2);
        assertThat(rounds.last().time()).isEqualTo(rounds.now);
        assertThat(rounds.last().brokers()).extracting(BrokerScore::broker)
                .containsExactly("A", "C", "D", "F", "E", "B");
    }

    @Test
    void theOldestReportIsThatOfABrokerThatIsThere() {
        Rounds rounds = Rounds.of("A 44 20000 {20x1000}, B 40 2000");
        rounds.run(1);
        rounds.cluster.broker("B").frozen = true;
        rounds.run(3);
        assertThat(rounds.shedder.oldestReportAge()).isEqualTo(3 * Rounds.MINUTE);

        rounds.cluster.leave("B");
        rounds.run(1);
        assertThat(rounds.shedder.oldestReportAge()).isZero();
    }

    @Test
    void whatIsUsedOfTheBudgetIsShown() {
        UnloadLimits limits = UnloadLimits.parse("cluster=3/10m");
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 30 2000").with(Settings.builder().unloadLimits(limits));
        rounds.run(2);

        assertThat(rounds.shedder.budgetUse(rounds.now)).containsExactly(
                new BudgetUse(UnloadScope.CLUSTER, "", 3, limits.of(UnloadScope.CLUSTER).orElseThrow()));
    }

    /** A and B settle, and are paired after the others; what is said goes from the hottest on, d before c where equal. */
    @Test
    void pairsAreToldOfInTheOrderOfTheirHotBrokers() {
        assertThat(hotOnes("a 90 20000 {20x1000}, b 20 2000", "c 80 20000 {20x1000}, e 30 2000")).containsExactly("a", "c");
        assertThat(hotOnes("d 80 20000 {20x1000}, a 30 2000", "c 80 20000 {20x1000}, b 30 2000")).containsExactly("d", "c");
    }

    private static List<String> hotOnes(String first, String later) {
        Rounds rounds = Rounds.of(first);
        rounds.run(2);
        assertThat(rounds.last().transfers()).isNotEmpty();
        rounds.cluster.join(later);
        rounds.run(1);
        return rounds.last().verdicts().stream().map(Verdict::hot).toList();
    }

    @Test
    void aClusterOfOneOrOfNobodyIsNoError() {
        assertThat(Rounds.of("A 90 20000 {20x1000}").run(3)).isEqualTo("nothing");
        Round nobody = new Shedder(new Random(1)).round(ClusterSnapshot.of(List.of()), Settings.defaults(), 0);
        assertThat(nobody.verdicts()).isEmpty();
    }

    @Test
    void theBrokersOfASnapshotAreInTheOrderOfTheirNames() {
        assertThat(ClusterSnapshot.of(List.of(Cluster.report("B 1 1"), Cluster.report("C 1 1"), Cluster.report("A 1 1")))
                .brokers()).extracting(BrokerLoad::name).containsExactly("A", "B", "C");
    }

    @Test
    void whatACallerChangesLaterDoesNotReachASnapshot() {
        Map<String, Long> unloaded = new TreeMap<>(Map.of("t/n/x", 1L));
        ClusterSnapshot snapshot = new ClusterSnapshot(List.of(), new java.util.HashSet<>(), unloaded);
        unloaded.clear();

        assertThat(snapshot.unloaded()).containsExactly(entry("t/n/x", 1L));
    }
}
