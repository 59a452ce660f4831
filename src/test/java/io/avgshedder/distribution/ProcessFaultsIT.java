package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.avgshedder.cluster.Tally;
import io.avgshedder.cluster.Traffic;
import io.avgshedder.distribution.DistributionCluster.Broker;
import io.avgshedder.distribution.PluginLines.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A broker process is killed, or loses its metadata session, within a second of a plan that concerns it. Whatever it
 * is, the cluster ends level again, every message that a broker acknowledged is delivered, no shed target stays behind,
 * and the log tells what became of the plan.
 *
 * <p>What brokers in one process cannot do: end without a word to anybody, and be cut off and go on. The four tests run
 * at the same time, each on a cluster of its own, because most of it is waiting for rounds.
 */
class ProcessFaultsIT {

    private static final Path HOME = Path.of(System.getProperty("avgshedder.distribution.home"));
    private static final Path JAR = Path.of(System.getProperty("avgshedder.jar"));
    private static final Path OUTPUT = Path.of("target/process-faults-it",
            LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"))).toAbsolutePath();

    private static final String NAMESPACE = "shop/orders";
    private static final int TOPICS = 10;
    /** Messages a second that each topic gets, and gives to its consumer. */
    private static final double RATE = 5;
    /** Messages a second, in and out, that are 100 points: nine topics are 60, and a difference of two is level. */
    private static final double MSG_RATE_CAPACITY = 150;
    private static final double LOW_THRESHOLD = 15;
    private static final int SESSION_TIMEOUT_MILLIS = 10_000;

    private static final Duration SETUP = Duration.ofMinutes(2);
    private static final Duration PLAN = Duration.ofMinutes(3);
    private static final Duration ELECTION = Duration.ofMinutes(2);
    private static final Duration LEVEL = Duration.ofMinutes(15);

    private Path directory;
    private DistributionCluster cluster;
    private NetworkLink firstToZooKeeper;
    private Broker leader;
    private Broker second;
    private Broker third;
    private PulsarClient client;
    private Traffic traffic;
    private List<String> topics;
    private List<Transfer> plan;
    private Instant broken;

    @BeforeAll
    static void install() {
        DistributionCluster.install(HOME, JAR);
    }

    @BeforeEach
    void start(TestInfo test) throws Exception {
        directory = Files.createDirectories(OUTPUT.resolve(test.getTestMethod().orElseThrow().getName()));
        dryRun(true);
        startCluster();
        client = PulsarClient.builder()
                .serviceUrl(cluster.serviceUrl())
                .ioThreads(1)
                .listenerThreads(1)
                .statsInterval(0, TimeUnit.SECONDS)
                .maxBackoffInterval(1, TimeUnit.SECONDS)
                .build();
        traffic = new Traffic(client);
        topics = cluster.createNamespaceWithOneTopicInEachBundle(NAMESPACE, TOPICS);
    }

    /** One after the other: twenty processes that start at once take each other the processors. */
    private void startCluster() {
        synchronized (ProcessFaultsIT.class) {
            cluster = new DistributionCluster(HOME, directory);
            cluster.startStorage();
            firstToZooKeeper = new NetworkLink(cluster.zooKeeperPort());
            String throughLink = "zk:" + DistributionCluster.HOST + ":" + firstToZooKeeper.port();
            leader = startBroker(Map.of("metadataStoreUrl", throughLink, "configurationMetadataStoreUrl", throughLink));
            second = startBroker(Map.of());
            third = startBroker(Map.of());
        }
    }

    private Broker startBroker(Map<String, ?> own) {
        Map<String, Object> keys = new TreeMap<>(ConfFile.example("broker-3.1-to-4.0.conf"));
        keys.putAll(ConfFile.example("wrong-cpu-or-nic-figures.conf"));
        keys.put("loadBalancerAvgShedderMsgRateCapacity", MSG_RATE_CAPACITY);
        keys.put("loadBalancerAvgShedderHitCountHighThreshold", 1);
        keys.put("loadBalancerAvgShedderHitCountLowThreshold", 1);
        keys.put("loadBalancerAvgShedderSettingsFile", directory.resolve("avg-shedder.properties"));
        keys.put("metadataStoreSessionTimeoutMillis", SESSION_TIMEOUT_MILLIS);
        keys.put("zookeeperSessionExpiredPolicy", "reconnect");
        keys.putAll(DistributionCluster.QUICK_REPORTS);
        keys.putAll(own);
        return cluster.startBroker(keys);
    }

    @AfterEach
    void stop() throws Exception {
        try {
            if (traffic != null) {
                traffic.close();
            }
            if (client != null) {
                client.shutdown();
            }
        } finally {
            cluster.close();
            if (firstToZooKeeper != null) {
                firstToZooKeeper.close();
            }
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theTargetIsKilled() throws Exception {
        awaitPlan(leader, second, third);

        breaks(() -> cluster.kill(third));

        endsLevel();
        everyBundleHasAnEnding(leader);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theSourceIsKilled() throws Exception {
        awaitPlan(second, leader, third);

        breaks(() -> cluster.kill(second));

        endsLevel();
        everyBundleHasAnEnding(leader);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theLeaderIsKilled() throws Exception {
        awaitPlan(second, leader, third);

        breaks(() -> cluster.kill(leader));

        endsLevel();
        assertThat(cluster.leader().pluginLines().effectiveSettings()).as("first round as leader").isPresent();
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void theLeadersSessionIsLostAndRegained() throws Exception {
        awaitPlan(leader, second, third);

        cluster.ask(second);
        breaks(firstToZooKeeper::cut);
        awaitThat("another broker leads", ELECTION, () -> !cluster.leader().equals(leader));
        firstToZooKeeper.mend();

        endsLevel();
        leader.process().assertAlive();
        assertThat(cluster.leader().pluginLines().effectiveSettings()).as("first round as leader").isPresent();
    }

    // ---- what every test does

    /** Nine bundles on the first, one on the second, none on the third: a plan from the first to the third. */
    private void awaitPlan(Broker source, Broker other, Broker target) throws Exception {
        load(source, topics.subList(0, TOPICS - 1));
        load(other, topics.subList(TOPICS - 1, TOPICS));
        awaitThat("rates are known", SETUP, () -> Math.abs(cluster.messageRate(source) - 2 * RATE * (TOPICS - 1)) < RATE
                && Math.abs(cluster.messageRate(other) - 2 * RATE) < RATE && cluster.messageRate(target) < RATE);
        assertThat(cluster.leader()).isEqualTo(leader);

        dryRun(false);
        await("a plan").atMost(PLAN).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50))
                .until(() -> !leader.pluginLines().transfers().isEmpty());
    }

    /** On, as long as the load is not where a test wants it. */
    private void dryRun(boolean dryRun) throws IOException {
        Path next = directory.resolve("next.properties");
        Files.writeString(next, "loadBalancerAvgShedderDryRun=" + dryRun);
        Files.move(next, directory.resolve("avg-shedder.properties"), StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    /** Traffic on these topics, with their bundles on this broker. */
    private void load(Broker broker, List<String> some) throws Exception {
        for (String topic : some) {
            traffic.add(topic, RATE);
            String bundle = NAMESPACE + "/" + cluster.admin().lookups().getBundleRange(topic);
            if (!cluster.bundlesOwnedBy(broker, NAMESPACE).contains(bundle)) {
                cluster.moveByHand(bundle, broker);
                awaitThat(bundle + " is on " + broker.id(), SETUP,
                        () -> cluster.bundlesOwnedBy(broker, NAMESPACE).contains(bundle));
            }
        }
    }

    private void breaks(Runnable fault) {
        fault.run();
        broken = Instant.now();
        plan = leader.pluginLines().transfers();
        assertThat(plan).as("what of its plan the leader could say").isNotEmpty();
    }

    /** Level again, with all of the traffic, and by a round that saw who is left; no target left; nothing lost. */
    private void endsLevel() throws Exception {
        await("level again").atMost(LEVEL).pollInterval(Duration.ofMillis(500)).ignoreExceptions().untilAsserted(() -> {
            List<Double> rates = new ArrayList<>();
            for (Broker broker : cluster.brokers()) {
                rates.add(cluster.messageRate(broker));
            }
            DoubleSummaryStatistics all = rates.stream().mapToDouble(rate -> rate).summaryStatistics();
            assertThat(all.getSum()).as("traffic").isCloseTo(2 * RATE * TOPICS, within(2 * RATE));
            assertThat((all.getMax() - all.getMin()) * 100 / MSG_RATE_CAPACITY).as("spread").isLessThan(LOW_THRESHOLD);
            assertThat(values(cluster.leader(), "score")).as("brokers of the last round").hasSize(rates.size());
            assertThat(values(cluster.leader(), "shed_targets")).as("shed targets").containsExactly(0.0);
        });
        Duration took = Duration.between(broken, Instant.now());
        Tally tally = traffic.finish();
        writeReport(took, tally);
        assertThat(tally.acknowledged()).isPositive();
        assertThat(tally.lost()).as("%s", tally).isZero();
        assertThat(cluster.brokers()).allSatisfy(broker -> {
            assertThat(broker.pluginLines().all()).noneMatch(line -> line.contains(" ERROR "));
            assertThat(values(broker, "failures_total")).containsExactly(0.0);
        });
    }

    private void everyBundleHasAnEnding(Broker teller) {
        await("the log tells how it ended").atMost(PLAN).untilAsserted(() -> {
            PluginLines lines = teller.pluginLines();
            assertThat(plan).allSatisfy(transfer -> assertThat(lines.endings(transfer.bundle())).isNotEmpty());
        });
    }

    /** The values of one of the plugin's metrics, as a Prometheus server gets them. */
    private List<Double> values(Broker teller, String metric) throws IOException, InterruptedException {
        return cluster.metrics(teller).lines()
                .filter(line -> line.startsWith("pulsar_avg_shedder_" + metric + "{"))
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                .toList();
    }

    private static void awaitThat(String what, Duration atMost, Callable<Boolean> condition) {
        await(what).atMost(atMost).pollInterval(Duration.ofMillis(500)).ignoreExceptions().until(condition);
    }

    /** For people: what an operator would have seen of this run. */
    private void writeReport(Duration took, Tally tally) throws IOException, PulsarAdminException {
        List<String> lines = new ArrayList<>();
        lines.add("broken at " + broken + ", level after " + took.toSeconds() + " s, " + tally);
        for (Broker broker : List.of(leader, second, third)) {
            lines.add("== " + broker.process().name() + " " + broker.id() + (cluster.brokers().contains(broker)
                    ? ", " + cluster.bundlesOwnedBy(broker, NAMESPACE).size() + " bundles ==" : ", killed =="));
            lines.addAll(broker.pluginLines().story());
        }
        Files.write(directory.resolve("report.txt"), lines);
    }
}
