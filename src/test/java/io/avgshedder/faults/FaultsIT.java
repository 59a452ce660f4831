package io.avgshedder.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.AvgShedder;
import io.avgshedder.cluster.EmbeddedBroker;
import io.avgshedder.cluster.EmbeddedCluster;
import io.avgshedder.cluster.LogEvents;
import io.avgshedder.cluster.RoundDriver;
import io.avgshedder.cluster.SteppedTime;
import io.avgshedder.cluster.Tally;
import io.avgshedder.cluster.Traffic;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyData;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyType;
import org.apache.pulsar.common.policies.data.NamespaceIsolationData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Something breaks while a plan is live. Whatever it is, the cluster ends level again, every message that a broker
 * acknowledged is delivered, no shed target stays behind, and the log tells what became of the plan.
 *
 * <p>One cluster serves all tests, in any order; each has a namespace of its own.
 */
class FaultsIT {

    private static final String CLUSTER = "test";
    private static final double LOW_THRESHOLD = 15;
    private static final int MOST_ROUNDS = 40;
    private static final int ROUNDS_TO_FORGET = 3;
    private static final int QUIET_ROUNDS = 40;

    private static final SteppedTime time = new SteppedTime();
    private static TimeSource clockBefore;
    private static EmbeddedCluster cluster;

    private LogEvents log;
    private PulsarClient client;
    private Traffic traffic;
    private RoundDriver rounds;
    private String namespace;

