package io.avgshedder.bench;

import io.avgshedder.AvgShedder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/**
 * How long lookups wait for a round: one thread places without a pause while another takes a round in which every pair
 * fires. For comparison the same thread places for as long while no round is taken, which shows what the machine's
 * scheduler and the garbage collector add. Rounds run dry, because the next one then finds the same cluster.
 */
final class LongestWait {

    private static final int WARM_UP_ROUNDS = 10;
    private static final int WARM_UP_PLACEMENTS = 20_000;
    private static final int MEASURED_ROUNDS = 5;

    /**
     * The longest placements of some rounds.
     *
     * @param size       of the cluster, brokers by bundles
     * @param nanos      the longest placement while a round was taken
     * @param idleNanos  the longest placement of as long a time without a round
     * @param roundNanos how long a round took, in the mean
     */
    record Result(String size, long nanos, long idleNanos, long roundNanos, long placements) {

        String text() {
            String[] parts = size.split("x");
            return String.format(Locale.ROOT, "The longest of %,d placements during %d rounds by %,d brokers and %,d "
                            + "bundles, of %s each, took %s, and the longest in as much time without a round %s.",
                    placements, MEASURED_ROUNDS, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]),
                    Bench.time(roundNanos), Bench.time(nanos), Bench.time(idleNanos));
        }
    }

    private final AvgShedder plugin = new AvgShedder();
    private final ServiceConfiguration conf = Configurations.with(Map.of("loadBalancerAvgShedderDryRun", "true"));
    private final LoadData loadData;
    private final Set<String> candidates;
    private final List<BundleData> bundles;
    private int placements;

    private LongestWait(LoadedCluster cluster) {
        loadData = cluster.loadData();
        candidates = new HashSet<>(cluster.brokers());
        bundles = new ArrayList<>(loadData.getBundleData().values()).subList(0, 1_000);
    }

    static Result measure(String size) throws InterruptedException {
        LongestWait wait = new LongestWait(LoadedCluster.of(size, LoadedCluster.State.HOT));
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            wait.round();
        }
        for (int i = 0; i < WARM_UP_PLACEMENTS; i++) {
            wait.place(i);
        }
        long longest = 0;
        long idle = 0;
        long placements = 0;
        long[] took = new long[MEASURED_ROUNDS];
        for (int i = 0; i < MEASURED_ROUNDS; i++) {
            int round = i;
            longest = Math.max(longest, wait.longestWhile(() -> {
                long start = System.nanoTime();
                wait.round();
                took[round] = System.nanoTime() - start;
            }));
            placements += wait.placements;
            idle = Math.max(idle, wait.longestWhile(() -> pause(took[round])));
        }
        return new Result(size, longest, idle, LongStream.of(took).sum() / MEASURED_ROUNDS, placements);
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private long longestWhile(Runnable action) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        long[] longest = new long[1];
        placements = 0;
        CountDownLatch placing = new CountDownLatch(1);
        Thread lookups = new Thread(() -> {
            placing.countDown();
            while (!over.get()) {
                long start = System.nanoTime();
                place(placements++);
                longest[0] = Math.max(longest[0], System.nanoTime() - start);
            }
        });
        lookups.start();
        placing.await();
        action.run();
        over.set(true);
        lookups.join();
        return longest[0];
    }

    private void round() {
        plugin.findBundlesForUnloading(loadData, conf);
    }

    private void place(int number) {
        plugin.selectBroker(candidates, bundles.get(number % bundles.size()), loadData, conf);
    }
}
