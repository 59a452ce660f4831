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
    void aClusterOfOneOrOfNobodyIsNoError() {
        assertThat(Rounds.of("A 90 20000 {20x1000}").run(3)).isEqualTo("nothing");
        Round nobody = new Shedder(new Random(1)).round(ClusterSnapshot.of(List.of()), Settings.defaults(), 0);
        assertThat(nobody.verdicts()).isEmpty();
    }

    @Test
    void whatACallerChangesLaterDoesNotReachASnapshot() {
        Map<String, Long> unloaded = new TreeMap<>(Map.of("t/n/x", 1L));
        ClusterSnapshot snapshot = new ClusterSnapshot(List.of(), new java.util.HashSet<>(), unloaded);
        unloaded.clear();

        assertThat(snapshot.unloaded()).containsExactly(entry("t/n/x", 1L));
    }
}
