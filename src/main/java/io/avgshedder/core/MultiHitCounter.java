package io.avgshedder.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The Multi Hit Algorithm of PIP-217: an imbalance is proved by rounds in a row, sooner where it is larger.
 *
 * <p>The naive rule counts hits of a pair. With scores 80, 80 and 20 the cold broker meets the first hot one in this
 * round and the other in the next, and no pair ever reaches two hits. A rule that counts hits of a broker without its
 * role moves load on noise: A 90, B 30 and a round later A 30, B 90 are two hits of each, though nothing is proved.
 *
 * <p>So hits belong to a broker <em>in a role</em>: a broker that changes from hot to cold, or has no pair, starts
 * again. At or above the high threshold a round counts at both levels; between the two it counts at the low level and
 * ends the high one; below the low threshold it ends both. A pair fires when either of its brokers has enough at
 * either level.
 */
final class MultiHitCounter {

    /** Which end of a pair a broker is. */
    enum Role { HOT, COLD }

    /**
     * One broker's hits.
     *
     * @param role        the role in which they were counted
     * @param low         rounds in a row at or above the low threshold
     * @param high        rounds in a row at or above the high threshold
     * @param firstReport the broker's report time at the first of them
     */
    record Hits(Role role, int low, int high, long firstReport) {

        private static Hits none(Role role, long report) {
            return new Hits(role, 0, 0, report);
        }

        private Hits next(BrokerPair pair, long report) {
            if (pair.gap() < pair.low()) {
                return none(role, report);
            }
            int nextLow = Math.min(low, Integer.MAX_VALUE - 1) + 1;
            int nextHigh = pair.gap() < pair.high() ? 0 : Math.min(high, Integer.MAX_VALUE - 1) + 1;
            return new Hits(role, nextLow, nextHigh, low == 0 ? report : firstReport);
        }

        boolean enough(Settings settings) {
            return low >= settings.hitCountLow() || high >= settings.hitCountHigh();
        }
    }

    /** The larger count of a pair at each level, and whether either of the two has enough. */
    record Count(int low, int high, boolean fires) {

        private static Count of(Hits hot, Hits cold, Settings settings) {
            return new Count(Math.max(hot.low, cold.low), Math.max(hot.high, cold.high),
                    hot.enough(settings) || cold.enough(settings));
        }
    }

    /** All hits of one broker, by what was looked at. */
    record Spent(Map<Metric, Hits> byGauge) {
    }

    /** By broker, then by {@link BrokerPair#gauge}. */
    private final Map<String, Map<Metric, Hits>> hits = new HashMap<>();

    /** Counts one round of a pair, for one thing that was looked at. */
    Count count(BrokerPair pair, Settings settings) {
        Hits hot = next(pair, pair.hot(), Role.HOT);
        Hits cold = next(pair, pair.cold(), Role.COLD);
        put(pair.hot(), pair, hot);
        put(pair.cold(), pair, cold);
        return Count.of(hot, cold, settings);
    }

    /** What {@link #count} would answer. */
    Count preview(BrokerPair pair, Settings settings) {
        return Count.of(next(pair, pair.hot(), Role.HOT), next(pair, pair.cold(), Role.COLD), settings);
    }

    private Hits next(BrokerPair pair, BrokerLoad broker, Role role) {
        return in(pair, broker, role).next(pair, broker.reportTime());
    }

    private void put(BrokerLoad broker, BrokerPair pair, Hits next) {
        hits.computeIfAbsent(broker.name(), any -> new HashMap<>(2)).put(pair.gauge(), next);
    }

    /** The broker's hits in this role; none, dated with its present report, where it has been in another. */
    Hits in(BrokerPair pair, BrokerLoad broker, Role role) {
        Map<Metric, Hits> all = hits.get(broker.name());
        Hits before = all == null ? null : all.get(pair.gauge());
        return before != null && before.role == role ? before : Hits.none(role, broker.reportTime());
    }

    /** What the pair has, without counting. */
    Count peek(BrokerPair pair, Settings settings) {
        return Count.of(in(pair, pair.hot(), Role.HOT), in(pair, pair.cold(), Role.COLD), settings);
    }

    /** Whether anything is remembered of the broker. */
    boolean knows(String broker) {
        return hits.containsKey(broker);
    }

    /** Takes a broker's hits for a transfer. */
    Spent spend(String broker) {
        Map<Metric, Hits> all = hits.remove(broker);
        return new Spent(all == null ? Map.of() : all);
    }

    /** Ends a broker's hits: it has no pair. */
    void clear(String broker) {
        hits.remove(broker);
    }

    /** Gives back what was spent on a transfer that did not happen. */
    void restore(String broker, Spent spent) {
        if (!spent.byGauge.isEmpty()) {
            hits.put(broker, spent.byGauge);
        }
    }

    void clearAll() {
        hits.clear();
    }

    /** Forgets brokers that are no longer there. */
    void retain(Set<String> brokers) {
        hits.keySet().retainAll(brokers);
    }
}
