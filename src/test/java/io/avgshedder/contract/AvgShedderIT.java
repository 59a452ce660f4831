package io.avgshedder.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.Multimap;
import io.avgshedder.AvgShedder;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.SharedState;
import io.avgshedder.pulsar.TimeSource;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two interfaces, as a load manager of any supported version calls them, on hand-made load data. */
class AvgShedderIT {

    private final ManualTime time = new ManualTime();
    private final ServiceConfiguration conf = new ServiceConfiguration();
    private final ReportedCluster cluster = new ReportedCluster();
    private final LoadSheddingStrategy shedding = new AvgShedder();
    private final ModularLoadManagerStrategy placement = new AvgShedder();
    private TimeSource clockBefore;

    @BeforeEach
    void setTheClock() {
        clockBefore = PluginClock.use(time);
    }

    @AfterEach
    void giveTheClockBack() {
        PluginClock.use(clockBefore);
    }

    private Multimap<String, String> round() {
        time.advanceMinutes(1);
        cluster.rewriteReports();
        return shedding.findBundlesForUnloading(cluster.loadData, conf);
    }

    private Optional<String> place(String bundle, String... candidates) {
        return placement.selectBroker(Set.of(candidates), cluster.bundle(bundle), cluster.loadData, conf);
    }

    private void threeBrokers() {
        cluster.broker("A", 80, 20_000, ReportedCluster.bundles("t/ns", 11, 900))
                .broker("B", 30, 2_000, Map.of()).broker("C", 50, 10_000, Map.of());
    }

    @Test
    void tenBundlesLeaveTheHottestBrokerInTheSecondRound() {
        threeBrokers();

        assertThat(round().size()).isZero();
        assertThat(round().asMap()).hasEntrySatisfying("A", bundles -> assertThat(bundles).hasSize(10)).hasSize(1);
    }

    @Test
    void onePlacesWhatTheOtherPlanned() {
        threeBrokers();
        round();
        Collection<String> unloads = round().get("A");

        assertThat(unloads).hasSize(10).allSatisfy(bundle -> {
            assertThat(place(bundle, "A", "B", "C")).contains("B");
            assertThat(place(bundle, "A", "B", "C")).as("asked twice").contains("B");
        });
    }

    @Test
    void oneObjectMayPlayBothRoles() {
        threeBrokers();
        AvgShedder both = new AvgShedder();
        for (int round = 1; round <= 2; round++) {
            time.advanceMinutes(1);
            cluster.rewriteReports();
            both.findBundlesForUnloading(cluster.loadData, conf).values().forEach(bundle ->
                    assertThat(both.selectBroker(Set.of("A", "B", "C"), cluster.bundle(bundle), cluster.loadData, conf))
                            .contains("B"));
        }
        assertThat(SharedState.of(cluster.loadData).liveTargets()).hasSize(10);
    }

    @Test
    void loadManagersOfOneProcessDoNotMeet() {
        threeBrokers();
        ReportedCluster other = new ReportedCluster();
        other.broker("A", 80, 20_000, ReportedCluster.bundles("t/ns", 11, 900))
                .broker("B", 60, 2_000, Map.of()).broker("C", 30, 10_000, Map.of());
        round();
        String bundle = round().get("A").iterator().next();

        assertThat(place(bundle, "A", "B", "C")).contains("B");
        assertThat(placement.selectBroker(Set.of("A", "B", "C"), other.bundle(bundle), other.loadData, conf))
                .contains("C");
    }

    @Test
    void nothingIsKeptOfAClosedLoadManager() {
        int before = SharedState.count();
        planInALoadManagerThatIsThenForgotten();

        await().until(() -> {
            System.gc();
            return SharedState.count() <= before;
        });
    }

    private void planInALoadManagerThatIsThenForgotten() {
        ReportedCluster closed = new ReportedCluster();
        closed.broker("A", 80, 20_000, ReportedCluster.bundles("t/ns", 11, 900)).broker("B", 30, 2_000, Map.of());
        for (int round = 1; round <= 2; round++) {
            time.advanceMinutes(1);
            closed.rewriteReports();
            shedding.findBundlesForUnloading(closed.loadData, conf).values().forEach(bundle ->
                    placement.selectBroker(Set.of("B"), closed.bundle(bundle), closed.loadData, conf));
        }
        assertThat(SharedState.of(closed.loadData).liveTargets()).isNotEmpty();
    }

