package io.avgshedder.distribution;

import static io.avgshedder.distribution.DistributionCluster.messageRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.avgshedder.distribution.DistributionCluster.Broker;
import io.avgshedder.distribution.PluginLines.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The packaged jar in the official server distribution, in real time and under {@code pulsar-perf}.
 *
 * <p>Sixteen bundles carry equal traffic of four points each, twelve of them on one broker and four on a second; then a
 * third broker is added. Six bundles from the first to the third make those two equal and leave all three within
 * eight points, and that is what the plugin has to find, say and carry out. A placement that did not know of the
 * decision would choose otherwise: after four bundles the third broker is as warm as the second, which would get one
 * of the last two. The tests look at what was recorded.
 */
class DistributionIT {

    private static final Path HOME = Path.of(System.getProperty("avgshedder.distribution.home"));
    private static final Path JAR = Path.of(System.getProperty("avgshedder.jar"));
    private static final String VERSION = System.getProperty("avgshedder.version");
    private static final Path OUTPUT = Path.of("target/distribution-it").toAbsolutePath();

    private static final String NAMESPACE = "shop/orders";
    private static final int BUNDLES = 16;
    private static final int BUNDLES_OF_MIDDLE = 4;
    /** Messages per second over all topics; each is counted once when it comes in and once when it goes out. */
    private static final int RATE = 160;
    private static final double RATE_OF_BUNDLE = 2.0 * RATE / BUNDLES;

    /** The brokers share one host, so its CPU and network tell nothing of them; 25 bundles are 100 points. */
    private static final long MSG_RATE_CAPACITY = Math.round(25 * RATE_OF_BUNDLE);

    private static DistributionCluster cluster;
    private static Broker hot;
    private static Broker middle;
    private static Broker cold;

    private static Map<Broker, JsonNode> reportsBefore;
    private static Map<Broker, JsonNode> reportsAfter;
    private static Map<Broker, Set<String>> bundlesBefore;
    private static Map<Broker, Set<String>> bundlesAfter;
    private static PerfLog produced;
    private static PerfLog consumed;

    @BeforeAll
    static void levelACluster() throws Exception {
        String run = LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        cluster = new DistributionCluster(HOME, OUTPUT.resolve(run));
        DistributionCluster.install(HOME, JAR);
        cluster.startStorage();

        hot = startBroker();
        List<String> topics = cluster.createNamespaceWithOneTopicInEachBundle(NAMESPACE, BUNDLES);
        ServerProcess consumer = startPerf("consumer", "consume", topics,
                "--subscriptions", "billing", "--subscription-position", "Earliest");
        consumer.awaitThat("subscribes to all topics", Duration.ofMinutes(1),
                () -> cluster.bundlesOwnedBy(hot, NAMESPACE).size() == BUNDLES);
        ServerProcess producer = startPerf("producer", "produce", topics,
                "--rate", String.valueOf(RATE), "--size", "200");

        middle = startBroker();
        for (String bundle : someOf(cluster.bundlesOwnedBy(hot, NAMESPACE), BUNDLES_OF_MIDDLE)) {
            cluster.moveByHand(bundle, middle);
        }
        cold = startBroker();
        await("the imbalance is set up").atMost(Duration.ofMinutes(2)).ignoreExceptions().untilAsserted(() -> {
            assertThat(messageRate(cluster.loadReport(hot))).isCloseTo(12 * RATE_OF_BUNDLE, within(RATE_OF_BUNDLE));
            assertThat(messageRate(cluster.loadReport(middle))).isCloseTo(4 * RATE_OF_BUNDLE, within(RATE_OF_BUNDLE));
        });
        reportsBefore = reports();
        bundlesBefore = bundles();

        hot.process().awaitThat("has planned transfers", Duration.ofMinutes(5),
                () -> !hot.pluginLines().transfers().isEmpty());
        int round = hot.pluginLines().latestRound();
        hot.process().awaitThat("has held one more round", Duration.ofMinutes(2),
                () -> hot.pluginLines().latestRound() > round);
        reportsAfter = reports();
        bundlesAfter = bundles();

        producer.close();
        produced = PerfLog.of(producer.logLines());
        await("all that was sent is received").atMost(Duration.ofMinutes(1)).untilAsserted(() ->
                assertThat(PerfLog.of(consumer.logLines()).received()).isGreaterThanOrEqualTo(produced.sentInAll()));
        consumer.close();
        consumed = PerfLog.of(consumer.logLines());
    }

    @AfterAll
    static void stopEverything() throws IOException {
        if (cluster == null) {
            return;
        }
        try {
            writeReport();
        } finally {
            cluster.close();
        }
    }

    /** Without the plugin the broker would be up as well, silently under another load manager. */
    @Test
    void everyBrokerRunsTheModularLoadManager() {
        assertThat(reportsAfter).hasSize(3).allSatisfy((broker, report) ->
                assertThat(report.path("loadReportType").asText()).isEqualTo("LocalBrokerData"));
    }

    @Test
    void everyBrokerSaysWhichVersionItLoaded() {
        assertThat(cluster.brokers()).allSatisfy(broker ->
                assertThat(broker.pluginLines().loadedVersion()).contains(VERSION));
    }

    @Test
    void theLeaderSaysWithWhichSettingsItWorks() {
        assertThat(hot.pluginLines().effectiveSettings()).hasValueSatisfying(settings ->
                assertThat(settings).contains("loadBalancerAvgShedderMsgRateCapacity=" + MSG_RATE_CAPACITY));
    }

