package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.avgshedder.AvgShedder;
import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Metric;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.SharedState;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.telemetry.RoundListeners;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** Messages a second, in and out, that are called 100 %. */
    private static final double CAPACITY = 300;
    private static final double LOW_THRESHOLD = 15;
    private static final int HITS_LOW = 3;
    /** One topic takes eight points of its broker: so many messages a second, once in and once out. */
    private static final double RATE = 12;
    /** A round's rates are measured over at least so many messages of each topic. */
    private static final int MESSAGES_PER_ROUND = 6;
    private static final int MOST_ROUNDS = 25;
    private static final int IDLE_ROUNDS = 12;
    /** Without load no hit is kept, and who gave or took has settled. */
    private static final int ROUNDS_TO_FORGET = 3;
    private static final long MINUTE = 60_000;

    private static final SteppedTime time = new SteppedTime();
    private static TimeSource clockBefore;
    private static EmbeddedCluster cluster;

    private final List<Round> rounds = new CopyOnWriteArrayList<>();
    private RoundListeners.Subscription listening;
    private Traffic traffic;
    private String namespace;

    @BeforeAll
    static void startCluster() throws Exception {
        clockBefore = PluginClock.use(time);
        Map<String, String> settings = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        settings.put("loadBalancerAvgShedderMsgRateCapacity", String.valueOf(CAPACITY));
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
        listening = RoundListeners.subscribe(rounds::add);
        traffic = new Traffic(cluster.client());
        while (cluster.brokers().size() < 3) {
            cluster.addBroker();
        }
        namespace = "tenant/" + test.getTestMethod().orElseThrow().getName();
        cluster.createNamespace(namespace, 32);
        for (int i = 0; i < ROUNDS_TO_FORGET; i++) {
            idleRound();
        }
    }

    @AfterEach
    void cleanUp() throws Exception {
        listening.close();
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
        load(brokers.get(0), 9);
        load(brokers.get(1), 1);

        Round first = round();
        assertThat(first.transfers()).as("one round proves nothing").isEmpty();
        assertThat(first.brokers()).allMatch(score -> score.metric() == Metric.MSG_RATE);
        assertThat(score(first, brokers.get(0))).isCloseTo(percentOfCapacity(brokers.get(0)), within(1e-9));
        assertThat(score(first, brokers.get(2))).isZero();

        List<Transfer> moved = roundsUntilLevel();
        Round shedding = rounds.stream().filter(round -> !round.transfers().isEmpty()).findFirst().orElseThrow();
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
        load(leader, 9);
        load(substitute, 1);
        AtomicReference<List<Transfer>> planned = new AtomicReference<>();
        cluster.betweenPlanAndPlacement(() -> {
            planned.set(rounds.get(rounds.size() - 1).transfers());
            cluster.stop(doomed);
        });

        for (int i = 0; i < MOST_ROUNDS && planned.get() == null; i++) {
            round();
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
            load(broker, 18 / cluster.brokers().size());
        }
        roundsUntilLevel();

        EmbeddedBroker added = cluster.addBroker();
        assertThat(round().transfers()).as("the first round that sees a broker").isEmpty();
        List<Transfer> moved = roundsUntilMoved();

        assertThat(moved).extracting(Transfer::target).contains(added.id());
        assertNothingLost();
    }

    @Test
    void anIdleClusterHasNoShedTargetsLeft() throws Exception {
        load(cluster.brokers().get(0), 9);
        List<Transfer> moved = roundsUntilMoved();
        assertThat(liveTargets()).isEqualTo(moved.size());

        assertNothingLost();
        for (int i = 0; i < IDLE_ROUNDS; i++) {
            assertThat(idleRound().transfers()).isEmpty();
        }
        assertThat(liveTargets()).isZero();
    }

    private static int liveTargets() {
        return SharedState.of(cluster.leader().loadData()).liveTargets().size();
    }

    /** So many more topics of the test's namespace, each in a bundle of its own, with their bundles on this broker. */
    private void load(EmbeddedBroker broker, int topics) throws Exception {
        int sofar = traffic.topics().size();
        List<String> all = new ArrayList<>(
                cluster.oneTopicPerBundle("persistent://" + namespace + "/topic-", sofar + topics).values());
        for (String topic : all.subList(sofar, all.size())) {
            cluster.place(topic, broker);
            traffic.add(topic, RATE);
        }
    }

    /** One minute of the plugin's time, in which each topic got some messages, then a round. */
    private Round round() {
        cluster.measure();
        traffic.awaitAcknowledged(MESSAGES_PER_ROUND);
        return idleRound();
    }

    private Round idleRound() {
        time.advance(MINUTE);
        int before = rounds.size();
        cluster.round();
        assertThat(rounds).as("rounds told by the plugin").hasSize(before + 1);
        return rounds.get(before);
    }

    /** Rounds until the cluster is level and stays so; after each, all that was planned is where it was planned. */
    private List<Transfer> roundsUntilLevel() {
        List<Transfer> moved = new ArrayList<>();
        int quiet = 0;
        for (int i = 0; quiet < 4; i++) {
            Round round = round();
            assertThat(i).as("rounds until level, after %s", sentences(round)).isLessThan(MOST_ROUNDS);
            awaitDone(round.transfers());
            moved.addAll(round.transfers());
            quiet = round.transfers().isEmpty() && spread(round) < LOW_THRESHOLD ? quiet + 1 : 0;
        }
        return moved;
    }

    /** Rounds until one moves something; all of it is then where it was planned. */
    private List<Transfer> roundsUntilMoved() {
        for (int i = 0; i < MOST_ROUNDS; i++) {
            List<Transfer> moved = round().transfers();
            if (!moved.isEmpty()) {
                awaitDone(moved);
                return moved;
            }
        }
        throw new AssertionError("nothing moved in " + MOST_ROUNDS + " rounds; the last one said "
                + sentences(rounds.get(rounds.size() - 1)));
    }

    private static void awaitDone(List<Transfer> transfers) {
        for (Transfer transfer : transfers) {
            EmbeddedBroker target = cluster.broker(transfer.target());
            EmbeddedCluster.awaitUntil(transfer + " is done", () -> target.owns(transfer.bundle()));
        }
    }

    private static List<String> sentences(Round round) {
        return round.verdicts().stream().map(Verdict::sentence).toList();
    }

    private static double score(Round round, EmbeddedBroker broker) {
        return round.brokers().stream().filter(score -> score.broker().equals(broker.id()))
                .mapToDouble(BrokerScore::score).findFirst().orElseThrow();
    }

    /** What the leader was told of a broker's messages. */
    private static double percentOfCapacity(EmbeddedBroker broker) {
        LocalBrokerData report = cluster.leader().loadData().getBrokerData().get(broker.id()).getLocalData();
        return 100 * (report.getMsgRateIn() + report.getMsgRateOut()) / CAPACITY;
    }

    private static double spread(Round round) {
        List<BrokerScore> hottestFirst = round.brokers();
        return hottestFirst.get(0).score() - hottestFirst.get(hottestFirst.size() - 1).score();
    }

    private void assertNothingLost() throws Exception {
        Tally tally = traffic.finish();
        assertThat(tally.acknowledged()).isPositive();
        assertThat(tally.lost()).as("%s", tally).isZero();
        assertThat(tally.failed()).as("%s", tally).isZero();
    }
}
