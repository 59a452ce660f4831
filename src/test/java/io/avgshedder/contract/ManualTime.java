package io.avgshedder.contract;

import io.avgshedder.pulsar.TimeSource;

/** A clock that a test sets; wall time and the plugin's time are the same. */
final class ManualTime implements TimeSource {

    private volatile long now = 1_700_000_000_000L;

    void advanceMinutes(int minutes) {
        now += minutes * 60_000L;
    }

    @Override
    public long millis() {
        return now;
    }
}