    /** Issue 26246: plans keyed by values were lost at the next update, or crossed. */
    @Test
    void bundlesWithEqualStatisticsKeepTheirOwnTargets() {
        Map<String, Double> ofA = ReportedCluster.bundles("t/a", 10, 2_000);
        Map<String, Double> ofD = ReportedCluster.bundles("t/d", 10, 2_000);
        cluster.broker("A", 90, 20_000, ofA).broker("B", 10, 1_000, Map.of())
                .broker("C", 11, 1_000, Map.of()).broker("D", 89, 20_000, ofD);
        round();
        Multimap<String, String> unloads = round();
        assertThat(unloads.keySet()).containsExactlyInAnyOrder("A", "D");
        Map<String, Double> updated = new HashMap<>(ofA);
        updated.putAll(ofD);
        updated.replaceAll((bundle, messages) -> 3_000.0);
        updated.forEach((bundle, messages) -> cluster.bundle(bundle).update(ReportedCluster.stats(messages)));

        assertThat(unloads.get("A")).allSatisfy(bundle -> assertThat(place(bundle, "A", "B", "C", "D")).contains("B"));
        assertThat(unloads.get("D")).allSatisfy(bundle -> assertThat(place(bundle, "A", "B", "C", "D")).contains("C"));
    }

    /** On 2.11.0 and 3.0.0 most of the data's objects are made anew at every update. */
    @Test
    void aPlanSurvivesTheReplacementOfItsBundlesData() {
        threeBrokers();
        round();
        Collection<String> unloads = round().get("A");
        cluster.loadData.getBundleData().replaceAll((bundle, data) -> new BundleData(10, 1000));

        assertThat(unloads).hasSize(10).allSatisfy(bundle -> assertThat(place(bundle, "A", "B", "C")).contains("B"));
    }

    @Test
    void theFifthVersionsEntryPointUsesTheName() throws ReflectiveOperationException {
        threeBrokers();
        round();
        String bundle = round().get("A").iterator().next();
        Method select = AvgShedder.class.getMethod("selectBrokerForBundle", Set.class, String.class, BundleData.class,
                LoadData.class, ServiceConfiguration.class);

        Object answer = select.invoke(placement, Set.of("A", "B", "C"), bundle, new BundleData(10, 1000),
                cluster.loadData, conf);

        assertThat(answer).isEqualTo(Optional.of("B"));
    }

    @Test
    void aBrokerWithoutReportIsUnknownAndNeverIdle() {
        threeBrokers();
        cluster.loadData.getBrokerData().put("silent", new BrokerData(null));
        round();
        Collection<String> unloads = round().get("A");

        assertThat(unloads).hasSize(10);
        assertThat(place(unloads.iterator().next(), "silent", "unheard-of", "C")).contains("C");
        assertThat(place(unloads.iterator().next(), "silent", "unheard-of")).isEmpty();
    }

    /** Declared by the broker from 4.1 on; before, a line of broker.conf that only this plugin reads. */
    @Test
    void excludedNamespacesAreReadFromBrokerConfOnEveryVersion() throws IOException {
        Map<String, Double> bundles = ReportedCluster.bundles("t/excluded", 11, 900);
        bundles.putAll(ReportedCluster.bundles("t/other", 11, 900));
        cluster.broker("A", 80, 20_000, bundles).broker("B", 30, 2_000, Map.of());
        Properties lines = new Properties();
        lines.setProperty("loadBalancerSheddingExcludedNamespaces", "t/excluded, t/unheard-of");
        ServiceConfiguration excluding = PulsarConfigurationLoader.create(lines, ServiceConfiguration.class);
        for (int round = 1; round <= 2; round++) {
            time.advanceMinutes(1);
            cluster.rewriteReports();
            Multimap<String, String> unloads = shedding.findBundlesForUnloading(cluster.loadData, excluding);
            assertThat(unloads.values()).hasSize(round == 1 ? 0 : 10)
                    .allSatisfy(bundle -> assertThat(bundle).startsWith("t/other/"));
        }
    }

    @Test
    void noCandidatesNoAnswer() {
        threeBrokers();
        round();

        assertThat(place(ReportedCluster.bundles("t/ns", 1, 1).keySet().iterator().next())).isEmpty();
    }

