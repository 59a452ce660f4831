package io.avgshedder.demo;

import io.avgshedder.AvgShedder;
import io.avgshedder.cluster.EmbeddedBroker;
import io.avgshedder.cluster.EmbeddedCluster;
import io.avgshedder.cluster.Tally;
import io.avgshedder.cluster.Traffic;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.telemetry.RoundListeners;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.PulsarVersion;

/**
 * A real cluster of three brokers in this process, loaded unevenly and levelled before your eyes; half way a fourth broker
 * joins. Ends by itself within two minutes of the cluster being up, with exit status 0 only if the cluster is level and
 * no message was lost, and writes the same as a page, {@code target/demo.html}.
 *
 * <p>One round a second instead of one a minute: the plugin's clock runs sixty times as fast, so that every duration it
 * knows (hits, settling, quiet periods) keeps its proportion, and the settings stay those of a broker.
 */
public final class Demo {

    static final int LOW_THRESHOLD = 15;
    static final int HIGH_THRESHOLD = 40;
    static final int HITS_LOW = 8;
    static final int HITS_HIGH = 2;
    /** Messages a second, in and out, that are called 100 % of a broker. */
    static final int CAPACITY = 260;
    static final int SPEED = 60;

    private static final long ROUND_MILLIS = 60_000 / SPEED;

    private static final int BROKERS = 3;
    /** Topics on the first, second and third broker, each in a bundle of its own. */
    private static final int[] TOPICS = {15, 6, 3};
    private static final int BUNDLES = 32;
    private static final double SLOWEST_TOPIC = 5;
    private static final int RATES = 5;

    /** A broker that is up for ten of the plugin's minutes no longer counts as just started. */
    private static final double WARM_UP_SECONDS = 12;
    private static final double JOIN_AT_SECONDS = 45;
    private static final double WATCH_AFTER_JOIN_SECONDS = 20;
    private static final int QUIET_ROUNDS_AT_THE_END = 8;
    private static final double LAST_ROUND_SECONDS = 95;
    /** A round that hangs must not keep the demonstration from ending. */
    private static final double GIVE_UP_SECONDS = 110;

    private static final Path PAGE = Path.of("target", "demo.html");

    private final Screen screen;
    private final Chronicle chronicle = new Chronicle();
    private final EmbeddedCluster cluster;
    private final Traffic traffic;
    private final long up = System.nanoTime();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private String phase = "";
    private CompletableFuture<EmbeddedBroker> joining;
    private double joined = Double.POSITIVE_INFINITY;

    private Demo(Screen screen, EmbeddedCluster cluster, Traffic traffic) {
        this.screen = screen;
        this.cluster = cluster;
        this.traffic = traffic;
    }

    public static void main(String[] arguments) {
        System.setProperty("log4j2.configurationFile", "classpath:io/avgshedder/demo/demo-log4j2.xml");
        int status = 1;
        try {
            status = run() ? 0 : 1;
        } catch (Throwable e) {
            e.printStackTrace();
        }
        // the broker's libraries leave threads behind that would keep the process alive
        System.exit(status);
    }

    private static boolean run() throws Exception {
        Screen screen = Screen.on(Terminal.detect(), introduction());
        screen.show(new Chronicle(), "Starting ZooKeeper, a bookie and " + BROKERS + " brokers, about ten seconds");
        PluginClock.use(TimeSource.faster(SPEED));
        try (EmbeddedCluster cluster = EmbeddedCluster.start(BROKERS, settings());
                Traffic traffic = new Traffic(cluster.client())) {
            Summary summary = new Demo(screen, cluster, traffic).play();
            screen.say("");
            screen.say(summary.sentence());
            screen.say("The scores over time: " + PAGE.toAbsolutePath().toUri());
            return summary.success();
        }
    }

    private static String[] introduction() {
        return new String[] {
            "pulsar-avg-shedder on a real Pulsar " + PulsarVersion.getVersion() + " cluster in this process",
            "One round a second here. A broker runs one a minute; all its durations run " + SPEED
                    + " times faster alike. Score: messages in and out, " + CAPACITY + "/s are 100. Thresholds "
                    + LOW_THRESHOLD + " (" + HITS_LOW + " hits) and " + HIGH_THRESHOLD + " (" + HITS_HIGH + " hits)."
        };
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        settings.put("loadBalancerAvgShedderMsgRateCapacity", String.valueOf(CAPACITY));
        settings.put("loadBalancerAvgShedderLowThreshold", String.valueOf(LOW_THRESHOLD));
        settings.put("loadBalancerAvgShedderHighThreshold", String.valueOf(HIGH_THRESHOLD));
        settings.put("loadBalancerAvgShedderHitCountLowThreshold", String.valueOf(HITS_LOW));
        settings.put("loadBalancerAvgShedderHitCountHighThreshold", String.valueOf(HITS_HIGH));
        settings.put("loadBalancerSheddingGracePeriodMinutes", "30");
        return settings;
    }

