package io.avgshedder.core;

/**
 * At most N instants in any window of length W, exactly.
 *
 * <p>The naive rule counts per calendar window and starts again at its end: with three per second, three at 0.9 s and
 * three at 1.0 s pass, six within 100 ms. Buckets make that error smaller and do not remove it; a token bucket lets up
 * to twice the limit through after a pause. The exact rule needs only the last N instants: one more is admitted if
 * the N-th newest is at least W old. So this is a ring of the last N instants, in order. The window is half-open: an
 * instant exactly W old has expired. Admission looks at one instant, counting is a binary search, and nothing has to
 * run while time passes.
 *
 * <ul>
 * <li><em>Instants are compared by their difference only</em>, so that a clock may start negative or run over the end
 *     of {@code long}. All instants in use must lie within {@link Long#MAX_VALUE} of each other.
 * <li><em>A clock that steps back</em> is taken to stand still at the newest instant until it has caught up: the limit
 *     holds by the clock's own account and by true time. {@link #untilFree} tells the whole wait, catching up included.
 * <li><em>A limit of 0</em> admits none; it does not mean "no limit".
 * <li><em>Limit and window may change at any time.</em> The newest instants that fit decide. Those that no longer fit
 *     are kept until the next admission all the same, so that a limit which is lowered and raised again within a
 *     window does not forget what it had admitted.
 * <li><em>Memory</em> is 8 bytes for each instant kept, at most N of them once one is admitted under the limit N.
 *     Limits above {@value #MAX_LIMIT} are refused.
 * </ul>
 *
 * <p>All times are in milliseconds. Not safe for use by several threads; the owner guards it by its own lock, because
 * it has to decide over several of these at once.
 */
final class RecentTimes {

    /** The largest limit; its ring takes 0.8 MB when it is full. */
    static final int MAX_LIMIT = 100_000;
    /** What {@link #untilFree} says where nothing is ever admitted. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int FIRST_CAPACITY = 8;

    private int limit;
    private long window;
    private long[] times = new long[0];
    private int head;
    private int size;

    /** @throws IllegalArgumentException as {@link #change} */
    RecentTimes(int limit, long windowMillis) {
        change(limit, windowMillis);
    }

    private RecentTimes(RecentTimes other) {
        limit = other.limit;
        window = other.window;
        times = other.times.clone();
        head = other.head;
        size = other.size;
    }

    /**
     * Sets limit and window anew.
     *
     * @throws IllegalArgumentException if the limit is negative or above {@link #MAX_LIMIT}, or the window below 1
     */
    void change(int limit, long windowMillis) {
        if (limit < 0 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("the limit is " + limit + ", but must be 0 to " + MAX_LIMIT);
        }
        if (windowMillis < 1) {
            throw new IllegalArgumentException("the window is " + windowMillis + " ms, but must be 1 or more");
        }
        this.limit = limit;
        this.window = windowMillis;
    }

    /** Takes the instant if the limit allows one more; what is refused leaves no trace. */
    boolean admit(long now) {
        if (untilFree(now) > 0) {
            return false;
        }
        long at = notBeforeNewest(now);
        int surplus = size - (limit - 1);
        if (surplus > 0) {
            head = index(surplus);
            size -= surplus;
        }
        if (size == times.length || times.length > limit) {
            reallocate(Math.min(limit, Math.max(FIRST_CAPACITY, 2 * size)));
        }
        times[index(size)] = at;
        size++;
        return true;
    }

    /** How many instants are in the window that ends now; above the limit only after the limit was lowered. */
    int used(long now) {
        long at = notBeforeNewest(now);
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at - get(middle) >= window) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return size - low;
    }

    /** How long until one more is admitted: 0 if now, {@link #NEVER} with a limit of 0. */
    long untilFree(long now) {
        if (limit == 0) {
            return NEVER;
        }
        if (size < limit) {
            return 0;
        }
        long decides = get(size - limit);
        return notBeforeNewest(now) - decides >= window ? 0 : window - (now - decides);
    }

    /**
     * Moves an instant to a later one, where the thing it stands for has happened later than it was admitted.
     *
     * @return whether there was such an instant
     */
    boolean postpone(long from, long to) {
        int at = find(from);
        if (at < 0) {
            return false;
        }
        if (to - from > 0) {
            while (at + 1 < size && to - get(at + 1) > 0) {
                times[index(at)] = get(at + 1);
                at++;
            }
            times[index(at)] = to;
        }
        return true;
    }

    /**
     * Takes an instant back, where the thing it stands for has not happened at all.
     *
     * @return whether there was such an instant
     */
    boolean remove(long instant) {
        int at = find(instant);
        if (at < 0) {
            return false;
        }
        while (at + 1 < size) {
            times[index(at)] = get(at + 1);
            at++;
        }
        size--;
        return true;
    }

    RecentTimes copy() {
        return new RecentTimes(this);
    }

    /** How many instants there is memory for. */
    int capacity() {
        return times.length;
    }

    private long notBeforeNewest(long now) {
        return size > 0 && now - get(size - 1) < 0 ? get(size - 1) : now;
    }

    /** The place of one of the equal instants, or -1. */
    private int find(long instant) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (get(middle) - instant < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < size && get(low) == instant ? low : -1;
    }

    /** Counted from the oldest. */
    private long get(int position) {
        return times[index(position)];
    }

    private int index(int position) {
        return (head + position) % times.length;
    }

    private void reallocate(int capacity) {
        long[] moved = new long[capacity];
        int first = Math.min(size, times.length - head);
        System.arraycopy(times, head, moved, 0, first);
        System.arraycopy(times, 0, moved, first, size - first);
        times = moved;
        head = 0;
    }
}
