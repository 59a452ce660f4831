package io.avgshedder.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Multimap;
import io.avgshedder.AvgShedder;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Metrics in the registry that a broker shows under {@code /metrics}, and the plugin over JMX. */
class TelemetryIT {

    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static int days;

    private final ManualTime time = new ManualTime();
    private final ServiceConfiguration conf = new ServiceConfiguration();
    private final LoadSheddingStrategy plugin = new AvgShedder();
    private final Set<ObjectName> namesBefore = names();
    private TimeSource clockBefore;

    /** Load managers of other tests may not be collected yet; they must not seem to lead any more. */
    @BeforeEach
    void setTheClock() {
        time.advanceMinutes(++days * 1_440);
        clockBefore = PluginClock.use(time);
    }

    @AfterEach
    void giveTheClockBack() {
        PluginClock.use(clockBefore);
    }

    private static ReportedCluster threeBrokers() {
        return new ReportedCluster().broker("A", 80, 20_000, ReportedCluster.bundles("t/ns", 11, 900))
                .broker("B", 30, 2_000, Map.of()).broker("C", 50, 10_000, Map.of());
    }

    private Multimap<String, String> round(ReportedCluster cluster) {
        time.advanceMinutes(1);
        cluster.rewriteReports();
        return plugin.findBundlesForUnloading(cluster.loadData, conf);
    }

    private static Double sample(String name, String... labelsAndValues) {
        String[] labels = new String[labelsAndValues.length / 2];
        String[] values = new String[labels.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = labelsAndValues[2 * i];
            values[i] = labelsAndValues[2 * i + 1];
        }
        return CollectorRegistry.defaultRegistry.getSampleValue("pulsar_avg_shedder_" + name, labels, values);
    }

    private static Set<ObjectName> names() {
        try {
            return new HashSet<>(SERVER.queryNames(new ObjectName("io.avgshedder:type=AvgShedder,name=*"), null));
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    /** The beans that this test made, in no order. */
    private Set<ObjectName> newNames() {
        Set<ObjectName> names = names();
        names.removeAll(namesBefore);
        return names;
    }

    private static List<String> lines(ObjectName name, String attribute) {
        try {
            return List.of((String[]) SERVER.getAttribute(name, attribute));
        } catch (JMException e) {
            throw new AssertionError(attribute, e);
        }
    }

    @Test
    void theLeadersFiguresAreInTheDefaultRegistryUntilItLeadsNoMore() {
        ReportedCluster cluster = threeBrokers();
        round(cluster);
        double transfers = sample("transfers_total", "reason", "MOVED");
        double planned = sample("placements_total", "reason", "PLANNED");
        String bundle = round(cluster).get("A").iterator().next();
        ((ModularLoadManagerStrategy) plugin).selectBroker(Set.of("A", "B", "C"), cluster.bundle(bundle),
                cluster.loadData, conf);

        assertThat(sample("leader")).isEqualTo(1);
        assertThat(sample("score", "broker", "A", "metric", "cpu")).isEqualTo(80);
        assertThat(sample("gap", "rank", "1")).isEqualTo(50);
        assertThat(sample("hits", "rank", "1", "level", "high")).isEqualTo(2);
        assertThat(sample("shed_targets")).isEqualTo(10);
        assertThat(sample("transfers_total", "reason", "MOVED")).isEqualTo(transfers + 10);
        assertThat(sample("placements_total", "reason", "PLANNED")).isEqualTo(planned + 1);
        assertThat(sample("oldest_report_age_seconds")).isZero();
        assertThat(sample("round_duration_seconds")).isPositive();

        time.advanceMinutes(3);
        assertThat(sample("leader")).isZero();
        assertThat(sample("score", "broker", "A", "metric", "cpu")).isNull();
        assertThat(sample("gap", "rank", "1")).isNull();
        assertThat(sample("shed_targets")).isNull();
        assertThat(sample("transfers_total", "reason", "MOVED")).isEqualTo(transfers + 10);
    }

    @Test
    void theBudgetIsShownAsUsedAndLimit() {
        conf.getProperties().setProperty("loadBalancerAvgShedderMaxUnloads", "cluster=3/10m, source=5/10m");
        ReportedCluster cluster = threeBrokers();
        round(cluster);
        assertThat(round(cluster).size()).isEqualTo(3);

        assertThat(sample("budget_used", "scope", "cluster")).isEqualTo(3);
        assertThat(sample("budget_limit", "scope", "cluster")).isEqualTo(3);
        assertThat(sample("budget_used", "scope", "source")).isEqualTo(3);
        assertThat(sample("budget_limit", "scope", "target")).isNull();
        assertThat(lines(newNames().iterator().next(), "Budget"))
                .containsExactly("cluster 3/10m: 3 used", "source 5/10m of A: 3 used");
    }

    @Test
    void aBeanTellsOfSettingsRoundsAndTargets() {
        ReportedCluster cluster = threeBrokers();
        round(cluster);
        round(cluster);

        assertThat(newNames()).hasSize(1);
        ObjectName name = newNames().iterator().next();
        assertThat(lines(name, "Settings")).contains("loadBalancerAvgShedderPlan=pairs (default)",
                "loadBalancerBrokerOverloadedThresholdPercentage=85 (broker)");
        assertThat(lines(name, "Rounds")).startsWith("Round 2 at " + Instant.ofEpochMilli(time.millis())
                + ": moves 10 bundles",
                "  MOVED A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles, forecast 55.0 / 55.0");
        assertThat(lines(name, "ShedTargets")).hasSize(10)
                .contains("t/ns/0x00000000_0x00001000 from A to B, for 0 s");
    }

    @Test
    void everyLoadManagerOfAProcessHasABeanAsLongAsItLives() {
        ReportedCluster kept = threeBrokers();
        round(kept);
        ObjectName keptName = newNames().iterator().next();
        round(threeBrokers());

        await().until(() -> {
            System.gc();
            return newNames().equals(Set.of(keptName));
        });
        assertThat(round(kept).size()).isEqualTo(10);
        assertThat(lines(keptName, "Rounds")).isNotEmpty();
    }

    @Test
    void aBrokerWithoutThePrometheusClientMissesNothingElse() throws ReflectiveOperationException {
        double rounds = rounds();
        ReportedCluster cluster = threeBrokers();
        LoadSheddingStrategy other = (LoadSheddingStrategy) new WithoutPrometheus()
                .loadClass(AvgShedder.class.getName()).getConstructor().newInstance();
        assertThat(other).isNotInstanceOf(AvgShedder.class);

        other.findBundlesForUnloading(cluster.loadData, conf);
        cluster.rewriteReports();
        assertThat(other.findBundlesForUnloading(cluster.loadData, conf).size()).isEqualTo(10);

        assertThat(rounds()).isEqualTo(rounds);
        assertThat(newNames()).hasSize(1);
        assertThat(lines(newNames().iterator().next(), "Rounds").get(0)).endsWith("moves 10 bundles");
    }

    private double rounds() {
        return sample("rounds_total") == null ? 0 : sample("rounds_total");
    }

    /** Defines the plugin's classes anew, for which there is no {@code io.prometheus}. */
    private static final class WithoutPrometheus extends ClassLoader {

        private WithoutPrometheus() {
            super(AvgShedder.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (name.startsWith("io.prometheus.")) {
                    throw new ClassNotFoundException(name);
                }
                if (!name.startsWith("io.avgshedder.")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                return known == null ? define(name) : known;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