    private Summary play() throws Exception {
        cluster.brokers().forEach(broker -> chronicle.know(broker.id()));
        phase("Placing topics unevenly and starting producers and consumers");
        load();
        phase("Warming up: the brokers measure their traffic");
        ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor();
        try (RoundListeners.Subscription listening = RoundListeners.subscribe(this::see)) {
            long warmUp = Math.max(0, (long) (1_000 * (WARM_UP_SECONDS - seconds())));
            rounds.scheduleWithFixedDelay(this::step, warmUp, ROUND_MILLIS, TimeUnit.MILLISECONDS);
            ended.get((long) (1_000 * (GIVE_UP_SECONDS - seconds())), TimeUnit.MILLISECONDS);
        } finally {
            rounds.shutdown();
            rounds.awaitTermination(1, TimeUnit.MINUTES);
        }
        phase("Waiting for the last messages");
        Tally messages = traffic.finish();
        chronicle.confirm(this::arrived);
        Summary summary = Summary.of(chronicle, messages);
        phase("Done");
        Files.createDirectories(PAGE.getParent());
        Files.writeString(PAGE, new DemoPage(chronicle, summary).html());
        return summary;
    }

    private void load() throws Exception {
        cluster.createNamespace("demo/traffic", BUNDLES);
        int count = 0;
        for (int topics : TOPICS) {
            count += topics;
        }
        List<String> topics =
                new ArrayList<>(cluster.oneTopicPerBundle("persistent://demo/traffic/topic-", count).values());
        int next = 0;
        for (int broker = 0; broker < BROKERS; broker++) {
            for (int i = 0; i < TOPICS[broker]; i++) {
                String topic = topics.get(next++);
                cluster.place(topic, cluster.brokers().get(broker));
                traffic.add(topic, SLOWEST_TOPIC + next % RATES);
            }
        }
    }

    /** One round; any failure ends the demonstration. */
    private void step() {
        if (ended.isDone()) {
            return;
        }
        try {
            joinHalfWay();
            int before = chronicle.moments().size();
            cluster.round();
            if (chronicle.moments().size() != before + 1) {
                throw new IllegalStateException("the leader ran a round, but the plugin did not say anything of it");
            }
            chronicle.confirm(this::arrived);
            phase(phaseAfterRound());
            if (isOver()) {
                ended.complete(null);
            }
        } catch (Throwable e) {
            ended.completeExceptionally(e);
        }
    }

    /** Called inside a round, when the plan is made and nothing of it is done yet. */
    private void see(Round round) {
        Map<String, Integer> bundles = new HashMap<>();
        cluster.brokers().forEach(broker -> bundles.put(broker.id(), broker.ownedBundles().size()));
        chronicle.add(new Chronicle.Moment(seconds(), round, bundles, cluster.leader().id()));
        phase(phaseAfterRound());
    }

    private void joinHalfWay() throws Exception {
        if (joining == null && seconds() >= JOIN_AT_SECONDS) {
            joining = CompletableFuture.supplyAsync(() -> {
                try {
                    return cluster.addBroker();
                } catch (Exception e) {
                    throw new IllegalStateException("the fourth broker did not start", e);
                }
            });
        } else if (joining != null && joining.isDone() && Double.isInfinite(joined)) {
            EmbeddedBroker broker = joining.get();
            joined = seconds();
            chronicle.join(joined, broker.id());
        }
    }

    private String phaseAfterRound() {
        boolean level = chronicle.last().spread() < LOW_THRESHOLD;
        if (joining == null) {
            return level ? "Level: nothing to move" : "Levelling the uneven load";
        }
        if (Double.isInfinite(joined)) {
            return "Half way: a fourth broker is starting";
        }
        return level ? "Level again, with the fourth broker" : "The fourth broker has joined: levelling again";
    }

    private boolean isOver() {
        double now = seconds();
        boolean settled = now >= joined + WATCH_AFTER_JOIN_SECONDS
                && chronicle.quietRounds() >= QUIET_ROUNDS_AT_THE_END
                && chronicle.last().spread() < LOW_THRESHOLD;
        return settled || now >= LAST_ROUND_SECONDS;
    }

    private boolean arrived(Transfer transfer) {
        return cluster.ownerOf(transfer.bundle()).filter(owner -> owner.id().equals(transfer.target())).isPresent();
    }

    private void phase(String words) {
        phase = words;
        screen.show(chronicle, phase);
    }

    private double seconds() {
        return (System.nanoTime() - up) / 1e9;
    }
}