    @Test
    void noBrokerFindsFaultWithItsConfiguration() {
        assertThat(cluster.brokers()).allSatisfy(broker ->
                assertThat(broker.pluginLines().warningsAndErrors()).isEmpty());
    }

    @Test
    void theLeaderSaysThatSixBundlesMoveFromTheHotBrokerToTheAddedOne() throws Exception {
        assertThat(cluster.leader()).isEqualTo(hot);
        assertThat(hot.pluginLines().transfers()).hasSize(6).allSatisfy(transfer -> {
            assertThat(transfer.bundle()).isIn(bundlesBefore.get(hot));
            assertThat(transfer.source()).isEqualTo(hot.id());
            assertThat(transfer.target()).isEqualTo(cold.id());
        });
        assertThat(middle.pluginLines().transfers()).isEmpty();
        assertThat(cold.pluginLines().transfers()).isEmpty();
    }

    @Test
    void everyBundleIsWhereTheDecisionSaid() {
        List<String> moved = hot.pluginLines().transfers().stream().map(Transfer::bundle).toList();

        assertThat(bundlesAfter.get(cold)).containsExactlyInAnyOrderElementsOf(moved);
        assertThat(bundlesAfter.get(middle)).isEqualTo(bundlesBefore.get(middle));
        assertThat(bundlesAfter.get(hot)).hasSize(6).isSubsetOf(bundlesBefore.get(hot))
                .doesNotContainAnyElementsOf(moved);
    }

    @Test
    void theHotAndTheAddedBrokerEndEqual() {
        assertThat(messageRate(reportsBefore.get(cold))).isLessThan(RATE_OF_BUNDLE);
        assertThat(messageRate(reportsAfter.get(hot))).isCloseTo(6 * RATE_OF_BUNDLE, within(RATE_OF_BUNDLE));
        assertThat(messageRate(reportsAfter.get(cold))).isCloseTo(6 * RATE_OF_BUNDLE, within(RATE_OF_BUNDLE));
        assertThat(messageRate(reportsAfter.get(middle))).isCloseTo(4 * RATE_OF_BUNDLE, within(RATE_OF_BUNDLE));
    }

    @Test
    void producersAndConsumersGoOnWithoutAFailure() {
        assertThat(produced.failures()).isEmpty();
        assertThat(produced.sentInAll()).isGreaterThan(RATE * 60);
        assertThat(consumed.received()).isGreaterThanOrEqualTo(produced.sentInAll());
    }

    private static Broker startBroker() throws IOException {
        Map<String, Object> keys = new TreeMap<>(ConfFile.example("broker-3.1-to-4.0.conf"));
        keys.putAll(ConfFile.example("wrong-cpu-or-nic-figures.conf"));
        keys.put("loadBalancerAvgShedderMsgRateCapacity", MSG_RATE_CAPACITY);
        keys.putAll(DistributionCluster.QUICK_REPORTS);
        Broker broker = cluster.startBroker(keys);
        broker.process().awaitThat("has loaded the plugin", Duration.ofSeconds(20),
                () -> broker.pluginLines().loadedVersion().isPresent());
        return broker;
    }

    private static ServerProcess startPerf(String name, String command, List<String> topics, String... options) {
        List<String> arguments = new ArrayList<>(List.of(command, "--num-topics", String.valueOf(topics.size()),
                "--stats-interval-seconds", "5"));
        arguments.addAll(List.of(options));
        arguments.addAll(topics);
        return cluster.startPerf(name, arguments);
    }

    private static List<String> someOf(Set<String> bundles, int count) {
        return bundles.stream().sorted().limit(count).toList();
    }

    private static Map<Broker, JsonNode> reports() throws IOException, InterruptedException {
        Map<Broker, JsonNode> reports = new LinkedHashMap<>();
        for (Broker broker : cluster.brokers()) {
            reports.put(broker, cluster.loadReport(broker));
        }
        return reports;
    }

    private static Map<Broker, Set<String>> bundles() throws PulsarAdminException {
        Map<Broker, Set<String>> bundles = new LinkedHashMap<>();
        for (Broker broker : cluster.brokers()) {
            bundles.put(broker, cluster.bundlesOwnedBy(broker, NAMESPACE));
        }
        return bundles;
    }

    /** For people: what an operator would have seen of this run. */
    private static void writeReport() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Broker broker : cluster.brokers()) {
            lines.add("== " + broker.process().name() + " " + broker.id() + " ==");
            if (reportsBefore != null && reportsAfter != null) {
                lines.add(String.format(Locale.ROOT, "before: %2d bundles, %5.1f msg/s in and out",
                        bundlesBefore.get(broker).size(), messageRate(reportsBefore.get(broker))));
                lines.add(String.format(Locale.ROOT, "after:  %2d bundles, %5.1f msg/s in and out",
                        bundlesAfter.get(broker).size(), messageRate(reportsAfter.get(broker))));
            }
            lines.addAll(broker.pluginLines().story());
            lines.add("");
        }
        if (produced != null && consumed != null) {
            lines.add("pulsar-perf: " + produced.sentInAll() + " messages sent, " + produced.failures().size()
                    + " failures, " + consumed.received() + " received");
        }
        Files.write(OUTPUT.resolve("report.txt"), lines);
    }
}
