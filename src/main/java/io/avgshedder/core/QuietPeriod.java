package io.avgshedder.core;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holds transfers back while brokers come and go.
 *
 * <p>The naive rule sheds to every broker that appears. In a rolling restart each broker returns empty, is filled by
 * shedding, and the brokers that gave have to be filled again when the next one goes: a restart of 20 brokers costs
 * several hundred unloads and moves bundles back to where they came from. Waiting after every join is no better: a
 * broker that was added because the others are hot should get load at once.
 *
 * <p>So a newcomer costs one round, the first that sees it. A <em>return</em>, which is a join within 15 minutes after
 * a leave of the same broker, or a changed start time, is something else: from the second return of <em>different</em>
 * brokers on a rolling restart is assumed, and nothing moves until ten minutes after the last return. A broker counts
 * once for each such hold; one that returns again and again is crashing, and only that one is left out.
 */
final class QuietPeriod {

    private static final long MINUTE = 60_000;
    /** A join this long after a leave is a return. */
    static final long RETURN_MILLIS = 15 * MINUTE;
    /** A rolling restart is over this long after its last return. */
    static final long HOLD_MILLIS = 10 * MINUTE;
    /** Brokers that all started within this span were started together: a new cluster, not a rolling restart. */
    static final long TOGETHER_MILLIS = 2 * MINUTE;

    /** Why nothing may move, or that it may. */
    sealed interface State {

        /** Nothing is held back. */
        record Open() implements State {
        }

        /** These brokers are seen for the first time in this round. */
        record Newcomers(Set<String> brokers) implements State {
        }

        /** A rolling restart is assumed. */
        record RollingRestart(int returned, long since, long until) implements State {
        }
    }

    private final Map<String, Long> startTimes = new HashMap<>();
    private final Map<String, Long> left = new LinkedHashMap<>();
    private final Map<String, Long> returned = new TreeMap<>();
    private final Map<String, Long> restless = new HashMap<>();
    private boolean firstRound = true;
    private State state = new State.Open();

    /** Takes note of who is there; once a round. */
    void observe(ClusterSnapshot snapshot, long now) {
        expire(now);
        Map<String, Long> present = new TreeMap<>();
        snapshot.brokers().forEach(broker -> present.put(broker.name(), broker.startTime()));
        snapshot.withoutData().forEach(broker -> present.put(broker, 0L));
        Set<String> newcomers = new TreeSet<>();
        if (firstRound) {
            recentStarts(snapshot, now);
            firstRound = false;
        } else {
            present.forEach((broker, start) -> join(broker, start, now, newcomers));
        }
        startTimes.keySet().stream().filter(broker -> !present.containsKey(broker)).toList().forEach(broker -> {
            startTimes.remove(broker);
            left.put(broker, now);
        });
        startTimes.putAll(present);
        state = decide(newcomers);
    }

    private void join(String broker, long start, long now, Set<String> newcomers) {
        Long before = startTimes.get(broker);
        boolean joined = before == null;
        boolean restarted = !joined && before != 0 && start != 0 && before != start;
        if (!joined && !restarted) {
            return;
        }
        boolean isReturn = restarted || left.remove(broker) != null;
        if (!isReturn) {
            newcomers.add(broker);
        } else if (returned.putIfAbsent(broker, now) == null) {
            newcomers.add(broker);
        } else {
            restless.put(broker, now + HOLD_MILLIS);
        }
    }

    /**
     * A new leader has seen nobody leave. Brokers that are up for less than a hold count as returned when they started;
     * where all of them started together, that is a cluster that was started.
     *
     * <p>How long a broker is up is known as of its report, which may be a quarter of an hour old where the broker is
     * idle, so a cluster that started together can look as if it had not. There the start times tell: they are of
     * different clocks, but clocks that are wrong do not make them agree.
     */
    private void recentStarts(ClusterSnapshot snapshot, long now) {
        Map<String, Long> recent = new TreeMap<>();
        Map<String, Long> byOwnClock = new TreeMap<>();
        for (BrokerLoad broker : snapshot.brokers()) {
            if (broker.upMillis() >= 0 && broker.upMillis() < HOLD_MILLIS) {
                recent.put(broker.name(), now - broker.upMillis());
                byOwnClock.put(broker.name(), broker.startTime());
            }
        }
        boolean all = recent.size() == snapshot.brokers().size();
        if (!all || !areTogether(recent) && !areTogether(byOwnClock)) {
            returned.putAll(recent);
        }
    }

    private static boolean areTogether(Map<String, Long> times) {
        return times.isEmpty() || max(times) - min(times) <= TOGETHER_MILLIS;
    }

    private void expire(long now) {
        left.values().removeIf(time -> now - time > RETURN_MILLIS);
        restless.values().removeIf(until -> now >= until);
        boolean holding = returned.size() > 1;
        if (holding && now - max(returned) >= HOLD_MILLIS) {
            returned.clear();
        } else if (!holding) {
            returned.values().removeIf(time -> now - time > RETURN_MILLIS);
        }
    }

    private State decide(Set<String> newcomers) {
        if (returned.size() > 1) {
            return new State.RollingRestart(returned.size(), min(returned), max(returned) + HOLD_MILLIS);
        }
        return newcomers.isEmpty() ? new State.Open() : new State.Newcomers(newcomers);
    }

    /** What holds transfers back in the present round. */
    State state() {
        return state;
    }

    /** Whether this one broker keeps returning and takes no part until it has stayed. */
    boolean leavesOut(String broker) {
        return restless.containsKey(broker);
    }

    private static long max(Map<String, Long> times) {
        return times.values().stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE);
    }

    private static long min(Map<String, Long> times) {
        return times.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
    }
}