    @BeforeAll
    static void startCluster() throws Exception {
        clockBefore = PluginClock.use(time);
        Map<String, String> settings = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        settings.put("loadBalancerAvgShedderMsgRateCapacity", String.valueOf(RoundDriver.CAPACITY));
        settings.put("loadBalancerAvgShedderHitCountLowThreshold", "3");
        settings.put("forceDeleteNamespaceAllowed", "true");
        settings.put("zookeeperSessionExpiredPolicy", "reconnect");
        cluster = EmbeddedCluster.start(3, settings);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        PluginClock.use(clockBefore);
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void prepare(TestInfo test) throws Exception {
        log = new LogEvents("io.avgshedder.AvgShedder");
        while (cluster.brokers().size() < 3) {
            cluster.addBroker();
        }
        client = PulsarClient.builder()
                .serviceUrl(cluster.brokers().stream().map(broker -> broker.service().getBrokerServiceUrl()
                        .substring("pulsar://".length())).collect(Collectors.joining(",", "pulsar://", "")))
                .ioThreads(1)
                .listenerThreads(1)
                .statsInterval(0, TimeUnit.SECONDS)
                .maxBackoffInterval(1, TimeUnit.SECONDS)
                .build();
        traffic = new Traffic(client);
        namespace = "tenant/" + test.getTestMethod().orElseThrow().getName();
        cluster.createNamespace(namespace, 32);
        rounds = new RoundDriver(cluster, time, traffic, namespace);
        rounds.idleRounds(ROUNDS_TO_FORGET);
    }

    @AfterEach
    void cleanUp() throws Exception {
        rounds.close();
        log.close();
        traffic.close();
        client.close();
    }

    /** A broker that is neither the leader nor this one. */
    private static EmbeddedBroker another(EmbeddedBroker... not) {
        List<EmbeddedBroker> others = new ArrayList<>(cluster.brokers());
        others.remove(cluster.leader());
        others.removeAll(List.of(not));
        return others.get(0);
    }

    @Test
    void theTargetStopsBeforeThePlacement() throws Exception {
        EmbeddedBroker source = cluster.leader();
        EmbeddedBroker target = another();
        rounds.load(source, 9);
        rounds.load(another(target), 1);

        List<Transfer> plan = planAnd(() -> cluster.stop(target));

        assertThat(plan).extracting(Transfer::target).containsOnly(target.id());
        endsLevel();
        assertThat(told(plan)).anySatisfy(line -> assertThat(line).containsAnyOf(
                "goes wherever it is asked for: " + target.id() + " left or was refused",
                " instead of " + target.id(), "was not unloaded from", "stays on"));
    }

    @Test
    void theTargetStopsAfterThePlacement() throws Exception {
        EmbeddedBroker target = another();
        rounds.load(cluster.leader(), 9);
        rounds.load(another(target), 1);

        List<Transfer> plan = planAnd(() -> { });
        rounds.awaitDone(plan);
        cluster.stop(target);

        endsLevel();
        assertThat(log.messages(Level.INFO, "Placing " + plan.get(0).bundle() + " on " + target.id() + ": PLANNED"))
                .isNotEmpty();
        assertThat(told(plan)).isNotEmpty().allSatisfy(line -> assertThat(line)
                .containsAnyOf(target.id() + " left or was refused", " instead of " + target.id()));
    }

    @Test
    void theSourceStops() throws Exception {
        EmbeddedBroker source = another();
        rounds.load(source, 9);
        rounds.load(another(source), 1);

        List<Transfer> plan = planAnd(() -> cluster.stop(source));

        assertThat(plan).extracting(Transfer::source).containsOnly(source.id());
        endsLevel();
        assertThat(log.messages(Level.INFO, " from " + source.id() + " to " + plan.get(0).target())).isNotEmpty();
        assertThat(told(plan)).isNotEmpty();
    }

    @Test
    void theLeaderStopsBetweenPlanAndUnload() throws Exception {
        EmbeddedBroker leader = cluster.leader();
        EmbeddedBroker source = another();
        rounds.load(source, 9);
        rounds.load(another(source), 1);

        List<Transfer> plan = new ArrayList<>();
        try {
            plan.addAll(planAnd(() -> {
                plan.addAll(rounds.last().transfers());
                cluster.stop(leader);
            }));
        } catch (RuntimeException theRestOfItsRound) {
            assertThat(plan).as("the plan before %s", theRestOfItsRound).isNotEmpty();
        }

        assertThat(cluster.leader()).isNotSameAs(leader);
        endsLevel();
        assertThat(log.messages(Level.INFO, "First round of this broker as leader")).isNotEmpty();
    }

    @Test
    void theTargetsSessionIsLostAndRegained() throws Exception {
        EmbeddedBroker target = another();
        rounds.load(cluster.leader(), 9);
        rounds.load(another(target), 1);

        List<Transfer> plan = planAnd(() -> cluster.loseSession(target));

        assertThat(plan).extracting(Transfer::target).containsOnly(target.id());
        endsLevel();
        assertThat(told(plan)).isNotEmpty();
    }

    @Test
    void theSourcesSessionIsLostAndRegained() throws Exception {
        EmbeddedBroker source = another();
        rounds.load(source, 9);
        rounds.load(another(source), 1);

        List<Transfer> plan = planAnd(() -> cluster.loseSession(source));

        endsLevel();
        assertThat(told(plan)).isNotEmpty();
    }

    @Test
    void aNamespaceIsDeleted() throws Exception {
        rounds.load(cluster.leader(), 3);
        String doomed = namespace + "-doomed";
        cluster.createNamespace(doomed, 32);
        Traffic gone = new Traffic(client);
        List<Tally> tallies = new ArrayList<>();
        for (String topic : cluster.oneTopicPerBundle("persistent://" + doomed + "/topic-", 6).values()) {
            cluster.place(topic, cluster.leader());
            gone.add(topic, RoundDriver.RATE);
        }

        List<Transfer> plan = planAnd(() -> {
            try {
                tallies.add(gone.finish());
                gone.close();
                cluster.admin().namespaces().deleteNamespace(doomed, true);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(plan).extracting(Transfer::bundle).anyMatch(bundle -> bundle.startsWith(doomed + "/"));
        assertThat(tallies.get(0).lost()).isZero();
        endsLevel();
        assertThat(told(plan.stream().filter(transfer -> transfer.bundle().startsWith(doomed)).toList()))
                .isNotEmpty();
    }

    @Test
    void aBundleIsSplit() throws Exception {
        rounds.load(cluster.leader(), 9);

        List<Transfer> plan = planAnd(() -> {
            String bundle = rounds.last().transfers().get(0).bundle();
            admin("split", () -> cluster.admin().namespaces().splitNamespaceBundle(namespace,
                    bundle.substring(bundle.lastIndexOf('/') + 1), false, null));
        });

        endsLevel();
        assertThat(told(plan.subList(0, 1))).hasSize(1).allSatisfy(line -> assertThat(line)
                .containsAnyOf("was split: its parts have no plan", "was not unloaded from", "is in no report of"));
    }

    @Test
    void anIsolationPolicyForbidsTheTarget() throws Exception {
        EmbeddedBroker allowed = another();
        cluster.stop(another(allowed));
        // policies know hosts by name, and this one's is another
        EmbeddedBroker target = cluster.addBroker(Map.of("advertisedAddress", "localhost"));
        rounds.load(cluster.leader(), 9);
        rounds.load(allowed, 1);

        List<Transfer> plan = planAnd(() -> admin("isolate", () -> cluster.admin().clusters()
                .createNamespaceIsolationPolicy(CLUSTER, "faults", NamespaceIsolationData.builder()
                        .namespaces(List.of(namespace))
                        .primary(List.of("127.0.0.1"))
                        .secondary(List.of())
                        .autoFailoverPolicy(AutoFailoverPolicyData.builder()
                                .policyType(AutoFailoverPolicyType.min_available)
                                .parameters(Map.of("min_limit", "1", "usage_threshold", "100")).build())
                        .build())));
        try {
            assertThat(plan).extracting(Transfer::target).containsOnly(target.id());
            endsLevel(List.of(cluster.leader(), allowed));
            assertThat(plan).extracting(Transfer::bundle).noneMatch(target::owns);
        } finally {
            cluster.admin().clusters().deleteNamespaceIsolationPolicy(CLUSTER, "faults");
            cluster.stop(target);
        }
    }

    @Test
    void anUnloadTimesOut() throws Exception {
        rounds.load(cluster.leader(), 9);
        EmbeddedBroker leader = cluster.leader();

        List<Transfer> plan;
        try (TimingOut slow = TimingOut.at(leader)) {
            plan = planAnd(() -> { });
            assertThat(slow.timedOut()).isEqualTo(plan.size());
        }

        endsLevel();
        assertThat(told(plan)).hasSize(plan.size());
    }

    // ---- what every test does

    private interface AdminCall {
        void run() throws PulsarAdminException;
    }

    private static void admin(String what, AdminCall call) {
        try {
            call.run();
        } catch (PulsarAdminException e) {
            throw new IllegalStateException(what, e);
        }
    }

    /** Rounds until one plans something; what breaks then, breaks before the first bundle is placed. */
    private List<Transfer> planAnd(Runnable fault) {
        List<Transfer> plan = new ArrayList<>();
        cluster.betweenPlanAndPlacement(() -> {
            plan.addAll(rounds.last().transfers());
            fault.run();
        });
        for (int i = 0; plan.isEmpty(); i++) {
            assertThat(i).as("rounds until a plan").isLessThan(MOST_ROUNDS);
            rounds.round();
        }
        return plan;
    }

    /** How the stories of these bundles ended, as the log tells it. */
    private List<String> told(List<Transfer> plan) {
        List<String> endings = new ArrayList<>();
        for (Transfer transfer : plan) {
            log.lines().stream().map(LogEvents.Line::message)
                    .filter(line -> line.startsWith("Round ") && line.contains(": " + transfer.bundle() + " "))
                    .findFirst().ifPresent(endings::add);
        }
        return endings;
    }

    /** Level again; nothing lost; no target left. */
    private void endsLevel() throws Exception {
        endsLevel(cluster.brokers());
    }

    private void endsLevel(List<EmbeddedBroker> among) throws Exception {
        int quiet = 0;
        for (int i = 0; quiet < 4; i++) {
            Round round = rounds.round();
            assertThat(i).as("rounds until level, after %s", RoundDriver.sentences(round)).isLessThan(MOST_ROUNDS);
            quiet = round.transfers().isEmpty() && RoundDriver.spread(round, among) < LOW_THRESHOLD ? quiet + 1 : 0;
        }
        Tally tally = traffic.finish();
        assertThat(tally.acknowledged()).isPositive();
        assertThat(tally.lost()).as("%s", tally).isZero();
        assertThat(tally.failed()).as("%s", tally).isZero();
        for (int i = 0; i < QUIET_ROUNDS && rounds.liveTargets() > 0; i++) {
            rounds.idleRound();
        }
        assertThat(rounds.liveTargets()).as("shed targets").isZero();
        assertThat(log.messages(Level.ERROR, "")).isEmpty();
    }
}
