package io.avgshedder.sim;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: things happen in the order of their time, those of the same time in the order they were planned. */
final class EventQueue {

    private record Entry(long time, long number, Runnable action) {
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(
            Comparator.comparingLong(Entry::time).thenComparingLong(Entry::number));
    private long number;
    private long now;

    EventQueue(long start) {
        now = start;
    }

    /** Now, in milliseconds from the start of the leader's term. */
    long now() {
        return now;
    }

    /** Plans an action; one that lies in the past happens as soon as possible. */
    void at(long time, Runnable action) {
        entries.add(new Entry(Math.max(time, now), number++, action));
    }

    void after(double seconds, Runnable action) {
        at(now + Math.round(seconds * 1000), action);
    }

    void runUntil(long end) {
        while (!entries.isEmpty() && entries.peek().time <= end) {
            Entry next = entries.remove();
            now = next.time;
            next.action.run();
        }
        now = end;
    }
}
