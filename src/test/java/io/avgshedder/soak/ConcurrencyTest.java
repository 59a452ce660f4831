package io.avgshedder.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.common.collect.Multimap;
import io.avgshedder.AvgShedder;
import io.avgshedder.core.Placement;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.SharedState;
import io.avgshedder.pulsar.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rounds, lookups of many threads, reports that arrive, settings that change and leaders that follow each other, all at
 * once: nothing is thrown, nobody waits for ever, and every bundle of a live plan goes where the plan said. What the
 * threads do depends on the seed, how they meet does not.
 */
class ConcurrencyTest {

    private static final int LOOKUP_THREADS = 8;
    private static final int ROUNDS = 60;
    private static final int TERMS = 5;
    private static final int BUNDLES = 200;
    private static final long MINUTE = 60_000;
    private static final List<String> BROKERS = List.of("a:1", "b:1", "c:1", "d:1");

    private final RandomCluster.Clock clock = new RandomCluster.Clock();
    private TimeSource clockBefore;
    private PluginFailures failures;

    @BeforeEach
    void setUp() {
        clock.now = 1_700_000_000_000L;
        clockBefore = PluginClock.use(clock);
        failures = new PluginFailures();
    }

    @AfterEach
    void tearDown() {
        failures.close();
        PluginClock.use(clockBefore);
    }

    /** One leader's term: load data of its own, and plugin objects that are new or those of the term before. */
    private record Term(LoadData loadData, AvgShedder shedding, AvgShedder placing) {
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void roundsLookupsReportsSettingsAndLeadersMeet(long seed) {
        assertTimeoutPreemptively(Duration.ofMinutes(3), () -> race(seed));
        failures.check();
    }

    private void race(long seed) throws Exception {
        ServiceConfiguration conf = new ServiceConfiguration();
        conf.setProperties(new java.util.Properties());
        conf.getProperties().setProperty("loadBalancerAvgShedderQuietPeriod", "false");
        conf.setLoadBalancerAvgShedderLowThreshold(5);
        conf.setLoadBalancerAvgShedderHitCountLowThreshold(1);
        conf.setLoadBalancerSheddingGracePeriodMinutes(1);
        AtomicReference<Term> term = new AtomicReference<>(term(new AvgShedder()));
        ExecutorService pool = Executors.newFixedThreadPool(LOOKUP_THREADS + 2);
        List<Future<?>> others = new ArrayList<>();
        try {
            for (int thread = 0; thread < LOOKUP_THREADS; thread++) {
                others.add(pool.submit(lookups(term, conf, new Random(seed * 100 + thread))));
            }
            others.add(pool.submit(operator(conf, new Random(seed))));
            others.add(pool.submit(reports(term, new Random(-seed))));
            int planned = 0;
            for (int number = 0; number < TERMS; number++) {
                planned += serve(term.get(), conf);
                term.set(term(number % 2 == 0 ? term.get().placing : new AvgShedder()));
            }
            assertThat(planned).as("seed %d: bundles planned", seed).isGreaterThan(20);
        } finally {
            pool.shutdownNow();
        }
        for (Future<?> other : others) {
            other.get();
        }
    }

    private static Term term(AvgShedder placing) {
        LoadData loadData = new LoadData();
        for (int broker = 0; broker < BROKERS.size(); broker++) {
            LocalBrokerData report = new LocalBrokerData("http://" + BROKERS.get(broker), null, null, null);
            Map<String, NamespaceBundleStats> stats = new ConcurrentHashMap<>();
            for (int i = 0; broker < 2 && i < BUNDLES; i++) {
                NamespaceBundleStats figures = new NamespaceBundleStats();
                figures.msgRateIn = 50;
                figures.msgThroughputIn = 50_000;
                String name = String.format("t/n%d/0x%08x_0x%08x", broker, i * 0x100, (i + 1) * 0x100);
                stats.put(name, figures);
                BundleData data = new BundleData(10, 1000);
                data.update(figures);
                loadData.getBundleData().put(name, data);
            }
            report.setLastStats(stats);
            report.setBundles(ConcurrentHashMap.newKeySet());
            report.getBundles().addAll(stats.keySet());
            report.setNumBundles(stats.size());
            report.setCpu(new ResourceUsage(broker < 2 ? 70 : 20, 100));
            report.setMsgRateIn(broker < 2 ? 10_000 : 2_000);
            report.setMsgThroughputIn(broker < 2 ? 10_000_000 : 2_000_000);
            loadData.getBrokerData().put(BROKERS.get(broker), new BrokerData(report));
        }
        return new Term(loadData, new AvgShedder(), placing);
    }

    /** Rounds of one leader; each bundle that is planned is asked for where the plan says it goes. */
    private int serve(Term term, ServiceConfiguration conf) {
        int planned = 0;
        for (int round = 0; round < ROUNDS; round++) {
            clock.now += MINUTE;
            Multimap<String, String> unloads = term.shedding.findBundlesForUnloading(term.loadData, conf);
            Map<String, String> targets = new ConcurrentHashMap<>();
            for (Placement.LiveTarget live : SharedState.of(term.loadData).liveTargets()) {
                targets.put(live.bundle(), live.target());
            }
            for (String bundle : unloads.values()) {
                assertThat(targets).as("no planned bundle is without its target").containsKey(bundle);
                BundleData data = term.loadData.getBundleData().get(bundle);
                Optional<String> answer = term.placing.selectBroker(Set.copyOf(BROKERS), data, term.loadData, conf);
                assertThat(answer).as("the place of %s", bundle).contains(targets.get(bundle));
                term.loadData.getRecentlyUnloadedBundles().put(bundle, clock.now);
                planned++;
            }
        }
        return planned;
    }

    private static Callable<Void> lookups(AtomicReference<Term> term, ServiceConfiguration conf, Random random) {
        return () -> {
            while (!Thread.currentThread().isInterrupted()) {
                Term now = term.get();
                List<BundleData> all = List.copyOf(now.loadData.getBundleData().values());
                BundleData data = random.nextBoolean() ? new BundleData(10, 1000) : all.get(random.nextInt(all.size()));
                assertThat(now.placing.selectBroker(Set.copyOf(BROKERS), data, now.loadData, conf)).isPresent();
            }
            return null;
        };
    }

    private static Callable<Void> operator(ServiceConfiguration conf, Random random) {
        return () -> {
            while (!Thread.currentThread().isInterrupted()) {
                conf.setLoadBalancerAvgShedderHighThreshold(20 + random.nextInt(40));
                conf.getProperties().setProperty("loadBalancerAvgShedderPlan", random.nextBoolean() ? "level" : "pairs");
                conf.getProperties().setProperty("loadBalancerAvgShedderMaxUnloadsPerRound",
                        random.nextInt(4) == 0 ? "many" : String.valueOf(1 + random.nextInt(50)));
                Thread.onSpinWait();
            }
            return null;
        };
    }

    /** Reports are rewritten where they are, as the load manager's other threads do. */
    private static Callable<Void> reports(AtomicReference<Term> term, Random random) {
        return () -> {
            long time = 1;
            while (!Thread.currentThread().isInterrupted()) {
                LoadData loadData = term.get().loadData;
                String name = BROKERS.get(random.nextInt(BROKERS.size()));
                LocalBrokerData report = loadData.getBrokerData().get(name).getLocalData();
                report.setLastUpdate(time++);
                loadData.getBrokerData().put(name, new BrokerData(report));
            }
            return null;
        };
    }
}
