package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lookups of sixteen threads while rounds plan: nothing is thrown, nobody waits for ever, every planned bundle goes where
 * the plan said, and what is remembered adds up. Without the lock of {@link Placement} each of these breaks within a
 * second. The seed is in the name of a failure; what the threads do depends on it, how they meet does not.
 */
class PlacementStressTest {

    private static final int THREADS = 16;
    private static final int LOOKUPS = 1_000;
    private static final int BUNDLES = 50;
    private static final int ROUNDS = 60;
    /** Rounds are three milliseconds apart, and whoever gave or took settles within two. */
    private static final Settings SETTINGS = Settings.builder().thresholds(1, 1).hitCounts(1, 1)
            .quietPeriod(false).hostUsageIntervalMillis(1).maxUnloadsPerRound(20).build();
    /** Lookups come after all rounds, so that no report proves that something has arrived. */
    private static final long LOOKUP_TIME = 1_000;
    private static final String CLUSTER = "A 80 8000 {200x40}, B 20 2000, C 21 2100, D 79 7900 {200x39.5}";

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void lookupsAndRoundsDoNotDisturbEachOther(long seed) {
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> race(seed));
    }

    private static void race(long seed) throws Exception {
        Shedder shedder = new Shedder(new Random(seed));
        Placement placement = shedder.placement();
        List<BrokerLoad> brokers = Cluster.of(CLUSTER).snapshot(Map.of()).brokers();
        CyclicBarrier start = new CyclicBarrier(THREADS + 1);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(seed * 1_000 + thread);
                int number = thread;
                all.add(pool.submit(lookups(placement, brokers, random, number, start)));
            }
            all.add(pool.submit(rounds(shedder, start)));
            for (Future<?> one : all) {
                try {
                    one.get();
                } catch (ExecutionException e) {
                    throw new AssertionError("seed " + seed + ": " + e.getCause(), e.getCause());
                }
            }
        } finally {
            pool.shutdownNow();
        }
        List<Placement.LiveTarget> planned = placement.liveTargets(LOOKUP_TIME);
        assertThat(planned).as("seed %d: several rounds planned", seed).hasSizeGreaterThan(20);
        planned.forEach(live -> follow(placement, live, brokers));
        assertThat(placement.inFlightCount()).as("seed %d: each bundle counts once", seed)
                .isEqualTo(THREADS * BUNDLES + planned.size());
    }

    /** A planned bundle is looked up. */
    private static void follow(Placement placement, Placement.LiveTarget live, List<BrokerLoad> brokers) {
        BrokerLoad target = brokers.stream().filter(broker -> broker.name().equals(live.target())).findFirst()
                .orElseThrow();
        assertThat(placement.placeAsPlanned(live.bundle(), true, target, SETTINGS, LOOKUP_TIME))
                .as("%s", live).isEqualTo(new Placed(live.target(), PlacementReason.PLANNED));
        assertThat(live.target()).isIn("B", "C");
    }

    /** Each thread asks for its own unplanned bundles, and for planned ones that the others ask for as well. */
    private static Callable<Void> lookups(Placement placement, List<BrokerLoad> brokers, Random random, int thread,
                                          CyclicBarrier start) {
        List<Object> identities = new ArrayList<>();
        for (int i = 0; i < BUNDLES; i++) {
            identities.add("thread " + thread + " bundle " + i);
        }
        return () -> {
            start.await();
            for (int i = 0; i < LOOKUPS; i++) {
                Object identity = identities.get(i < BUNDLES ? i : random.nextInt(BUNDLES));
                Placed placed = placement.place(new Placement.Question(null, identity, Cluster.load("", 1), true),
                        brokers, SETTINGS, LOOKUP_TIME);
                assertThat(placed.broker()).isIn("A", "B", "C", "D");
                List<Placement.LiveTarget> planned = placement.liveTargets(LOOKUP_TIME);
                if (!planned.isEmpty()) {
                    follow(placement, planned.get(random.nextInt(planned.size())), brokers);
                }
            }
            return null;
        };
    }

    private static Callable<Void> rounds(Shedder shedder, CyclicBarrier start) {
        Cluster cluster = Cluster.of(CLUSTER);
        Map<String, Long> unloaded = new HashMap<>();
        return () -> {
            start.await();
            for (int round = 1; round <= ROUNDS; round++) {
                long now = 3L * round;
                cluster.write(now);
                shedder.round(cluster.snapshot(unloaded), SETTINGS, now).transfers()
                        .forEach(transfer -> unloaded.put(transfer.bundle(), now));
            }
            return null;
        };
    }
}
