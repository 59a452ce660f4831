package io.avgshedder.core;

import java.util.HashMap;
import java.util.Map;

/**
 * Where bundles were shed from, so that none is shed back soon.
 *
 * <p>The naive rule asks only that a bundle rests for the grace period. While load doubles and brokers join one after
 * another, one in a hundred bundles goes from an old broker to a new one and, 40 minutes later, from the new one back:
 * two disturbances for nothing, where another bundle of the same size would have done. For two grace periods after an
 * unload the way back to its source is closed; every other way is open.
 *
 * <p>Bounded by the unloads of two grace periods, and empty after one in which every pair was level.
 */
final class WayBack {

    private record Way(String bundle, String to) {
    }

    private final Map<Way, Long> closedUntil = new HashMap<>();

    /** Closes the way back of a bundle that was unloaded from this broker, wherever it went. */
    void close(String bundle, String source, long until) {
        closedUntil.put(new Way(bundle, source), until);
    }

    boolean isClosed(String bundle, String target, long now) {
        Long until = closedUntil.get(new Way(bundle, target));
        return until != null && now - until < 0;
    }

    boolean isEmpty() {
        return closedUntil.isEmpty();
    }

    void expire(long now) {
        closedUntil.values().removeIf(until -> now - until >= 0);
    }

    void clear() {
        closedUntil.clear();
    }
}
