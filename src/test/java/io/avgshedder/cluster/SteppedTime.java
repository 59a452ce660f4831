package io.avgshedder.cluster;

import io.avgshedder.pulsar.TimeSource;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A clock that stands still until a test moves it. Rounds can then follow each other as fast as the cluster goes, and
 * still be exactly a minute apart for the plugin.
 *
 * <p>What Pulsar stamps by the wall clock happened at the time that this clock showed at that instant.
 */
public final class SteppedTime implements TimeSource {

    private final long start = System.currentTimeMillis();
    private final NavigableMap<Long, Long> byWall = new ConcurrentSkipListMap<>(Map.of(start, start));

    public void advance(long millis) {
        // two steps within one millisecond of the wall are one longer step
        byWall.put(System.currentTimeMillis(), millis() + millis);
    }

    @Override
    public long millis() {
        return byWall.lastEntry().getValue();
    }

    @Override
    public long fromWall(long wallMillis) {
        Map.Entry<Long, Long> step = byWall.floorEntry(wallMillis);
        return step != null ? step.getValue() : wallMillis;
    }

    /** The time that a broker is up is left as it is, so that brokers started one after another are a new cluster. */
    @Override
    public long duration(long wallMillis) {
        return wallMillis;
    }
}
