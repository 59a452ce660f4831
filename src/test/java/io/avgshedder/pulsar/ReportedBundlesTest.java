package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.BundleLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.junit.jupiter.api.Test;

/** Traffic is in msg/s: all of it in, and none out. */
class ReportedBundlesTest {

    private final LocalBrokerData report = new LocalBrokerData();
    private final Map<String, NamespaceBundleStats> stats = new HashMap<>();
    private final Map<String, BundleData> histories = new HashMap<>();

    private static NamespaceBundleStats rate(double messages) {
        NamespaceBundleStats figures = new NamespaceBundleStats();
        figures.msgRateIn = messages;
        return figures;
    }

    private void remember(String bundle, double messages) {
        BundleData history = new BundleData(10, 1_000);
        history.update(rate(messages));
        histories.put(bundle, history);
    }

    private ReportedBundles listing(String... names) {
        report.setLastStats(stats);
        report.setBundles(new HashSet<>(Arrays.asList(names)));
        return new ReportedBundles(report, histories);
    }

    private static List<BundleLoad> loads(ReportedBundles bundles) {
        List<BundleLoad> loads = new ArrayList<>();
        bundles.forEach(loads::add);
        return loads;
    }

    private static BundleLoad load(String name, double messages) {
        return new BundleLoad(name, messages, 0, 0);
    }

    @Test
    void eachBundleOfBothListsIsGivenOnceWhicheverHasIt() {
        stats.put("t/n/both", rate(10));
        stats.put("t/n/figures", rate(20));
        remember("t/n/name", 30);
        remember("t/n/both", 99);
        ReportedBundles bundles = listing("t/n/both", "t/n/name", "t/n/unknown");

        assertThat(loads(bundles)).containsExactlyInAnyOrder(load("t/n/both", 10), load("t/n/figures", 20),
                load("t/n/name", 30), load("t/n/unknown", 0));
        List<String> names = new ArrayList<>();
        bundles.forEachName(names::add);
        assertThat(names).containsExactlyInAnyOrder("t/n/both", "t/n/figures", "t/n/name", "t/n/unknown");
    }

    @Test
    void figuresThatAreNoneAreReplacedByTheAverage() {
        stats.put("t/n/null", null);
        stats.put("t/n/nullToo", null);
        stats.put("t/n/nan", rate(Double.NaN));
        stats.put("t/n/figures", rate(4));
        remember("t/n/null", 1);
        remember("t/n/nullToo", 2);
        remember("t/n/nan", 3);

        assertThat(loads(listing("t/n/null", "t/n/nan"))).containsExactlyInAnyOrder(load("t/n/null", 1),
                load("t/n/nullToo", 2), load("t/n/nan", 3), load("t/n/figures", 4));
    }

    @Test
    void whatHasNoNameIsLeftOut() {
        stats.put(null, rate(1));
        stats.put("t/n/a", rate(2));

        assertThat(loads(listing("t/n/a", null))).containsExactly(load("t/n/a", 2));
    }

    @Test
    void aReportMayLackEitherList() {
        stats.put("t/n/a", rate(2));
        report.setLastStats(stats);
        report.setBundles(null);
        assertThat(loads(new ReportedBundles(report, histories))).containsExactly(load("t/n/a", 2));

        report.setLastStats(null);
        report.setBundles(new HashSet<>(List.of("t/n/b")));
        assertThat(loads(new ReportedBundles(report, histories))).containsExactly(load("t/n/b", 0));
    }
}
