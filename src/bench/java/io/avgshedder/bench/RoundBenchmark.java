package io.avgshedder.bench;

import io.avgshedder.AvgShedder;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;
import org.apache.pulsar.broker.loadbalance.impl.UniformLoadShedder;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One call of {@code findBundlesForUnloading}. One hit is enough, so that every pair fires in every round of a hot
 * cluster; this plugin runs dry, so that every round finds the cluster as the one before did: it reads, decides, says and
 * counts everything, and only does not remember the 200 targets at most.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RoundBenchmark {

    @Param({"10x1000"})
    public String size;

    @Param({"HOT", "LEVEL"})
    public LoadedCluster.State state;

    private LoadData loadData;
    private final ServiceConfiguration pairsConf = configuration("pairs");
    private final ServiceConfiguration levelConf = configuration("level");
    private final LoadSheddingStrategy plugin = new AvgShedder();
    private final LoadSheddingStrategy builtIn = new org.apache.pulsar.broker.loadbalance.impl.AvgShedder();
    private final LoadSheddingStrategy threshold = new ThresholdShedder();
    private final LoadSheddingStrategy uniform = new UniformLoadShedder();

    private static ServiceConfiguration configuration(String plan) {
        return Configurations.with(Map.of("loadBalancerAvgShedderPlan", plan, "loadBalancerAvgShedderDryRun", "true"));
    }

    @Setup
    public void fill() {
        loadData = LoadedCluster.of(size, state).loadData();
    }

    @Benchmark
    public Object pairs() {
        return plugin.findBundlesForUnloading(loadData, pairsConf);
    }

    @Benchmark
    public Object level() {
        return plugin.findBundlesForUnloading(loadData, levelConf);
    }

    @Benchmark
    public Object builtIn() {
        return builtIn.findBundlesForUnloading(loadData, pairsConf);
    }

    @Benchmark
    public Object threshold() {
        return threshold.findBundlesForUnloading(loadData, pairsConf);
    }

    @Benchmark
    public Object uniform() {
        return uniform.findBundlesForUnloading(loadData, pairsConf);
    }

    /** The least that anyone who looks at the bundles has to do: reads each one's short-term data once. */
    @Benchmark
    public double floor() {
        double sum = 0;
        for (BundleData bundle : loadData.getBundleData().values()) {
            TimeAverageMessageData shortTerm = bundle.getShortTermData();
            sum += shortTerm.getMsgRateIn() + shortTerm.getMsgRateOut() + shortTerm.getMsgThroughputIn()
                    + shortTerm.getMsgThroughputOut();
        }
        return sum;
    }
}
