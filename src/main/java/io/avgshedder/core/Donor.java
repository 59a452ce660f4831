package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The bundles of a broker that may have to give, measured once.
 *
 * <p>A broker's traffic is the larger of its own reported rate and the sum of its bundles: the two are sampled at
 * different moments, and a size computed from the smaller one moves too little. The sum counts every bundle, those
 * that must stay included, so that what an excluded namespace carries is made up for by others.
 *
 * <p><em>Dust</em> is a bundle below a tenth of the mean of its broker's bundles with traffic. Ten bundles of 1,000
 * msg/s among 500 of 0.01 have a mean of 19.6: without the rule a size of 9,500 would be filled with nine large bundles
 * and five hundred unloads that carry nothing.
 */
final class Donor {

    private static final double DUST = 0.1;
    private static final double RELIABLE = 0.1;

    /** A bundle and its traffic in the donor's scale. */
    record Candidate(BundleLoad bundle, double traffic) {

        static final Comparator<Candidate> LARGEST_FIRST = (one, other) -> one.traffic != other.traffic
                ? Double.compare(other.traffic, one.traffic) : one.bundle.name().compareTo(other.bundle.name());
    }

    private final double traffic;
    private final boolean reliable;
    private final int withTraffic;
    private final Candidate largest;
    private final List<Candidate> movable;

    private Donor(double traffic, boolean reliable, int withTraffic, Candidate largest, List<Candidate> movable) {
        this.traffic = traffic;
        this.reliable = reliable;
        this.withTraffic = withTraffic;
        this.largest = largest;
        this.movable = movable;
    }

    /** Reads a broker's bundles; those that {@code mayMove} refuses count for its traffic only. */
    static Donor read(BrokerLoad broker, TrafficScale scale, Predicate<? super BundleLoad> mayMove) {
        Reading reading = new Reading(scale, broker.bundleCount());
        broker.bundles().forEach(reading::add);
        reading.sum();
        double reported = scale.of(broker);
        double sum = scale.of(reading.messages, reading.bytesIn, reading.bytesOut);
        double traffic = Math.max(0, scale.of(Math.max(broker.messages(), reading.messages),
                Math.max(broker.bytesIn(), reading.bytesIn), Math.max(broker.bytesOut(), reading.bytesOut)));
        double dust = reading.all.isEmpty() ? 0 : DUST * sum / reading.all.size();
        List<Candidate> movable = new ArrayList<>(reading.all.size());
        for (Candidate candidate : reading.all) {
            if (candidate.traffic() >= dust && mayMove.test(candidate.bundle())) {
                movable.add(candidate);
            }
        }
        return new Donor(traffic, sum >= RELIABLE * reported, reading.all.size(),
                reading.all.isEmpty() ? null : reading.all.get(0), movable);
    }

    /** The broker's traffic in the scale's unit. */
    double traffic() {
        return traffic;
    }

    /** Whether the bundles explain at least a tenth of what the broker reports. */
    boolean isReliable() {
        return reliable;
    }

    /** How many bundles carry traffic, movable or not. */
    int withTraffic() {
        return withTraffic;
    }

    /** The bundle with the most traffic, movable or not; {@code null} where none has any. */
    Candidate largest() {
        return largest;
    }

    /** The part of the broker's traffic that its largest bundle carries, from 0 to 1. */
    double largestShare() {
        return largest == null ? 0 : largest.traffic() / traffic;
    }

    /** What may move and is above dust, the largest first. */
    List<Candidate> movable() {
        return movable;
    }

    /**
     * Sorts numbers first, and then what they leave: each holds a traffic's leading digits and its place, so that the
     * many comparisons need not visit the bundles. What is equal in them is put right by the second sort, which passes
     * once over what is in order.
     */
    private static List<Candidate> largestFirst(List<Candidate> candidates) {
        long places = Long.highestOneBit(Math.max(1, candidates.size())) * 2 - 1;
        long[] keys = new long[candidates.size()];
        for (int i = 0; i < keys.length; i++) {
            long descending = Long.MAX_VALUE - Double.doubleToLongBits(candidates.get(i).traffic);
            keys[i] = descending & ~places | i;
        }
        Arrays.sort(keys);
        Candidate[] sorted = new Candidate[keys.length];
        for (int i = 0; i < keys.length; i++) {
            sorted[i] = candidates.get((int) (keys[i] & places));
        }
        Arrays.sort(sorted, Candidate.LARGEST_FIRST);
        return Arrays.asList(sorted);
    }

    private static final class Reading {
        private final TrafficScale scale;
        private List<Candidate> all;
        private double messages;
        private double bytesIn;
        private double bytesOut;

        private Reading(TrafficScale scale, int bundles) {
            this.scale = scale;
            this.all = new ArrayList<>(bundles);
        }

        private void add(BundleLoad bundle) {
            double traffic = scale.of(bundle);
            if (traffic > 0) {
                all.add(new Candidate(bundle, traffic));
            }
        }

        /** Sums in the order of size: the last digits of a sum differ with its order, and the report has none. */
        private void sum() {
            all = largestFirst(all);
            for (Candidate candidate : all) {
                messages += candidate.bundle().messages();
                bytesIn += candidate.bundle().bytesIn();
                bytesOut += candidate.bundle().bytesOut();
            }
        }
    }
}
