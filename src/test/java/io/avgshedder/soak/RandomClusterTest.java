package io.avgshedder.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.Round;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.telemetry.RoundListeners;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The plugin as the load manager calls it, through random rounds of random clusters, each held to its promises.
 *
 * <p>{@code mvn -Psoak} takes a million rounds; {@code -Dsoak.rounds} and {@code -Dsoak.seed} say how many and from where.
 * A failure names the seed of its cluster, which alone repeats it.
 */
class RandomClusterTest {

    private static final int LONGEST = 250;
    private static final int MOST_FAILURES = 10;

    @Test
    void everyRoundKeepsItsPromises() {
        int rounds = Integer.getInteger("soak.rounds", 20_000);
        long first = Long.getLong("soak.seed", 1L);
        RandomCluster.Clock clock = new RandomCluster.Clock();
        List<Round> told = new ArrayList<>();
        List<AssertionError> broken = new ArrayList<>();
        long moved = 0;
        int taken = 0;
        long seed = first;
        TimeSource before = PluginClock.use(clock);
        try (RoundListeners.Subscription listening = RoundListeners.subscribe(told::add);
                PluginFailures failures = new PluginFailures()) {
            for (; taken < rounds && broken.size() < MOST_FAILURES; seed++) {
                int number = 0;
                try {
                    RandomCluster cluster = new RandomCluster(seed, clock, told);
                    int most = Math.min(LONGEST, 2_000 / (1 + cluster.brokers.size()));
                    while (number < most && taken < rounds) {
                        number++;
                        taken++;
                        cluster.change();
                        cluster.round();
                        failures.check();
                        moved += cluster.planned.size();
                    }
                    cluster.calmDown();
                    failures.check();
                } catch (Throwable failure) {
                    broken.add(new AssertionError("Round " + number + " of the cluster of seed " + seed + ": "
                            + failure.getMessage() + "; again by mvn -Psoak -Dsoak.rounds=" + Math.max(1, number)
                            + " -Dsoak.seed=" + seed, failure));
                    failures.clear();
                }
            }
        } finally {
            PluginClock.use(before);
        }
        System.out.printf("%,d rounds of the clusters of the seeds %d to %d, %,d moves%n", taken, first, seed - 1, moved);

        assertThat(broken).isEmpty();
        assertThat(moved).as("moves").isGreaterThan(taken / 10);
    }
}
