package io.avgshedder.sim;

/** A bundle as it really is. */
final class SimBundle {

    final String name;
    final String namespace;
    final String isolation;
    final double base;
    final double size;

    /** The broker that serves it; {@code null} while it is being moved or looked up. */
    SimBroker owner;
    /** Where it would be had nobody ever shed it: its start, or where the last lookup put it. */
    SimBroker unshed;
    /** The logarithm of the factor by which its load has wandered. */
    double drift;
    double burstUntil = Double.NEGATIVE_INFINITY;
    /** Messages per second without what comes and goes within minutes. */
    double expected;
    /** Messages per second now. */
    double current;

    private double total;
    private long accruedTo;
    private double totalWhenRead;
    private long readAt;

    SimBundle(String name, String namespace, String isolation, double base, double size) {
        this.name = name;
        this.namespace = namespace;
        this.isolation = isolation;
        this.base = base;
        this.size = size;
    }

    void accrue(long now) {
        total += current * (now - accruedTo) / 1000.0;
        accruedTo = now;
    }

    /** Begins a new reading: its statistics start here. */
    void startReading(long now) {
        accrue(now);
        totalWhenRead = total;
        readAt = now;
    }

    /** The mean rate since the reading began, which ends. */
    double read(long now) {
        accrue(now);
        double rate = now > readAt ? (total - totalWhenRead) * 1000.0 / (now - readAt) : current;
        totalWhenRead = total;
        readAt = now;
        return rate;
    }
}
