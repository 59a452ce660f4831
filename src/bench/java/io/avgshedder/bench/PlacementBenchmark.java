package io.avgshedder.bench;

import io.avgshedder.AvgShedder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.broker.loadbalance.impl.LeastResourceUsageWithWeight;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * One call of {@code selectBroker} with every broker as a candidate, in a hot cluster after one round: for bundles that
 * the round has planned, one after the other, or for ten thousand that it has not.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlacementBenchmark {

    private static final int UNPLANNED = 10_000;
    private static final int FIRST_LOOKUPS = 500;

    @Param({"10x1000"})
    public String size;

    private final ServiceConfiguration conf = Configurations.with(Map.of());
    private final AvgShedder plugin = new AvgShedder();
    private org.apache.pulsar.broker.loadbalance.impl.AvgShedder builtIn;
    private final ModularLoadManagerStrategy leastUsage = new LeastResourceUsageWithWeight();
    private LoadData loadData;
    private Set<String> candidates;
    private final List<BundleData> planned = new ArrayList<>();
    private final List<BundleData> unplanned = new ArrayList<>();
    private int next;

    @Setup
    public void fill() {
        LoadedCluster cluster = LoadedCluster.of(size, LoadedCluster.State.HOT);
        loadData = cluster.loadData();
        candidates = new HashSet<>(cluster.brokers());
        Set<String> moving = new HashSet<>(plugin.findBundlesForUnloading(loadData, conf).values());
        loadData.getBundleData().forEach((name, data) -> {
            if (moving.contains(name)) {
                planned.add(data);
            } else if (unplanned.size() < UNPLANNED) {
                unplanned.add(data);
            }
        });
    }

    @Setup(Level.Iteration)
    public void forget() {
        builtIn = new org.apache.pulsar.broker.loadbalance.impl.AvgShedder();
    }

    private BundleData next(List<BundleData> bundles) {
        next = next + 1 < bundles.size() ? next + 1 : 0;
        return bundles.get(next);
    }

    @Benchmark
    public Object planned() {
        return plugin.selectBroker(candidates, next(planned), loadData, conf);
    }

    @Benchmark
    public Object unplanned() {
        return plugin.selectBroker(candidates, next(unplanned), loadData, conf);
    }

    /** Each bundle is new to it: it remembers what it answered, and answers that again. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OperationsPerInvocation(FIRST_LOOKUPS)
    public void builtIn(Blackhole answers) {
        for (int i = 0; i < FIRST_LOOKUPS; i++) {
            answers.consume(builtIn.selectBroker(candidates, unplanned.get(i), loadData, conf));
        }
    }

    @Benchmark
    public Object leastUsage() {
        return leastUsage.selectBroker(candidates, next(unplanned), loadData, conf);
    }
}
