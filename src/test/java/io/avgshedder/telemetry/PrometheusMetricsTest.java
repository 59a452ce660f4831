package io.avgshedder.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.avgshedder.core.Placed;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Reason;
import io.avgshedder.core.UnloadScope;
import io.avgshedder.core.Verdict;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrometheusMetricsTest {

    private final CollectorRegistry registry = new CollectorRegistry(true);
    private final PrometheusMetrics metrics = new PrometheusMetrics();
    private final WatchedByHand watched = new WatchedByHand();
    private final StateTelemetry state;

    PrometheusMetricsTest() {
        registry.register(metrics);
        state = StateTelemetry.of(watched, metrics);
    }

    @AfterEach
    void close() {
        state.close();
    }

    /** What a scrape would show, without zeros and comments. */
    private List<String> scrape() {
        StringWriter text = new StringWriter();
        try {
            TextFormat.write004(text, registry.metricFamilySamples());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return text.toString().lines().filter(line -> !line.startsWith("#") && !line.endsWith(" 0.0"))
                .map(line -> line.replace("pulsar_avg_shedder_", "").replace(",}", "}")).toList();
    }

    private double value(String name) {
        return registry.getSampleValue("pulsar_avg_shedder_" + name);
    }

    @Test
    void aRoundOfTheLeader() {
        watched.budget = List.of(WatchedByHand.use(UnloadScope.CLUSTER, "", 7),
                WatchedByHand.use(UnloadScope.SOURCE, "A", 2), WatchedByHand.use(UnloadScope.SOURCE, "C", 4));
        state.round(watched.round(false, WatchedByHand.level("C", "D"),
                new Verdict(Reason.STALE_REPORT, "E", null, Double.NaN, 0, 0, "E: stale")));
        watched.now += 10_000;

        assertThat(scrape()).containsExactlyInAnyOrder(
                "leader 1.0",
                "rounds_total 1.0",
                "verdicts_total{reason=\"MOVED\"} 1.0",
                "verdicts_total{reason=\"BELOW_THRESHOLD\"} 1.0",
                "verdicts_total{reason=\"STALE_REPORT\"} 1.0",
                "transfers_total{reason=\"MOVED\"} 1.0",
                "score{broker=\"A\",metric=\"cpu\"} 80.0",
                "score{broker=\"B\",metric=\"bandwidthIn\"} 30.5",
                "gap{rank=\"1\"} 50.0",
                "gap{rank=\"2\"} 4.0",
                "hits{rank=\"1\",level=\"low\"} 2.0",
                "hits{rank=\"1\",level=\"high\"} 1.0",
                "pairs{reason=\"MOVED\"} 1.0",
                "pairs{reason=\"BELOW_THRESHOLD\"} 1.0",
                "pairs{reason=\"STALE_REPORT\"} 1.0",
                "budget_used{scope=\"cluster\"} 7.0",
                "budget_used{scope=\"source\"} 4.0",
                "budget_limit{scope=\"cluster\"} 20.0",
                "budget_limit{scope=\"source\"} 5.0",
                "budget_limit{scope=\"namespace\"} 2.0",
                "shed_targets 1.0",
                "refusals 2.0",
                "oldest_report_age_seconds 40.0",
                "round_duration_seconds 0.002");
    }

    @Test
    void gaugesVanishWithLeadershipAndCountersStay() {
        state.round(watched.round(false));
        watched.now += 2 * WatchedByHand.MINUTE + 30_000;
        assertThat(scrape()).contains("leader 1.0", "gap{rank=\"1\"} 50.0");

        watched.now++;
        assertThat(scrape()).containsExactlyInAnyOrder("rounds_total 1.0", "verdicts_total{reason=\"MOVED\"} 1.0",
                "transfers_total{reason=\"MOVED\"} 1.0");
        assertThat(value("leader")).isZero();
    }

    @Test
    void aRoundOfManySlowUnloadsIsNoLossOfLeadership() {
        state.round(watched.round(false));
        watched.now += 2 * WatchedByHand.MINUTE;
        state.placed(new Placed("B", PlacementReason.PLANNED));
        watched.now += 2 * WatchedByHand.MINUTE;

        assertThat(value("leader")).isEqualTo(1);
        assertThat(scrape()).contains("placements_total{reason=\"PLANNED\"} 1.0", "oldest_report_age_seconds 270.0");
    }

    @Test
    void placementsAloneMakeNoLeader() {
        state.placed(new Placed("B", PlacementReason.PREDICTED));
        state.placed(new Placed("B", PlacementReason.PLANNED));

        assertThat(scrape()).containsExactlyInAnyOrder("placements_total{reason=\"PREDICTED\"} 1.0",
                "placements_total{reason=\"PLANNED\"} 1.0");
    }

    @Test
    void aDryRunIsCountedApart() {
        state.round(watched.round(true));

        assertThat(scrape()).contains("transfers_total{reason=\"DRY_RUN\"} 1.0", "pairs{reason=\"DRY_RUN\"} 1.0")
                .doesNotContain("transfers_total{reason=\"MOVED\"} 1.0");
    }

    @Test
    void onlyTheFirstTenPairsAreRanked() {
        Verdict[] pairs = new Verdict[30];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = WatchedByHand.level("h" + i, "c" + i);
        }
        state.round(watched.round(false, pairs));

        assertThat(scrape()).filteredOn(line -> line.startsWith("gap{")).hasSize(10)
                .contains("gap{rank=\"10\"} 4.0");
        assertThat(value("leader")).isEqualTo(1);
    }

    @Test
    void everyReasonIsThereFromTheFirstScrapeOn() {
        for (Reason reason : Reason.values()) {
            assertThat(registry.getSampleValue("pulsar_avg_shedder_verdicts_total", new String[] {"reason"},
                    new String[] {reason.name()})).as(reason.name()).isZero();
        }
        for (PlacementReason reason : PlacementReason.values()) {
            assertThat(registry.getSampleValue("pulsar_avg_shedder_placements_total", new String[] {"reason"},
                    new String[] {reason.name()})).as(reason.name()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyVerdictIsCounted(Reason reason) {
        state.round(watched.round(false, new Verdict(reason, "E", null, Double.NaN, 0, 0, "E: said")));

        double expected = reason == Reason.MOVED ? 2 : 1;
        assertThat(scrape()).contains("verdicts_total{reason=\"" + reason + "\"} " + expected,
                "pairs{reason=\"" + reason + "\"} " + expected);
    }

    @ParameterizedTest
    @EnumSource
    void everyPlacementIsCounted(PlacementReason reason) {
        state.placed(new Placed("B", reason));

        assertThat(scrape()).contains("placements_total{reason=\"" + reason + "\"} 1.0");
    }

    @Test
    void labelsNeverNameABundleOrANamespace() {
        watched.budget = List.of(WatchedByHand.use(UnloadScope.NAMESPACE, "t/n", 2));
        state.round(watched.round(false));

        assertThat(scrape()).contains("budget_used{scope=\"namespace\"} 2.0").noneMatch(line -> line.contains("t/n"));
    }

    @Test
    void ofSeveralBrokersInOneProcessTheLeaderIsShown() {
        WatchedByHand other = new WatchedByHand();
        try (StateTelemetry otherState = StateTelemetry.of(other, metrics)) {
            otherState.round(other.round(false));
            watched.now += 5 * WatchedByHand.MINUTE;
            other.now = watched.now;
            state.round(watched.round(true));

            assertThat(scrape()).contains("leader 1.0", "rounds_total 2.0", "pairs{reason=\"DRY_RUN\"} 1.0");
            assertThat(scrape()).doesNotContain("pairs{reason=\"MOVED\"} 1.0");
        }
    }

    @Test
    void aStateThatIsGoneIsShownNoMore() {
        state.round(watched.round(false));
        state.close();

        assertThat(value("leader")).isZero();
    }

    @Test
    void noTwoCollectorsOfOneRegistryShareTheNames() {
        assertThatThrownBy(() -> registry.register(new PrometheusMetrics()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noNameIsTwoKinds() {
        Set<String> names = new TreeSet<>();
        metrics.describe().forEach(family -> assertThat(names.add(family.name)).as(family.name).isTrue());
        assertThat(names).allSatisfy(name -> assertThat(name).matches("pulsar_avg_shedder_[a-z_]+"));
    }

    @Test
    void theReadmeExplainsEveryMetricAndNoOther() throws IOException {
        Set<String> explained = new TreeSet<>();
        Pattern name = Pattern.compile("`(pulsar_avg_shedder_[a-z_]+)`");
        Files.readAllLines(Path.of("README.md")).stream().filter(line -> line.startsWith("| `pulsar_avg_shedder_"))
                .forEach(line -> name.matcher(line).results().forEach(match -> explained.add(match.group(1))));

        assertThat(explained).isEqualTo(metrics.describe().stream().map(family ->
                family.type == Collector.Type.COUNTER ? family.name + "_total" : family.name)
                .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void theChosenOneIsAlwaysTheSame() {
        assertThat(Metrics.installed()).isInstanceOf(PrometheusMetrics.class).isSameAs(Metrics.installed());
    }

    @Test
    void whatFailsInsideIsCounted() {
        metrics.failed();

        assertThat(scrape()).containsExactly("failures_total 1.0");
    }
}
