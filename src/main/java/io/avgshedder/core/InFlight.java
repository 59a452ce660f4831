package io.avgshedder.core;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Load that was planned on or placed on a broker and that its report cannot show yet.
 *
 * <p>The naive rule reads reports only. Ten thousand bundles of a broker that died are looked up within seconds; every
 * lookup sees the same reports and answers the same coldest broker, which is then the hottest. Here each answer adds
 * the bundle's points to its broker until they are <em>proved</em>: the report was rewritten two host usage intervals
 * after the placement, or lists the bundle where the metric is a message or byte rate; at the latest after the longest
 * report interval.
 *
 * <p>A bundle counts once however often it is asked for: entries are keyed by its name, or by its identity where no
 * name is known.
 */
final class InFlight {

    /**
     * One bundle on its way.
     *
     * @param broker where it goes, or for relief where it came from
     * @param points what it adds there, or for relief takes away
     * @param load   its traffic
     * @param metric what decided, which tells how its arrival is proved
     * @param time   of the placement, or of the plan until then
     */
    record Entry(String broker, double points, BundleLoad load, Metric metric, long time) {
    }

    /** What is on its way to one broker. */
    record Sum(int bundles, double points, TrafficScale.Totals traffic) {

        static final Sum NONE = new Sum(0, 0, TrafficScale.Totals.NONE);

        private Sum plus(Entry entry) {
            return new Sum(bundles + 1, points + entry.points, traffic.plus(entry.load));
        }

        /** Without the entry; {@code null} once nothing is left, so that rounding never outlives the last bundle. */
        private Sum minus(Entry entry) {
            return bundles == 1 ? null : new Sum(bundles - 1, points - entry.points, traffic.minus(entry.load));
        }
    }

    private final Map<Object, Entry> entries = new LinkedHashMap<>();
    private final Map<String, Sum> sums = new HashMap<>();
    /** By broker: its score when the first of what is on its way was noted, and what has arrived since. */
    private final Map<String, Double> bases = new HashMap<>();
    private Set<String> changed = new HashSet<>();

    /** The key of a bundle whose name is not known. */
    record Identity(Object bundle) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Identity identity && identity.bundle == bundle;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(bundle);
        }
    }

    /** Notes a bundle for a broker whose reported score is this. */
    void put(Object key, Entry entry, double score) {
        Double base = bases.get(entry.broker);
        withdraw(key);
        bases.putIfAbsent(entry.broker, base == null ? score : base);
        entries.put(key, entry);
        sums.put(entry.broker, on(entry.broker).plus(entry));
        changed.add(entry.broker);
    }

    /** Takes a bundle out that has arrived; returns its entry or {@code null}. */
    Entry remove(Object key) {
        Entry entry = entries.get(key);
        return entry == null ? null : take(key, entry.points);
    }

    /** Takes a bundle out that is asked for anew, and so has not arrived; returns its entry or {@code null}. */
    Entry withdraw(Object key) {
        return take(key, 0);
    }

    private Entry take(Object key, double arrived) {
        Entry entry = entries.remove(key);
        if (entry != null) {
            forget(entry, arrived);
        }
        return entry;
    }

    /** Drops what {@code proved} says has arrived; the key is a bundle's name or an {@link Identity}. */
    void removeIf(Predicate<Map.Entry<Object, Entry>> proved) {
        for (Iterator<Map.Entry<Object, Entry>> each = entries.entrySet().iterator(); each.hasNext();) {
            Map.Entry<Object, Entry> entry = each.next();
            if (proved.test(entry)) {
                each.remove();
                forget(entry.getValue(), entry.getValue().points);
            }
        }
    }

    /** Drops what is older than {@code life}; entries are in the order of their times. */
    void expire(long life, long now) {
        for (Iterator<Entry> oldest = entries.values().iterator(); oldest.hasNext();) {
            Entry entry = oldest.next();
            if (now - entry.time < life) {
                return;
            }
            oldest.remove();
            forget(entry, entry.points);
        }
    }

    private void forget(Entry entry, double arrived) {
        changed.add(entry.broker);
        sums.computeIfPresent(entry.broker, (broker, sum) -> sum.minus(entry));
        if (sums.containsKey(entry.broker)) {
            bases.merge(entry.broker, arrived, Double::sum);
        } else {
            bases.remove(entry.broker);
        }
    }

    /**
     * What a report with this score does not show yet of what is on its way. A report that is rewritten too early to
     * prove anything may show some of it already, and that must not count twice: with 20 points on the way to a broker
     * at 30, one that reports 44 has 6 more to expect, and one that reports 55 none.
     */
    Sum missing(String broker, double score) {
        Sum sum = on(broker);
        if (sum.bundles == 0 || sum.points <= 0) {
            return sum;
        }
        double points = Math.max(0, Math.min(sum.points, bases.get(broker) + sum.points - score));
        return points == sum.points ? sum : new Sum(sum.bundles, points, sum.traffic.times(points / sum.points));
    }

    /** The brokers for which anything has changed since this was called before. */
    Set<String> takeChanged() {
        Set<String> taken = changed;
        changed = new HashSet<>();
        return taken;
    }

    /** The brokers that something is on its way to. */
    Set<String> brokers() {
        return Set.copyOf(sums.keySet());
    }

    Sum on(String broker) {
        return sums.getOrDefault(broker, Sum.NONE);
    }

    Map<String, Sum> all() {
        return Map.copyOf(sums);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }
}
