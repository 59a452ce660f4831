package io.avgshedder.cluster;

import java.util.BitSet;

/** Keeps account of the messages of one topic, which are numbered from 0. Thread-safe. */
final class MessageLedger {

    private final BitSet acknowledged = new BitSet();
    private final BitSet received = new BitSet();
    private int sent;
    private long failed;
    private long duplicates;

    /** @return the number of the message that is sent now */
    synchronized int send() {
        return sent++;
    }

    synchronized void acknowledge(int number) {
        acknowledged.set(number);
    }

    synchronized void fail() {
        failed++;
    }

    synchronized void receive(int number) {
        if (received.get(number)) {
            duplicates++;
        } else {
            received.set(number);
        }
    }

    /** Nothing is under way: every message that was sent was acknowledged or has failed. */
    synchronized boolean settled() {
        return acknowledged.cardinality() + failed == sent;
    }

    synchronized long acknowledged() {
        return acknowledged.cardinality();
    }

    /** {@link Tally#lost} counts what is still on its way as well, until {@link #settled()} and delivered. */
    synchronized Tally tally() {
        BitSet lost = (BitSet) acknowledged.clone();
        lost.andNot(received);
        return new Tally(sent, acknowledged.cardinality(), failed, received.cardinality(), duplicates,
                lost.cardinality());
    }
}
