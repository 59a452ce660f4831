package io.avgshedder.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Real producers and consumers that send numbered messages at a steady rate and keep account of every one of them.
 *
 * <p>What it proves: each message that a broker acknowledged reaches the consumer ({@link Tally#lost} is 0), whatever
 * happens to the owner of its topic. Duplicates are counted apart.
 */
public final class Traffic implements AutoCloseable {

    private static final int MESSAGE_BYTES = 256;
    private static final long TICK_MILLIS = 20;

    private final List<TopicLoad> topics = new CopyOnWriteArrayList<>();
    private final PulsarClient client;
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(
            task -> {
                Thread thread = new Thread(task, "traffic");
                thread.setDaemon(true);
                return thread;
            });
    private long lastTick = System.nanoTime();

    /** @param client stays open when the traffic is closed */
    public Traffic(PulsarClient client) {
        this.client = client;
        sender.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Starts to send on one more topic, {@code rate} messages a second. */
    public TopicLoad add(String topic, double rate) throws PulsarClientException {
        TopicLoad load = new TopicLoad(client, topic, rate, MESSAGE_BYTES);
        topics.add(load);
        return load;
    }

    public List<TopicLoad> topics() {
        return List.copyOf(topics);
    }

    private void tick() {
        long now = System.nanoTime();
        double seconds = (now - lastTick) / 1e9;
        lastTick = now;
        topics.forEach(topic -> topic.advance(seconds));
    }

    /**
     * Waits until each topic that sends at all has had so many more messages acknowledged, which takes
     * {@code messages / rate} seconds, or as long as a topic without an owner needs to find one. A rate measured over this
     * span is off by one message at most.
     */
    public void awaitAcknowledged(int messages) {
        List<TopicLoad> busy = topics.stream().filter(topic -> topic.rate() > 0).toList();
        List<Long> goals = busy.stream().map(topic -> topic.ledger().acknowledged() + messages).toList();
        EmbeddedCluster.awaitUntil(messages + " more messages on each topic", () -> {
            for (int i = 0; i < busy.size(); i++) {
                if (busy.get(i).ledger().acknowledged() < goals.get(i)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** The account so far; messages that are on their way count as lost until they arrive. */
    public Tally tally() {
        return topics.stream().map(topic -> topic.ledger().tally()).reduce(Tally.NONE, Tally::plus);
    }

    /** Stops sending for good, waits for all that is under way, and closes the account. */
    public Tally finish() throws InterruptedException {
        sender.shutdown();
        sender.awaitTermination(1, TimeUnit.MINUTES);
        EmbeddedCluster.awaitUntil("an answer to every message",
                () -> topics.stream().allMatch(topic -> topic.ledger().settled()));
        try {
            EmbeddedCluster.awaitUntil("every acknowledged message is received", () -> tally().lost() == 0);
        } catch (ConditionTimeoutException e) {
            return tally();
        }
        return tally();
    }

    @Override
    public void close() throws PulsarClientException {
        sender.shutdownNow();
        for (TopicLoad topic : topics) {
            topic.close();
        }
    }
}
