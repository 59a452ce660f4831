package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import io.avgshedder.pulsar.SharedState;
import io.avgshedder.telemetry.RoundListeners;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Brings load where a test wants it, and takes rounds of the real load manager, a minute of the plugin's time apart.
 *
 * <p>Without load ({@link #idleRound}) three rounds forget the hits, and who gave or took has settled.
 */
public final class RoundDriver implements AutoCloseable {

    /** Messages a second, in and out, that are called 100 %. */
    public static final double CAPACITY = 300;
    /** One topic takes eight points of its broker: so many messages a second, once in and once out. */
    public static final double RATE = 12;
    /** A round's rates are measured over at least so many messages of each topic. */
    private static final int MESSAGES_PER_ROUND = 6;
    private static final long MINUTE = 60_000;

    private final EmbeddedCluster cluster;
    private final SteppedTime time;
    private final Traffic traffic;
    private final String namespace;
    private final List<Round> rounds = new CopyOnWriteArrayList<>();
    private final RoundListeners.Subscription listening = RoundListeners.subscribe(rounds::add);

    /** @param namespace exists, and has more bundles than there will be topics */
    public RoundDriver(EmbeddedCluster cluster, SteppedTime time, Traffic traffic, String namespace) {
        this.cluster = cluster;
        this.time = time;
        this.traffic = traffic;
        this.namespace = namespace;
    }

    /** So many more topics of the namespace, each in a bundle of its own, with their bundles on this broker. */
    public void load(EmbeddedBroker broker, int topics) throws Exception {
        int sofar = traffic.topics().size();
        List<String> all = new ArrayList<>(
                cluster.oneTopicPerBundle("persistent://" + namespace + "/topic-", sofar + topics).values());
        for (String topic : all.subList(sofar, all.size())) {
            cluster.place(topic, broker);
            traffic.add(topic, RATE);
        }
    }

    /** One minute of the plugin's time, in which each topic got some messages, then a round. */
    public Round round() {
        cluster.measure();
        traffic.awaitAcknowledged(MESSAGES_PER_ROUND);
        return idleRound();
    }

    /** A round without waiting for messages. */
    public Round idleRound() {
        time.advance(MINUTE);
        int before = rounds.size();
        cluster.round();
        assertThat(rounds).as("rounds told by the plugin").hasSize(before + 1);
        return rounds.get(before);
    }

    public void idleRounds(int count) {
        for (int i = 0; i < count; i++) {
            idleRound();
        }
    }

    /** All that the plugin has told of up to now. */
    public List<Round> all() {
        return List.copyOf(rounds);
    }

    public Round last() {
        return rounds.get(rounds.size() - 1);
    }

    public int liveTargets() {
        return SharedState.of(cluster.leader().loadData()).liveTargets().size();
    }

    /** Waits until every bundle is where it was planned. */
    public void awaitDone(List<Transfer> transfers) {
        for (Transfer transfer : transfers) {
            EmbeddedBroker target = cluster.broker(transfer.target());
            EmbeddedCluster.awaitUntil(transfer + " is done", () -> target.owns(transfer.bundle()));
        }
    }

    public static List<String> sentences(Round round) {
        return round.verdicts().stream().map(Verdict::sentence).toList();
    }

    /** Points between the hottest and the coldest of these brokers; each must have a score. */
    public static double spread(Round round, Collection<EmbeddedBroker> among) {
        List<String> names = among.stream().map(EmbeddedBroker::id).toList();
        DoubleSummaryStatistics scores = round.brokers().stream().filter(score -> names.contains(score.broker()))
                .mapToDouble(BrokerScore::score).summaryStatistics();
        assertThat(scores.getCount()).as("brokers with a score").isEqualTo(among.size());
        return scores.getMax() - scores.getMin();
    }

    @Override
    public void close() {
        listening.close();
    }
}
