package io.avgshedder.cluster;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** One topic of a {@link Traffic}: a producer, a consumer that was there before the first message, and an adjustable rate. */
public final class TopicLoad {

    /** A send that has to wait for a bundle to find a new owner must not be given up. */
    private static final int SEND_TIMEOUT_SECONDS = 60;

    private final String topic;
    private final MessageLedger ledger = new MessageLedger();
    private final Consumer<byte[]> consumer;
    private final Producer<byte[]> producer;
    private final byte[] padding;
    private volatile double rate;
    private double due;

    TopicLoad(PulsarClient client, String topic, double rate, int messageBytes) throws PulsarClientException {
        this.topic = topic;
        this.rate = rate;
        this.padding = new byte[messageBytes - Integer.BYTES];
        this.consumer = client.newConsumer()
                .topic(topic)
                .subscriptionName("checker")
                .messageListener(this::receive)
                .subscribe();
        this.producer = client.newProducer()
                .topic(topic)
                .enableBatching(false)
                .sendTimeout(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .create();
    }

    public String topic() {
        return topic;
    }

    /** Messages per second from now on. */
    public void rate(double rate) {
        this.rate = rate;
    }

    public double rate() {
        return rate;
    }

    /** Sends what is due after so many more seconds. Called by one thread only. */
    void advance(double seconds) {
        for (due += rate * seconds; due >= 1; due--) {
            int number = ledger.send();
            byte[] message = ByteBuffer.allocate(Integer.BYTES + padding.length).putInt(number).put(padding).array();
            producer.sendAsync(message).whenComplete((id, failure) -> {
                if (failure == null) {
                    ledger.acknowledge(number);
                } else {
                    ledger.fail();
                }
            });
        }
    }

    private void receive(Consumer<byte[]> from, Message<byte[]> message) {
        ledger.receive(ByteBuffer.wrap(message.getData()).getInt());
        from.acknowledgeAsync(message);
    }

    void close() throws PulsarClientException {
        producer.close();
        consumer.close();
    }

    MessageLedger ledger() {
        return ledger;
    }
}
