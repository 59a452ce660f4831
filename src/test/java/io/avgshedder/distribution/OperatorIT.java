package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.avgshedder.cluster.Traffic;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Reason;
import io.avgshedder.distribution.DistributionCluster.Broker;
import io.avgshedder.distribution.PluginLines.Transfer;
import io.avgshedder.distribution.PluginLines.Verdict;
import io.avgshedder.distribution.Unloads.Unload;
import io.avgshedder.operations.AlertRules;
import io.avgshedder.operations.Dashboard;
import io.avgshedder.operations.MetricNames;
import io.avgshedder.operations.PluginMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What an operator sees and bounds, on the official server distribution: a dry run that is switched off, a budget, an
 * exemption that ends, metrics as a Prometheus server gets them, and the bean over JMX; none of it with a restart.
 *
 * <p>Two brokers are hot and two are empty, so that there are two pairs. The bundles of the second hot broker are exempt
 * at first. Rates differ from bundle to bundle, by more than a measured rate is off, so that a plan can be had twice. The
 * first pair wants more than the three unloads that the budget allows in two minutes; when the exemption of the second
 * one ends, half-way to the next round but one, it has to wait for the budget.
 */
class OperatorIT {

    private static final Path HOME = Path.of(System.getProperty("avgshedder.distribution.home"));
    private static final Path JAR = Path.of(System.getProperty("avgshedder.jar"));
    private static final Path OUTPUT = Path.of("target/operator-it").toAbsolutePath();

    private static final String ORDERS = "shop/orders";
    private static final String AUDIT = "shop/audit";
    private static final List<Double> ORDERS_RATES =
            List.of(14.0, 12.0, 10.5, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0);
    private static final List<Double> AUDIT_RATES = List.of(9.0, 8.6, 8.2, 7.8, 7.4, 7.0, 6.6, 6.2);
    /** Messages/s, in and out, that are 100 points: the orders are 47.4 and the audit 34.7. */
    private static final int MSG_RATE_CAPACITY = 350;

    private static final int BUDGET = 3;
    private static final Duration WINDOW = Duration.ofMinutes(2);
    /** How long after the dry run's end the exemption ends: between the first and the second round that may move. */
    private static final Duration EXEMPTION = Duration.ofSeconds(85);
    private static final Pattern FREES = Pattern.compile(
            "budget cluster 3/2m is spent, frees in (?:(\\d+) min)?(?: ?(\\d+) s)?");

    private static DistributionCluster cluster;
    private static Path settingsFile;
    private static Prometheus prometheus;
    private static PulsarClient client;
    private static Traffic traffic;
    private static Broker hot;
    private static Broker second;

    private static Map<Broker, Set<String>> bundlesBefore;
    private static Map<Broker, Set<String>> bundlesInDryRun;
    private static Instant dryRunBegin;
    private static Instant dryRunEnd;
    private static Instant exemptionEnd;
    private static List<Transfer> dryPlan;

