package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.avgshedder.AvgShedder;
import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Metric;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * The plugin in real brokers, under real producers and consumers, driven by rounds of the real load manager.
 *
 * <p>One cluster serves all tests, in any order. Each has a namespace of its own, brings the load where it wants it, and
 * leaves a cluster without load.
 */
class ClusterIT {

    private static final double LOW_THRESHOLD = 15;
    private static final int HITS_LOW = 3;
    private static final int MOST_ROUNDS = 25;
    private static final int IDLE_ROUNDS = 12;
    private static final int ROUNDS_TO_FORGET = 3;

    private static final SteppedTime time = new SteppedTime();
    private static TimeSource clockBefore;
    private static EmbeddedCluster cluster;

    private Traffic traffic;
    private RoundDriver rounds;
    private String namespace;

    @BeforeAll
    static void startCluster() throws Exception {
        clockBefore = PluginClock.use(time);
        Map<String, String> settings = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        settings.put("loadBalancerAvgShedderMsgRateCapacity", String.valueOf(RoundDriver.CAPACITY));
        settings.put("loadBalancerAvgShedderHitCountLowThreshold", String.valueOf(HITS_LOW));
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
        traffic = new Traffic(cluster.client());
        while (cluster.brokers().size() < 3) {
            cluster.addBroker();
        }
        namespace = "tenant/" + test.getTestMethod().orElseThrow().getName();
        cluster.createNamespace(namespace, 32);
        rounds = new RoundDriver(cluster, time, traffic, namespace);
        rounds.idleRounds(ROUNDS_TO_FORGET);
    }

    @AfterEach
    void cleanUp() throws Exception {
        rounds.close();
        traffic.close();
    }

    @Test
    void aBrokerLoadsThePluginByItsName() {
        for (EmbeddedBroker broker : cluster.brokers()) {
            assertThat(broker.sheddingStrategy()).isExactlyInstanceOf(AvgShedder.class);
            assertThat(broker.placementStrategy()).isExactlyInstanceOf(AvgShedder.class);
        }
    }

    @Test
    void levelsAnImbalanceUnderTraffic() throws Exception {
        List<EmbeddedBroker> brokers = cluster.brokers();
        rounds.load(brokers.get(0), 9);
        rounds.load(brokers.get(1), 1);

        Round first = rounds.round();
        assertThat(first.transfers()).as("one round proves nothing").isEmpty();
        assertThat(first.brokers()).allMatch(score -> score.metric() == Metric.MSG_RATE);
        assertThat(score(first, brokers.get(0))).isCloseTo(percentOfCapacity(brokers.get(0)), within(1e-9));
        assertThat(score(first, brokers.get(2))).isZero();

        List<Transfer> moved = roundsUntilLevel();
        Round shedding = rounds.all().stream().filter(round -> !round.transfers().isEmpty()).findFirst().orElseThrow();
        assertThat(shedding.transfers()).extracting(Transfer::source).containsOnly(brokers.get(0).id());
        assertThat(shedding.transfers()).extracting(Transfer::target)
                .as("the pair of the hottest with the coldest, although the other soon would be colder")
                .containsOnly(brokers.get(2).id());
        assertThat(moved).as("no more than it takes").hasSizeBetween(5, 8);

        assertNothingLost();
    }