    /** Nothing can be shed then; lookups must not fail. */
    @Test
    void aLookupIsAnsweredWhereEveryWeightIs0() {
        threeBrokers();
        conf.setLoadBalancerCPUResourceWeight(0);
        conf.setLoadBalancerBandwithInResourceWeight(0);
        conf.setLoadBalancerBandwithOutResourceWeight(0);
        conf.setProperties(new Properties());
        for (String spelling : List.of("In", "Out")) {
            conf.getProperties().setProperty("loadBalancerBandwidth" + spelling + "ResourceWeight", "0");
        }

        assertThat(round().size()).isZero();
        assertThat(placement.selectBroker(Set.of("A", "B", "C"), new BundleData(10, 1000), cluster.loadData, conf))
                .contains("B");
    }

    /** By the clock's own account the brokers would settle for another day. */
    @Test
    void aClockThatStepsBackHoldsNothingUp() {
        threeBrokers();
        round();
        Collection<String> unloads = round().get("A");
        unloads.forEach(bundle -> cluster.loadData.getRecentlyUnloadedBundles().put(bundle, time.millis()));
        time.advanceMinutes(-24 * 60);
        cluster.loadData.getRecentlyUnloadedBundles().clear();

        assertThat(round().size()).as("hits start anew").isZero();
        assertThat(round().get("A")).hasSize(10);
    }

    @Test
    void aReportWithANamelessBundleStopsNothing() {
        threeBrokers();
        LocalBrokerData report = cluster.loadData.getBrokerData().get("A").getLocalData();
        report.getLastStats().put(null, ReportedCluster.stats(900));
        report.getBundles().add(null);

        assertThat(round().size()).isZero();
        assertThat(round().get("A")).hasSize(10).doesNotContainNull();
    }

    /** A new bundle's data shows 50 msg/s that nobody measured. */
    @Test
    void newBundlesSpreadOutHoweverLittleTheReportsChange() {
        cluster.broker("A", 50, 10_000, ReportedCluster.bundles("t/a", 100, 100))
                .broker("B", 51, 10_000, ReportedCluster.bundles("t/b", 100, 100))
                .broker("C", 52, 10_000, ReportedCluster.bundles("t/c", 100, 100));
        Map<String, Integer> placed = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            cluster.loadData.getBundleData().put("t/new/" + i, new BundleData(10, 1000));
            placed.merge(place("t/new/" + i, "A", "B", "C").orElseThrow(), 1, Integer::sum);
        }

        assertThat(placed).hasSize(3).allSatisfy((broker, bundles) -> assertThat(bundles).isBetween(95, 105));
    }

    @Test
    void nothingIsThrownIntoTheBroker() {
        LoadData broken = new LoadData() {
            @Override
            public Map<String, BrokerData> getBrokerData() {
                throw new StackOverflowError("as a broken map may");
            }
        };

        assertThat(shedding.findBundlesForUnloading(broken, conf).size()).isZero();
        assertThat(shedding.findBundlesForUnloading(null, null).size()).isZero();
        assertThat(placement.selectBroker(Set.of("A"), new BundleData(10, 1000), broken, conf)).isEmpty();
        assertThat(placement.selectBroker(null, null, null, null)).isEmpty();
    }

    @Test
    void aFailingConfigurationStillGetsALookupItsBroker() {
        threeBrokers();
        ServiceConfiguration broken = new ServiceConfiguration() {
            @Override
            public double getLoadBalancerCPUResourceWeight() {
                throw new IllegalStateException("broken");
            }
        };

        assertThat(placement.selectBroker(Set.of("A", "B", "C"), new BundleData(10, 1000), cluster.loadData, broken))
                .isPresent();
        assertThat(placement.selectBroker(Set.of("A", "B", "C"), new BundleData(10, 1000), cluster.loadData, null))
                .isPresent();
    }

    /** Both interfaces have the method as a default from 3.0.0 on; inherited twice, its call ends in an error. */
    @Test
    void aChangeOfBrokersCanBeToldThroughEitherInterface() throws ReflectiveOperationException {
        assertThat(AvgShedder.class.getMethod("onActiveBrokersChange", Set.class).getDeclaringClass())
                .isEqualTo(AvgShedder.class);
        for (Class<?> role : new Class<?>[] {LoadSheddingStrategy.class, ModularLoadManagerStrategy.class}) {
            for (Method method : role.getMethods()) {
                if (method.getName().equals("onActiveBrokersChange")) {
                    method.invoke(shedding, Set.of("A", "B"));
                }
            }
        }
    }

    @Test
    void theLoadManagerMakesThePlacementByName() {
        conf.setLoadBalancerLoadPlacementStrategy(AvgShedder.class.getName());
        assertThat(ModularLoadManagerStrategy.create(conf)).isInstanceOf(AvgShedder.class);
    }
}
