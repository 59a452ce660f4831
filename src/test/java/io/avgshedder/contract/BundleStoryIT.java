package io.avgshedder.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Multimap;
import io.avgshedder.AvgShedder;
import io.avgshedder.cluster.LogEvents;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.logging.log4j.Level;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator who looks for one bundle's name in the leader's log finds what became of it. */
class BundleStoryIT {

    private static final String BUNDLE = "t/ns/0x00000000_0x00001000";

    private final ManualTime time = new ManualTime();
    private final ServiceConfiguration conf = new ServiceConfiguration();
    private final ReportedCluster cluster = new ReportedCluster();
    private final AvgShedder plugin = new AvgShedder();
    private final Map<String, Double> ofA = ReportedCluster.bundles("t/ns", 11, 900);
    private LogEvents log;
    private TimeSource clockBefore;

    @BeforeEach
    void listen() {
        clockBefore = PluginClock.use(time);
        log = new LogEvents(AvgShedder.class.getName());
        cluster.broker("A", 80, 20_000, ofA).broker("B", 30, 2_000, Map.of());
        round();
    }

    @AfterEach
    void stopListening() {
        log.close();
        PluginClock.use(clockBefore);
    }

    private Multimap<String, String> round() {
        time.advanceMinutes(1);
        cluster.rewriteReports();
        return plugin.findBundlesForUnloading(cluster.loadData, conf);
    }

    private List<String> story() {
        return log.messages(Level.INFO, BUNDLE);
    }

    @Test
    void plannedPlacedAndSeen() {
        for (String bundle : round().get("A")) {
            plugin.selectBroker(Set.of("A", "B"), cluster.bundle(bundle), cluster.loadData, conf);
            cluster.loadData.getRecentlyUnloadedBundles().put(bundle, time.millis());
            plugin.selectBroker(Set.of("A", "B"), cluster.bundle(bundle), cluster.loadData, conf);
        }
        cluster.broker("A", 55, 11_000, Map.of()).broker("B", 55, 11_000, ofA);
        round();

        assertThat(story()).containsExactly(
                "Round 2 moves " + BUNDLE + " from A to B",
                "Placing " + BUNDLE + " on B: PLANNED",
                "Round 3: " + BUNDLE + " is on B, 60 s after its plan");
    }

    @Test
    void plannedAndNotUnloaded() {
        round();
        round();

        assertThat(story()).startsWith(
                "Round 2 moves " + BUNDLE + " from A to B",
                "Round 3: " + BUNDLE + " was not unloaded from A: the load manager's own lines say why");
    }

    @Test
    void anOrdinaryLookupLeavesNoLine() {
        plugin.selectBroker(Set.of("A", "B"), new BundleData(10, 1000), cluster.loadData, conf);
        plugin.selectBrokerForBundle(Set.of("A", "B"), BUNDLE, cluster.bundle(BUNDLE), cluster.loadData, conf);

        assertThat(story()).isEmpty();
    }
}