    @Test
    void aTargetThatStopsBetweenPlanAndPlacementIsReplaced() throws Exception {
        EmbeddedBroker leader = cluster.leader();
        List<EmbeddedBroker> others = cluster.brokers().stream().filter(broker -> broker != leader).toList();
        EmbeddedBroker doomed = others.get(0);
        EmbeddedBroker substitute = others.get(1);
        rounds.load(leader, 9);
        rounds.load(substitute, 1);
        AtomicReference<List<Transfer>> planned = new AtomicReference<>();
        cluster.betweenPlanAndPlacement(() -> {
            planned.set(rounds.last().transfers());
            cluster.stop(doomed);
        });

        for (int i = 0; i < MOST_ROUNDS && planned.get() == null; i++) {
            rounds.round();
        }

        assertThat(planned.get()).isNotEmpty().extracting(Transfer::target).containsOnly(doomed.id());
        for (Transfer transfer : planned.get()) {
            EmbeddedCluster.awaitUntil(transfer.bundle() + " has an owner",
                    () -> cluster.ownerOf(transfer.bundle()).isPresent());
        }
        assertThat(planned.get()).extracting(Transfer::bundle).as("what still helps goes to the next coldest broker")
                .anyMatch(substitute::owns);

        roundsUntilLevel();
        assertNothingLost();
    }

    @Test
    void aBrokerThatIsAddedGetsLoad() throws Exception {
        for (EmbeddedBroker broker : cluster.brokers()) {
            rounds.load(broker, 18 / cluster.brokers().size());
        }
        roundsUntilLevel();

        EmbeddedBroker added = cluster.addBroker();
        assertThat(rounds.round().transfers()).as("the first round that sees a broker").isEmpty();
        List<Transfer> moved = roundsUntilMoved();

        assertThat(moved).extracting(Transfer::target).contains(added.id());
        assertNothingLost();
    }

    @Test
    void anIdleClusterHasNoShedTargetsLeft() throws Exception {
        rounds.load(cluster.brokers().get(0), 9);
        List<Transfer> moved = roundsUntilMoved();
        assertThat(rounds.liveTargets()).isEqualTo(moved.size());

        assertNothingLost();
        for (int i = 0; i < IDLE_ROUNDS; i++) {
            assertThat(rounds.idleRound().transfers()).isEmpty();
        }
        assertThat(rounds.liveTargets()).isZero();
    }

    /** Rounds until the cluster is level and stays so; after each, all that was planned is where it was planned. */
    private List<Transfer> roundsUntilLevel() {
        List<Transfer> moved = new ArrayList<>();
        int quiet = 0;
        for (int i = 0; quiet < 4; i++) {
            Round round = rounds.round();
            assertThat(i).as("rounds until level, after %s", RoundDriver.sentences(round)).isLessThan(MOST_ROUNDS);
            rounds.awaitDone(round.transfers());
            moved.addAll(round.transfers());
            boolean level = RoundDriver.spread(round, cluster.brokers()) < LOW_THRESHOLD;
            quiet = round.transfers().isEmpty() && level ? quiet + 1 : 0;
        }
        return moved;
    }

    /** Rounds until one moves something; all of it is then where it was planned. */
    private List<Transfer> roundsUntilMoved() {
        for (int i = 0; i < MOST_ROUNDS; i++) {
            List<Transfer> moved = rounds.round().transfers();
            if (!moved.isEmpty()) {
                rounds.awaitDone(moved);
                return moved;
            }
        }
        throw new AssertionError("nothing moved in " + MOST_ROUNDS + " rounds; the last one said "
                + RoundDriver.sentences(rounds.last()));
    }

    private static double score(Round round, EmbeddedBroker broker) {
        return round.brokers().stream().filter(score -> score.broker().equals(broker.id()))
                .mapToDouble(BrokerScore::score).findFirst().orElseThrow();
    }

    /** What the leader was told of a broker's messages. */
    private static double percentOfCapacity(EmbeddedBroker broker) {
        LocalBrokerData report = cluster.leader().loadData().getBrokerData().get(broker.id()).getLocalData();
        return 100 * (report.getMsgRateIn() + report.getMsgRateOut()) / RoundDriver.CAPACITY;
    }

    private void assertNothingLost() throws Exception {
        Tally tally = traffic.finish();
        assertThat(tally.acknowledged()).isPositive();
        assertThat(tally.lost()).as("%s", tally).isZero();
        assertThat(tally.failed()).as("%s", tally).isZero();
    }
}
