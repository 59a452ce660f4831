package io.avgshedder.core;

import java.util.HashMap;
import java.util.Map;

/**
 * Transfers that were planned and did not come about.
 *
 * <p>A manager may drop a planned unload for reasons it does not tell (a policy, an error, a bundle that is being
 * split). The naive rule plans the same transfer in every round for ever. Here a transfer may fail twice at no cost;
 * from the third failure on it waits, twice as long each time, so that another bundle gets its chance.
 */
final class Failures {

    private static final int FREE = 2;
    private static final int MOST_DOUBLINGS = 4;

    private record Failure(int count, long retryAt) {
    }

    private final Map<Transfer, Failure> failures = new HashMap<>();

    /** Counts a failure; {@code pause} is the first wait in milliseconds. */
    void add(Transfer transfer, long pause, long now) {
        Failure before = failures.get(transfer);
        int count = before == null ? 1 : before.count + 1;
        int doublings = Math.min(MOST_DOUBLINGS, count - FREE - 1);
        failures.put(transfer, new Failure(count, doublings < 0 ? now : now + (pause << doublings)));
    }

    /** The transfer came about. */
    void clear(Transfer transfer) {
        failures.remove(transfer);
    }

    void clear() {
        failures.clear();
    }

    /**
     * Forgets failures whose wait ended more than {@code memory} milliseconds ago. A bundle that was unloaded and came
     * back rests for the grace period before it can fail again, so the memory must be longer than that.
     */
    void expire(long memory, long now) {
        failures.values().removeIf(failure -> now - failure.retryAt > memory);
    }

    boolean isBackedOff(Transfer transfer, long now) {
        Failure failure = failures.isEmpty() ? null : failures.get(transfer);
        return failure != null && now < failure.retryAt;
    }

    int count(Transfer transfer) {
        Failure failure = failures.get(transfer);
        return failure == null ? 0 : failure.count;
    }

    boolean isEmpty() {
        return failures.isEmpty();
    }

    /** When the earliest of the waiting transfers may be tried again. */
    long nextRetry(long now) {
        return failures.values().stream().mapToLong(Failure::retryAt).filter(at -> at > now).min().orElse(now);
    }
}
