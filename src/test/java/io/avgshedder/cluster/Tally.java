package io.avgshedder.cluster;

/**
 * What became of numbered messages.
 *
 * @param sent handed to the producers
 * @param acknowledged confirmed by a broker
 * @param failed given up by a producer; a failed message may or may not arrive
 * @param received different messages seen by the consumers
 * @param duplicates messages seen again, which Pulsar allows itself when a topic moves
 * @param lost confirmed by a broker and never seen by the consumer
 */
public record Tally(long sent, long acknowledged, long failed, long received, long duplicates, long lost) {

    static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0);

    Tally plus(Tally other) {
        return new Tally(sent + other.sent, acknowledged + other.acknowledged, failed + other.failed,
                received + other.received, duplicates + other.duplicates, lost + other.lost);
    }

    @Override
    public String toString() {
        return sent + " sent, " + acknowledged + " acknowledged, " + failed + " failed, " + received + " received, "
                + duplicates + " duplicates, " + lost + " lost";
    }
}