    @BeforeAll
    static void letAnOperatorWork() throws Exception {
        Path run = OUTPUT.resolve(LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")));
        settingsFile = Files.createDirectories(run).resolve("avg-shedder.properties");
        Prometheus.requireServer(run.resolve("prometheus-version.log"));
        writeSettings(true, Instant.now().plus(1, ChronoUnit.HOURS));
        cluster = new DistributionCluster(HOME, run);
        DistributionCluster.install(HOME, JAR);
        cluster.startStorage();

        hot = startBroker();
        client = PulsarClient.builder().serviceUrl(hot.serviceUrl()).build();
        traffic = new Traffic(client);
        load(ORDERS, ORDERS_RATES);
        load(AUDIT, AUDIT_RATES);
        second = startBroker();
        for (String bundle : cluster.bundlesOwnedBy(hot, AUDIT)) {
            cluster.moveByHand(bundle, second);
        }
        second.process().awaitThat("owns all of " + AUDIT, Duration.ofMinutes(1),
                () -> cluster.bundlesOwnedBy(second, AUDIT).size() == AUDIT_RATES.size());
        dryRunBegin = Instant.now();
        startBroker();
        startBroker();
        prometheus = Prometheus.start(cluster, run);
        await("the imbalance is set up").atMost(Duration.ofMinutes(3)).ignoreExceptions().untilAsserted(() -> {
            assertThat(cluster.messageRate(hot)).isCloseTo(2 * sum(ORDERS_RATES), within(8.0));
            assertThat(cluster.messageRate(second)).isCloseTo(2 * sum(AUDIT_RATES), within(6.0));
        });
        bundlesBefore = bundles();

        int round = hot.pluginLines().latestRound();
        // where brokers start slowly, the first rounds see new ones and plan nothing
        hot.process().awaitThat("has held one more round, and has planned in two", Duration.ofMinutes(6),
                () -> hot.pluginLines().latestRound() > round && hot.pluginLines().verdicts("DRY_RUN").size() >= 2);
        bundlesInDryRun = bundles();
        dryRunEnd = Instant.now();
        dryPlan = hot.pluginLines().plansByRound().isEmpty() ? List.of()
                : hot.pluginLines().plansByRound().get(hot.pluginLines().plansByRound().lastKey());
        exemptionEnd = dryRunEnd.plus(EXEMPTION).truncatedTo(ChronoUnit.SECONDS);
        writeSettings(false, exemptionEnd);

        hot.process().awaitThat("has moved bundles of both namespaces, and twice what the budget allows at once",
                Duration.ofMinutes(8),
                () -> !unloads().of(AUDIT).all().isEmpty() && unloads().all().size() >= 2 * BUDGET);
    }

    @AfterAll
    static void stopEverything() throws IOException {
        if (cluster == null) {
            return;
        }
        try {
            writeReport();
            if (traffic != null) {
                traffic.close();
                client.close();
            }
        } finally {
            cluster.close();
        }
    }

    // ---- dry run

    @Test
    void aDryRunMovesNothing() {
        assertThat(bundlesInDryRun).isEqualTo(bundlesBefore);
        assertThat(allUnloads().after(dryRunBegin).all())
                .allSatisfy(unload -> assertThat(unload.at()).isAfter(dryRunEnd));
    }

    @Test
    void aDryRunSaysWhatItWouldDo() {
        assertThat(dryPlan).hasSize(BUDGET).allSatisfy(transfer -> {
            assertThat(transfer.source()).isEqualTo(hot.id());
            assertThat(bundlesBefore.get(hot)).contains(transfer.bundle());
            assertThat(transfer.target()).isIn(cluster.brokers().get(2).id(), cluster.brokers().get(3).id());
        });
        assertThat(hot.pluginLines().verdicts("DRY_RUN")).hasSizeGreaterThanOrEqualTo(2)
                .last().extracting(Verdict::sentence).asString()
                .startsWith(hot.id() + " -> " + dryPlan.get(0).target() + ": msgRate gap 4").contains(": 3 bundles, forecast ");
    }

    @Test
    void withTheDryRunOffTheSamePlanHappens() {
        List<Transfer> moved = hot.pluginLines().transfersByRound().values().iterator().next();

        assertThat(moved).isEqualTo(dryPlan);
        assertThat(unloads().all().stream().limit(BUDGET).map(Unload::bundle))
                .containsExactlyElementsOf(dryPlan.stream().map(Transfer::bundle).toList());
        assertThat(hot.pluginLines().all()).anyMatch(line -> line.contains(
                "Changed: loadBalancerAvgShedderDryRun=false (settings file), was true"));
    }

    @Test
    void bundlesAreWhereThePlanSaid() throws PulsarAdminException {
        for (Transfer transfer : dryPlan) {
            Broker target = cluster.brokers().stream().filter(broker -> broker.id().equals(transfer.target()))
                    .findFirst().orElseThrow();
            assertThat(cluster.bundlesOwnedBy(target, ORDERS)).contains(transfer.bundle());
        }
    }

    // ---- budget

    @Test
    void noWindowEverHasMoreUnloadsThanTheBudgetAllows() {
        assertThat(unloads().all()).hasSizeGreaterThanOrEqualTo(2 * BUDGET);
        assertThat(unloads().mostWithin(WINDOW)).isEqualTo(BUDGET);
    }

    @Test
    void theVerdictSaysWhenTheBudgetFrees() {
        List<Verdict> held = hot.pluginLines().verdicts("BUDGET");

        assertThat(held).isNotEmpty().allSatisfy(verdict -> {
            Matcher frees = FREES.matcher(verdict.sentence());
            assertThat(frees.find()).as(verdict.sentence()).isTrue();
            assertThat(seconds(frees)).isBetween(1, (int) WINDOW.toSeconds());
        });
        Verdict last = held.get(held.size() - 1);
        Matcher frees = FREES.matcher(last.sentence());
        assertThat(frees.find()).isTrue();
        assertThat(unloads().after(last.at()).all()).first().satisfies(next ->
                assertThat(next.at()).isAfterOrEqualTo(last.at().plusSeconds(seconds(frees) - 1)));
    }

    private static int seconds(Matcher frees) {
        int minutes = frees.group(1) == null ? 0 : Integer.parseInt(frees.group(1));
        return minutes * 60 + (frees.group(2) == null ? 0 : Integer.parseInt(frees.group(2)));
    }

    // ---- exemption

    @Test
    void anExemptNamespaceMovesAgainAfterItsInstantWithoutARestart() {
        assertThat(unloads().of(AUDIT).all()).isNotEmpty()
                .allSatisfy(unload -> assertThat(unload.at()).isAfter(exemptionEnd));
        assertThat(unloads().of(ORDERS).all()).first()
                .satisfies(unload -> assertThat(unload.at()).isBetween(dryRunEnd, exemptionEnd));
        assertThat(cluster.brokers()).allSatisfy(broker -> {
            broker.process().assertAlive();
            assertThat(broker.process().logLines().stream().filter(line -> line.contains(" loaded: io.avgshedder")))
                    .hasSize(1);
        });
    }

    @Test
    void anExpiredRuleIsSaidOnce() {
        assertThat(hot.pluginLines().all().stream().filter(line -> line.contains(AUDIT) && line.contains("expired")))
                .hasSize(1);
    }

    // ---- metrics

    @Test
    void theLeaderShowsEveryMetricOfThePlugin() throws Exception {
        String scrape = cluster.metrics(hot);

        assertThat(PluginMetrics.names()).isNotEmpty().allSatisfy(name ->
                assertThat(scrape).containsPattern("(?m)^" + name + "[{ ]"));
        for (Reason reason : Reason.values()) {
            assertThat(scrape).containsPattern("(?m)^pulsar_avg_shedder_verdicts_total\\{.*reason=\"" + reason + "\"");
        }
        for (PlacementReason reason : PlacementReason.values()) {
            assertThat(scrape).containsPattern("(?m)^pulsar_avg_shedder_placements_total\\{.*reason=\"" + reason + "\"");
        }
        assertThat(scrape).doesNotContainPattern("(?m)^pulsar_avg_shedder_.*(shop|0x)");
    }

    @Test
    void theOthersShowThatTheyDoNotLead() throws Exception {
        for (Broker broker : cluster.brokers().subList(1, 4)) {
            assertThat(cluster.metrics(broker)).containsPattern("(?m)^pulsar_avg_shedder_leader(\\{.*})? 0\\.0")
                    .containsPattern("(?m)^pulsar_avg_shedder_rounds_total(\\{.*})? 0\\.0")
                    .doesNotContainPattern("(?m)^pulsar_avg_shedder_(score|gap|hits|pairs|shed_targets)");
        }
    }

    @Test
    void everyMetricOfDashboardAndRulesHasASeriesInPrometheus() throws Exception {
        List<String> asked = new ArrayList<>(Dashboard.read().expressions());
        asked.addAll(AlertRules.read().expressions());
        for (String name : MetricNames.in(asked)) {
            Prometheus.Answer answer = prometheus.ask(name);
            assertThat(answer.status()).as(name).isEqualTo("success");
            assertThat(answer.series()).as(name).isPositive();
        }
    }

    @Test
    void everyPanelOfTheDashboardShowsSomething() throws Exception {
        for (String query : Dashboard.read().panelQueries()) {
            Prometheus.Answer answer = prometheus.askOfAllTime(query);
            assertThat(answer.status() + answer.error()).as(query).isEqualTo("success");
            assertThat(answer.series()).as(query).isPositive();
        }
        for (String query : Dashboard.read().annotationQueries()) {
            assertThat(prometheus.askOfAllTime(query).status()).as(query).isEqualTo("success");
        }
    }

    @Test
    void prometheusEvaluatesEveryRule() throws Exception {
        assertThat(prometheus.ruleHealth()).hasSize(AlertRules.read().size())
                .allSatisfy((rule, health) -> assertThat(health).as(rule).containsExactly("ok"));
        assertThat(prometheus.ask("ALERTS").series()).isZero();
    }

    // ---- JMX

    @Test
    void theBeanTellsOfSettingsRoundsBudgetAndTargets() throws Exception {
        try (JMXConnector jmx = hot.jmx()) {
            ObjectName name = new ObjectName("io.avgshedder:type=AvgShedder,name=1");
            assertThat(jmx.getMBeanServerConnection().queryNames(new ObjectName("io.avgshedder:*"), null))
                    .containsExactly(name);
            assertThat(jmx.getMBeanServerConnection().getAttribute(name, "Leader")).isEqualTo(true);
            assertThat(lines(jmx, name, "Settings")).contains(
                    "loadBalancerAvgShedderDryRun=false (settings file)",
                    "loadBalancerAvgShedderMaxUnloads=cluster=3/2m (settings file)");
            List<String> rounds = lines(jmx, name, "Rounds");
            assertThat(rounds).first().asString().startsWith("Round ");
            assertThat(rounds).anyMatch(line -> line.startsWith("  BUDGET "))
                    .anyMatch(line -> line.startsWith("  DRY_RUN " + hot.id() + " -> "))
                    .anyMatch(line -> line.startsWith("  MOVED " + hot.id() + " -> "));
            assertThat(lines(jmx, name, "Budget")).singleElement().asString().startsWith("cluster 3/2m: ");
            assertThat(lines(jmx, name, "Refusals")).isEmpty();
            assertThat(jmx.getMBeanServerConnection().getAttribute(name, "ShedTargetCount"))
                    .isEqualTo(lines(jmx, name, "ShedTargets").size());
        }
    }

    private static List<String> lines(JMXConnector jmx, ObjectName name, String attribute)
            throws IOException, JMException {
        return List.of((String[]) jmx.getMBeanServerConnection().getAttribute(name, attribute));
    }

    // ---- the run

    /** In one step, as the README tells to. */
    private static void writeSettings(boolean dryRun, Instant exemptUntil) throws IOException {
        Path next = settingsFile.resolveSibling("next.properties");
        Files.write(next, List.of(
                "loadBalancerAvgShedderDryRun=" + dryRun,
                "loadBalancerAvgShedderMaxUnloads=cluster=" + BUDGET + "/" + WINDOW.toMinutes() + "m",
                "loadBalancerAvgShedderNamespaceRules=" + AUDIT + " exempt until "
                        + exemptUntil.truncatedTo(ChronoUnit.SECONDS)));
        Files.move(next, settingsFile, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Broker startBroker() {
        Map<String, Object> keys = new TreeMap<>(ConfFile.example("broker-3.1-to-4.0.conf"));
        keys.putAll(ConfFile.example("wrong-cpu-or-nic-figures.conf"));
        keys.put("loadBalancerAvgShedderMsgRateCapacity", MSG_RATE_CAPACITY);
        keys.put("loadBalancerAvgShedderSettingsFile", settingsFile);
        keys.put("loadBalancerAvgShedderLowThreshold", 10);
        keys.put("loadBalancerAvgShedderHighThreshold", 20);
        keys.put("loadBalancerAvgShedderHitCountHighThreshold", 1);
        keys.putAll(DistributionCluster.QUICK_REPORTS);
        return cluster.startBroker(keys);
    }

    private static void load(String namespace, List<Double> rates) throws Exception {
        List<String> topics = cluster.createNamespaceWithOneTopicInEachBundle(namespace, rates.size());
        for (int i = 0; i < rates.size(); i++) {
            traffic.add(topics.get(i), rates.get(i));
        }
        hot.process().awaitThat("owns all of " + namespace, Duration.ofMinutes(1),
                () -> cluster.bundlesOwnedBy(hot, namespace).size() == rates.size());
    }

    private static double sum(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).sum();
    }

    private static Map<Broker, Set<String>> bundles() throws PulsarAdminException {
        Map<Broker, Set<String>> bundles = new LinkedHashMap<>();
        for (Broker broker : cluster.brokers()) {
            Set<String> owned = new TreeSet<>(cluster.bundlesOwnedBy(broker, ORDERS));
            owned.addAll(cluster.bundlesOwnedBy(broker, AUDIT));
            bundles.put(broker, owned);
        }
        return bundles;
    }

    private static Unloads allUnloads() {
        return Unloads.of(cluster.brokers().stream().map(broker -> broker.process().logLines()).toList(), "shop/");
    }

    private static Unloads unloads() {
        return allUnloads().after(dryRunEnd);
    }

    /** For people: what an operator would have seen of this run. */
    private static void writeReport() throws IOException {
        List<String> lines = new ArrayList<>(List.of("dry run from " + dryRunBegin + " to " + dryRunEnd
                + ", exemption until " + exemptionEnd));
        if (dryRunEnd != null) {
            unloads().all().forEach(unload -> lines.add("unloaded at " + unload.at() + " " + unload.bundle()));
            lines.add("most within " + WINDOW + ": " + unloads().mostWithin(WINDOW));
        }
        for (Broker broker : cluster.brokers()) {
            lines.add("== " + broker.process().name() + " " + broker.id() + " ==");
            lines.addAll(broker.pluginLines().story());
        }
        Files.write(OUTPUT.resolve("report.txt"), lines);
    }
}
