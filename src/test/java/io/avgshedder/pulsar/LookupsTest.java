package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What lookups and rounds read, and when they see that it has changed. */
class LookupsTest {

    private static final long MINUTE = 60_000;

    private final LoadData loadData = new LoadData();
    private final ServiceConfiguration conf = new ServiceConfiguration();
    private final SharedState state = SharedState.of(loadData);
    private long now = 1_000 * MINUTE;
    private TimeSource clockBefore;

    @BeforeEach
    void setTheClock() {
        conf.setProperties(new Properties());
        clockBefore = PluginClock.use(() -> now);
    }

    @AfterEach
    void giveTheClockBack() {
        PluginClock.use(clockBefore);
    }

    private LocalBrokerData join(String broker, double cpu, double bandwidth) {
        LocalBrokerData report = new LocalBrokerData();
        report.setLastUpdate(1);
        report.setCpu(new ResourceUsage(cpu, 100));
        report.setBandwidthIn(new ResourceUsage(bandwidth, 100));
        report.setMsgRateIn(100 * cpu);
        report.setMsgThroughputIn(100 * cpu * 1024);
        report.setBundles(IntStream.range(0, 100).mapToObj(i -> "other/namespace/" + i).collect(Collectors.toSet()));
        loadData.getBrokerData().put(broker, new BrokerData(report));
        return report;
    }

    private Optional<String> lookUp() {
        return state.place(Set.of("A", "B"), new BundleData(10, 1_000), loadData, conf);
    }

    @Test
    void aLookupSeesAReportThatIsChangedInPlaceAndOneThatIsReplaced() {
        LocalBrokerData report = join("A", 30, 10);
        join("B", 50, 5);
        assertThat(lookUp()).contains("A");

        report.setCpu(new ResourceUsage(70, 100));
        report.setLastUpdate(2);
        assertThat(lookUp()).contains("B");

        join("A", 20, 10);
        assertThat(lookUp()).contains("A");
    }

    @Test
    void aLookupSeesAnotherWeightAfterASecond() {
        join("A", 30, 10);
        join("B", 50, 5);
        assertThat(lookUp()).contains("A");

        conf.setLoadBalancerCPUResourceWeight(0);
        now += 1_000;
        assertThat(lookUp()).contains("B");
    }

    @Test
    void aLookupSeesAnotherWeightAtOnceWhereARoundWasTakenOrTheClockStepsBack() {
        join("A", 30, 10);
        join("B", 50, 5);
        assertThat(lookUp()).contains("A");

        conf.setLoadBalancerCPUResourceWeight(0);
        state.shed(loadData, conf);
        assertThat(lookUp()).contains("B");

        conf.setLoadBalancerCPUResourceWeight(1);
        now -= 1;
        assertThat(lookUp()).contains("A");
    }

    @Test
    void aLookupSeesAnotherConfigurationAtOnce() {
        join("A", 30, 10);
        join("B", 50, 5);
        assertThat(lookUp()).contains("A");

        ServiceConfiguration other = new ServiceConfiguration();
        other.setLoadBalancerCPUResourceWeight(0);
        assertThat(state.place(Set.of("A", "B"), new BundleData(10, 1_000), loadData, other)).contains("B");
    }

    /** Bundles of a report, which count how often somebody looks at them. */
    private static final class Watched extends HashMap<String, NamespaceBundleStats> {

        private static final long serialVersionUID = 1;
        private int looks;

        private Set<String> namesOnly() {
            return new HashSet<>(super.keySet());
        }

        @Override
        public Set<Map.Entry<String, NamespaceBundleStats>> entrySet() {
            looks++;
            return super.entrySet();
        }

        @Override
        public Set<String> keySet() {
            looks++;
            return super.keySet();
        }

        @Override
        public void forEach(BiConsumer<? super String, ? super NamespaceBundleStats> action) {
            looks++;
            super.forEach(action);
        }

        @Override
        public NamespaceBundleStats get(Object bundle) {
            looks++;
            return super.get(bundle);
        }

        @Override
        public boolean containsKey(Object bundle) {
            looks++;
            return super.containsKey(bundle);
        }
    }

    /** Names of bundles that nobody may look at. */
    private static final class Unread extends HashSet<String> {

        private static final long serialVersionUID = 1;

        @Override
        public Iterator<String> iterator() {
            throw new AssertionError("the names of bundles are read");
        }

        @Override
        public boolean contains(Object bundle) {
            throw new AssertionError("a bundle is looked for");
        }
    }

    private Watched bundles(LocalBrokerData report) {
        Watched bundles = new Watched();
        for (int i = 0; i < 10; i++) {
            NamespaceBundleStats stats = new NamespaceBundleStats();
            stats.msgRateIn = 10 * report.getCpu().usage;
            stats.msgThroughputIn = stats.msgRateIn * 1024;
            bundles.put("tenant/namespace/0x0000000" + i + "_0x0000000" + (i + 1), stats);
        }
        report.setLastStats(bundles);
        return bundles;
    }

    @Test
    void aQuietRoundAndALookupLookAtNoBundle() {
        LocalBrokerData hot = join("A", 54, 10);
        LocalBrokerData cold = join("B", 40, 10);
        Watched ofHot = bundles(hot);
        Watched ofCold = bundles(cold);
        hot.setBundles(new Unread());
        cold.setBundles(new Unread());

        for (int round = 0; round < 10; round++) {
            now += MINUTE;
            hot.setLastUpdate(now);
            cold.setLastUpdate(now);
            assertThat(state.shed(loadData, conf).isEmpty()).isTrue();
            assertThat(lookUp()).isPresent();
        }

        assertThat(ofHot.looks).isZero();
        assertThat(ofCold.looks).isZero();
    }

    @Test
    void theBundlesOfADonorAreReadOnceInARound() {
        conf.setLoadBalancerAvgShedderHitCountHighThreshold(1);
        LocalBrokerData hot = join("A", 90, 10);
        LocalBrokerData cold = join("B", 10, 10);
        Watched ofHot = bundles(hot);
        Watched ofCold = bundles(cold);
        hot.setBundles(ofHot.namesOnly());
        cold.setBundles(new Unread());

        assertThat(state.shed(loadData, conf).get("A")).hasSize(4);

        assertThat(ofHot.looks).as("one for each of ten bundles").isEqualTo(10);
        assertThat(ofCold.looks).isZero();
    }
}
