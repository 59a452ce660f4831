package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.AvgShedder;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.telemetry.RoundListeners;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker whose {@code broker.conf} is wrong starts, says each mistake in one line, and goes on with what it says. */
class MisconfiguredBrokerIT {

    private static final double CAPACITY = 200;
    private static final int TOPICS = 6;
    private static final double RATE = 12;
    private static final int MESSAGES_PER_ROUND = 6;
    private static final int MOST_ROUNDS = 6;
    private static final long MINUTE = 60_000;

    private static final String SHEDDING = "loadBalancerLoadSheddingStrategy";
    private static final String PLACEMENT = "loadBalancerLoadPlacementStrategy";
    private static final String THIRD_KEY = "loadBalancerPlacementStrategy";
    private static final String EVEN_DISTRIBUTION = "loadBalancerDistributeBundlesEvenlyEnabled";
    private static final String LOW = "loadBalancerAvgShedderLowThreshold";
    private static final String HIGH = "loadBalancerAvgShedderHighThreshold";
    private static final String MSG_RATE_WEIGHT = "loadBalancerAvgShedderMsgRateWeight";
    private static final String MSG_RATE_CAPACITY = "loadBalancerAvgShedderMsgRateCapacity";
    private static final String MISSPELT = "loadBalancerAvgShedderHitCountLowTreshold";

    private final SteppedTime time = new SteppedTime();
    private final List<Round> rounds = new CopyOnWriteArrayList<>();
    private TimeSource clockBefore;
    private RoundListeners.Subscription listening;
    private LogEvents log;

    @BeforeEach
    void listen() {
        clockBefore = PluginClock.use(time);
        listening = RoundListeners.subscribe(rounds::add);
        log = new LogEvents(AvgShedder.class.getName());
    }

    @AfterEach
    void stopListening() {
        log.close();
        listening.close();
        PluginClock.use(clockBefore);
    }

    @Test
    void saysEveryMistakeOnceAndBalances() throws Exception {
        Map<String, String> lines = new HashMap<>();
        lines.put(SHEDDING, AvgShedder.class.getName());
        lines.put(EVEN_DISTRIBUTION, "true");
        lines.put(MSG_RATE_CAPACITY, String.valueOf(CAPACITY));
        lines.put(MSG_RATE_WEIGHT, "abc");
        lines.put(MISSPELT, "3");
        // a broker that declares this key does not start on such a line; the plugin meets it on those that do not
        Map<String, String> unread = Map.of(LOW, "abc");

        Verdict verdict = verdictThatMoves(lines, unread);

        assertThat(verdict.sentence()).contains("40", "2/2");
        assertThat(once(Level.ERROR, PLACEMENT + " is ")).endsWith(PLACEMENT + "=" + AvgShedder.class.getName());
        assertThat(once(Level.WARN, EVEN_DISTRIBUTION + " is true")).endsWith(EVEN_DISTRIBUTION + "=false");
        assertThat(once(Level.ERROR, MSG_RATE_WEIGHT)).contains("\"abc\"", "the default, 1, is used instead");
        assertThat(once(Level.ERROR, LOW)).contains("\"abc\"", "15");
        assertThat(once(Level.WARN, MISSPELT)).contains("nearest", "loadBalancerAvgShedderHitCountLowThreshold");
        List<String> thirdKey = log.messages(Level.ERROR, THIRD_KEY + " is ");
        boolean isNeeded = PulsarVersion.getVersion().equals("3.0.7");
        assertThat(thirdKey).as("said where this version needs it").hasSize(isNeeded ? 1 : 0);
        assertThat(problems()).as("lines of mistakes").hasSize(5 + thirdKey.size());
    }

    @Test
    void takesTheDefaultsForALowThresholdAboveTheHighOne() throws Exception {
        Map<String, String> lines = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        lines.put(MSG_RATE_CAPACITY, String.valueOf(CAPACITY));
        lines.put(LOW, "60");
        lines.put(HIGH, "50");

        Verdict verdict = verdictThatMoves(lines, Map.of());

        assertThat(verdict.sentence()).contains("40", "2/2");
        assertThat(once(Level.ERROR, LOW)).contains("60", HIGH, "50", "15 and 40, the defaults, are used instead");
        assertThat(problems()).as("lines of mistakes").hasSize(1);
    }

    /**
     * Starts two brokers with these lines and loads one of them.
     *
     * @param unread lines of {@code broker.conf} that the broker itself does not look at
     * @return the verdict of the first round that moves something, after its bundles were really taken over
     */
    private Verdict verdictThatMoves(Map<String, String> lines, Map<String, String> unread) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.startWithoutBookie(0, lines)) {
            for (int i = 0; i < 2; i++) {
                ServiceConfiguration configuration = cluster.configuration(Map.of());
                configuration.getProperties().putAll(unread);
                cluster.addBroker(configuration);
            }
            EmbeddedBroker loaded = cluster.brokers().get(0);
            EmbeddedBroker idle = cluster.brokers().get(1);
            assertThat(loaded.sheddingStrategy()).isExactlyInstanceOf(AvgShedder.class);
            cluster.createNamespace("tenant/namespace", 16);
            try (Traffic traffic = new Traffic(cluster.client())) {
                for (String topic : cluster.oneTopicPerBundle("non-persistent://tenant/namespace/topic-", TOPICS)
                        .values()) {
                    cluster.place(topic, loaded);
                    traffic.add(topic, RATE);
                }
                Round moving = roundThatMoves(cluster, traffic);
                EmbeddedCluster.awaitUntil("a bundle is taken over", () -> moving.transfers().stream()
                        .map(Transfer::bundle).anyMatch(idle::owns));
                return moving.verdicts().get(0);
            }
        }
    }

    private Round roundThatMoves(EmbeddedCluster cluster, Traffic traffic) {
        for (int i = 0; i < MOST_ROUNDS; i++) {
            cluster.measure();
            traffic.awaitAcknowledged(MESSAGES_PER_ROUND);
            time.advance(MINUTE);
            cluster.round();
            Round last = rounds.get(rounds.size() - 1);
            if (!last.transfers().isEmpty()) {
                return last;
            }
        }
        throw new AssertionError("nothing moved; the last round said " + rounds.get(rounds.size() - 1).verdicts());
    }

    private List<String> problems() {
        return Stream.of(Level.WARN, Level.ERROR).flatMap(level -> log.messages(level, "").stream()).toList();
    }

    private String once(Level level, String text) {
        List<String> messages = log.messages(level, text);
        assertThat(messages).as("%s lines with %s among %s", level, text, log.lines()).hasSize(1);
        return messages.get(0);
    }
}
