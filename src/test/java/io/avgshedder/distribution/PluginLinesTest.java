package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.distribution.PluginLines.Transfer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PluginLinesTest {

    private static final String INFO = "2026-01-01T00:00:00,000+0000 [main] INFO  io.avgshedder.AvgShedder - ";

    @Test
    void keepsOnlyThePluginsOwnLines() {
        String ours = INFO + "Round 2 moves a/b/0x00000000_0x10000000 from 127.0.0.1:1 to 127.0.0.1:2";
        String others = ours.replace("io.avgshedder.", "org.apache.pulsar.broker.loadbalance.impl.");

        assertThat(PluginLines.of(List.of(others, ours, "")).all()).containsExactly(ours);
    }

    @Test
    void readsATransferAndNotItsHeading() {
        PluginLines lines = PluginLines.of(List.of(
                INFO + "Round 2 moves 1 bundles; scores 127.0.0.1:1 80.0 msgRate, 127.0.0.1:2 0.0 msgRate",
                INFO + "Round 2 moves a/b/0x00000000_0x10000000 from 127.0.0.1:1 to 127.0.0.1:2"));

        assertThat(lines.transfers()).containsExactly(
                new Transfer("a/b/0x00000000_0x10000000", "127.0.0.1:1", "127.0.0.1:2"));
    }

    @Test
    void tellsTheLatestRound() {
        assertThat(PluginLines.of(List.of()).latestRound()).isZero();
        assertThat(PluginLines.of(List.of(INFO + "Round 9 SETTLING x", INFO + "Round 10 SETTLING x")).latestRound())
                .isEqualTo(10);
    }

    @Test
    void tellsPlansOfADryRunFromMovesAndBothByRound() {
        PluginLines lines = PluginLines.of(List.of(
                INFO + "Round 2 DRY_RUN 127.0.0.1:1 -> 127.0.0.1:2: cpu gap 50.0 >= 40, hits 2/2: would move 1 bundle",
                INFO + "Round 2 would move a/b/0x00000000_0x10000000 from 127.0.0.1:1 to 127.0.0.1:2",
                INFO + "Round 3 moves a/b/0x00000000_0x10000000 from 127.0.0.1:1 to 127.0.0.1:3"));

        Transfer planned = new Transfer("a/b/0x00000000_0x10000000", "127.0.0.1:1", "127.0.0.1:2");
        assertThat(lines.plansByRound()).containsOnly(Map.entry(2, List.of(planned)));
        assertThat(lines.transfersByRound()).containsOnlyKeys(3);
        assertThat(lines.verdicts("DRY_RUN")).containsExactly(new PluginLines.Verdict(
                Instant.parse("2026-01-01T00:00:00Z"), 2, "DRY_RUN",
                "127.0.0.1:1 -> 127.0.0.1:2: cpu gap 50.0 >= 40, hits 2/2: would move 1 bundle"));
        assertThat(lines.verdicts("MOVED")).isEmpty();
    }

    @Test
    void findsHowABundlesStoryEnded() {
        String ending = INFO + "Round 3: a/b/0x00000000_0x10000000 is on 127.0.0.1:2, 60 s after its plan";
        PluginLines lines = PluginLines.of(List.of(
                INFO + "Round 2 moves a/b/0x00000000_0x10000000 from 127.0.0.1:1 to 127.0.0.1:2",
                INFO + "Placing a/b/0x00000000_0x10000000 on 127.0.0.1:2: PLANNED", ending));

        assertThat(lines.endings("a/b/0x00000000_0x10000000")).containsExactly(ending);
        assertThat(lines.endings("a/b/0x10000000_0x20000000")).isEmpty();
    }
}
