package io.avgshedder.telemetry;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.BudgetUse;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.UnloadScope;
import io.avgshedder.core.Verdict;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The plugin's figures in the broker's own {@code /metrics}, through the default collector registry of the Prometheus
 * client that Pulsar brokers have.
 *
 * <p>The naive way, a gauge object for each label that is set in each round, keeps the scores of brokers that left, and
 * of the days when this broker was the leader, for ever. Here nothing is stored: each scrape reads what the leading state
 * published last, and a state whose last sign of life is older than two and a half shedding intervals shows nothing.
 * Counters belong to the process and only ever grow.
 *
 * <p>Labels have few values: brokers, metrics, reasons, scopes, and the first {@value #MOST_RANKS} ranks of pairs; never
 * a bundle or a namespace.
 */
final class PrometheusMetrics extends Collector implements Collector.Describable, Metrics {

    /** Pairs are ranked by their hot broker; further ones are not shown. */
    static final int MOST_RANKS = 10;
    private static final String PREFIX = "pulsar_avg_shedder_";
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Set<StateTelemetry> states = ConcurrentHashMap.newKeySet();
    private final LongAdder rounds = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final Map<Reason, LongAdder> verdicts = adders(Reason.class);
    private final Map<Reason, LongAdder> transfers = adders(Reason.class);
    private final Map<PlacementReason, LongAdder> placements = adders(PlacementReason.class);

    /** Makes the one of this process; throws where the default registry has these names already. */
    static PrometheusMetrics registered() {
        PrometheusMetrics metrics = new PrometheusMetrics();
        CollectorRegistry.defaultRegistry.register(metrics);
        return metrics;
    }

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
        Map<E, LongAdder> adders = new EnumMap<>(type);
        for (E each : type.getEnumConstants()) {
            adders.put(each, new LongAdder());
        }
        return adders;
    }

    // ---- told by states

    @Override
    public void watch(StateTelemetry state) {
        states.add(state);
    }

    @Override
    public void forget(StateTelemetry state) {
        states.remove(state);
    }

    @Override
    public void round(Round round) {
        rounds.increment();
        round.verdicts().forEach(verdict -> verdicts.get(verdict.reason()).increment());
        transfers.get(round.dryRun() ? Reason.DRY_RUN : Reason.MOVED).add(round.transfers().size());
    }

    @Override
    public void placed(PlacementReason reason) {
        placements.get(reason).increment();
    }

    @Override
    public void failed() {
        failures.increment();
    }

    // ---- asked by scrapes

    @Override
    public List<MetricFamilySamples> collect() {
        Families families = new Families();
        families.counters(this);
        Optional<StateTelemetry> leading = states.stream().filter(StateTelemetry::isLeading)
                .max(Comparator.comparingLong(StateTelemetry::lastSign));
        families.leader.addMetric(List.of(), leading.isPresent() ? 1 : 0);
        leading.ifPresent(families::show);
        return families.all;
    }

    @Override
    public List<MetricFamilySamples> describe() {
        return new Families().all;
    }

    /** Every metric there is, without a sample at first. */
    private static final class Families {

        private final List<MetricFamilySamples> all = new ArrayList<>();
        private final CounterMetricFamily rounds = counter("rounds", "Rounds taken.");
        private final CounterMetricFamily verdicts = counter("verdicts",
                "What rounds said of pairs, and of brokers without one.", "reason");
        private final CounterMetricFamily transfers = counter("transfers",
                "Bundles that were given a target; as DRY_RUN those that would have been.", "reason");
        private final CounterMetricFamily placements = counter("placements", "Answers to where a bundle goes.",
                "reason");
        private final CounterMetricFamily failures = counter("failures",
                "Rounds and placements that failed inside the plugin; the log says why.");
        private final GaugeMetricFamily leader = gauge("leader", "Whether this broker takes the rounds, 1 or 0.");
        private final GaugeMetricFamily scores = gauge("score",
                "A broker's score in points, and the metric that gives it.", "broker", "metric");
        private final GaugeMetricFamily gaps = gauge("gap",
                "Hot score minus cold score of a pair in points; rank 1 is the pair with the hottest broker.", "rank");
        private final GaugeMetricFamily hits = gauge("hits",
                "Rounds in a row in which the pair was at or above the threshold.", "rank", "level");
        private final GaugeMetricFamily pairs = gauge("pairs",
                "Pairs, and brokers without one, of which the last round said so.", "reason");
        private final GaugeMetricFamily budgetUsed = gauge("budget_used",
                "Unloads in the budget's window; of a scope with several budgets the one that is used most.", "scope");
        private final GaugeMetricFamily budgetLimit = gauge("budget_limit", "Unloads that the window allows.",
                "scope");
        private final GaugeMetricFamily targets = gauge("shed_targets", "Shed targets that are alive.");
        private final GaugeMetricFamily refusals = gauge("refusals",
                "Learnt refusals of targets by the load manager's filters that still count.");
        private final GaugeMetricFamily oldestReport = gauge("oldest_report_age_seconds",
                "How long the load report that is oldest has not changed.");
        private final GaugeMetricFamily duration = gauge("round_duration_seconds",
                "How long the last round took to read and decide.");

        private CounterMetricFamily counter(String name, String help, String... labels) {
            return added(new CounterMetricFamily(PREFIX + name, help, List.of(labels)));
        }

        private GaugeMetricFamily gauge(String name, String help, String... labels) {
            return added(new GaugeMetricFamily(PREFIX + name, help, List.of(labels)));
        }

        private <F extends MetricFamilySamples> F added(F family) {
            all.add(family);
            return family;
        }

        private void counters(PrometheusMetrics metrics) {
            rounds.addMetric(List.of(), metrics.rounds.sum());
            failures.addMetric(List.of(), metrics.failures.sum());
            metrics.verdicts.forEach((reason, count) -> verdicts.addMetric(List.of(reason.name()), count.sum()));
            for (Reason reason : List.of(Reason.MOVED, Reason.DRY_RUN)) {
                transfers.addMetric(List.of(reason.name()), metrics.transfers.get(reason).sum());
            }
            metrics.placements.forEach((reason, count) -> placements.addMetric(List.of(reason.name()), count.sum()));
        }

        private void show(StateTelemetry state) {
            RoundReport report = state.last();
            Round round = report.round();
            for (BrokerScore score : round.brokers()) {
                scores.addMetric(List.of(score.broker(), score.metric().label()), score.score());
            }
            List<Verdict> ranked = round.verdicts().stream().filter(verdict -> !Double.isNaN(verdict.gap()))
                    .limit(MOST_RANKS).toList();
            for (int i = 0; i < ranked.size(); i++) {
                String rank = String.valueOf(i + 1);
                gaps.addMetric(List.of(rank), ranked.get(i).gap());
                hits.addMetric(List.of(rank, "low"), ranked.get(i).hitsLow());
                hits.addMetric(List.of(rank, "high"), ranked.get(i).hitsHigh());
            }
            for (Reason reason : Reason.values()) {
                pairs.addMetric(List.of(reason.name()),
                        round.verdicts().stream().filter(verdict -> verdict.reason() == reason).count());
            }
            budget(state, report);
            targets.addMetric(List.of(), state.watched().liveTargets().size());
            refusals.addMetric(List.of(), state.watched().refusals().size());
            oldestReport.addMetric(List.of(), state.oldestReportAge() / MILLIS_PER_SECOND);
            duration.addMetric(List.of(), report.durationNanos() / NANOS_PER_SECOND);
        }

        private void budget(StateTelemetry state, RoundReport report) {
            List<BudgetUse> uses = state.watched().budget();
            for (UnloadScope scope : UnloadScope.values()) {
                report.limits().of(scope).ifPresent(limit -> {
                    int most = uses.stream().filter(use -> use.scope() == scope).mapToInt(BudgetUse::used).max()
                            .orElse(0);
                    budgetUsed.addMetric(List.of(scope.label()), most);
                    budgetLimit.addMetric(List.of(scope.label()), limit.count());
                });
            }
        }
    }
}
