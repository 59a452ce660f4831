package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The brokers that a bundle may go to, measured once and compared at each question.
 *
 * <p>The naive rule measures and sorts the candidates of every lookup anew. Ten thousand bundles of a broker that died
 * are looked up within seconds, each with the same 1,000 candidates and the same reports, and what changes from one
 * lookup to the next is the load on its way to the one broker that was answered. So scores, capacities and the cluster's
 * sums are computed once for a list of reports and settings; a question then looks again at the brokers for which
 * something on its way has changed, and takes the lowest, in one pass. That is exact: the same figures in the same
 * order as if all were measured anew.
 *
 * <p>Not safe for use by several threads; {@link Placement} guards it by its lock.
 */
final class Candidates {

    /** A bundle without traffic still counts for this part of an average one: it may wake up. */
    private static final double LEAST_SHARE = 0.1;
    /** Predicted scores nearer than this, in points, are equal. */
    private static final double EQUAL = 1e-6;

    /** One broker, with what is on its way to it. */
    static final class Candidate {
        private final BrokerLoad load;
        private final BrokerScore score;
        private final boolean usable;
        private double capacity = 1;
        private double predicted;
        private int bundles;
        private boolean preferred;

        private Candidate(BrokerLoad load, BrokerScore score, boolean usable) {
            this.load = load;
            this.score = score;
            this.usable = usable;
        }

        BrokerLoad load() {
            return load;
        }

        BrokerScore score() {
            return score;
        }

        /** The capacity in the metric of the highest score, relative to the candidates' mean. */
        double capacity() {
            return capacity;
        }

        /** The score with what is on its way. */
        double predicted() {
            return predicted;
        }
    }

    private final List<BrokerLoad> loads;
    private final Settings settings;
    private final List<Candidate> all = new ArrayList<>();
    private final Map<String, Candidate> byName = new HashMap<>();
    private TrafficScale scale;
    private double pointsPerTraffic;
    private double averageWeight;

    /** @param isStale whether a report has not changed for so long that its broker is not to be trusted */
    Candidates(List<BrokerLoad> loads, Settings settings, InFlight inFlight, Predicate<BrokerLoad> isStale) {
        this.loads = loads;
        this.settings = settings;
        for (BrokerLoad load : loads) {
            BrokerScore score = BrokerScore.of(load, settings);
            if (score != null) {
                add(load, score, isStale);
            }
        }
        if (all.isEmpty()) {
            loads.forEach(load -> add(load, new BrokerScore(load.name(), 0, Metric.CPU), isStale));
        }
        all.forEach(candidate -> predict(candidate, inFlight));
        all.sort(Comparator.comparing(candidate -> candidate.load.name()));
        all.stream().map(Candidate::score)
                .max(Comparator.comparingDouble(BrokerScore::score)
                        .thenComparing(BrokerScore::metric, Comparator.reverseOrder()))
                .ifPresent(highest -> measure(highest.metric()));
    }

    private void add(BrokerLoad load, BrokerScore score, Predicate<BrokerLoad> isStale) {
        boolean usable = !settings.draining().contains(load.name()) && !isStale.test(load);
        Candidate candidate = new Candidate(load, score, usable);
        all.add(candidate);
        byName.put(load.name(), candidate);
    }

    /** The cluster's points per traffic, and each candidate's capacity. */
    private void measure(Metric metric) {
        TrafficScale.Totals totals = TrafficScale.Totals.of(all.stream().map(Candidate::load).toList());
        scale = TrafficScale.of(metric, totals);
        double mean = all.stream().mapToDouble(candidate -> candidate.load.limit(metric, settings))
                .filter(limit -> limit > 0 && limit < Double.POSITIVE_INFINITY).average().orElse(1);
        double reported = 0;
        for (Candidate candidate : all) {
            double limit = candidate.load.limit(metric, settings);
            candidate.capacity = limit > 0 && limit < Double.POSITIVE_INFINITY ? limit / mean : 1;
            reported += candidate.score.score() * candidate.capacity;
        }
        double traffic = scale.of(totals);
        pointsPerTraffic = traffic > 0 ? reported / traffic : 0;
    }

    /** Whether these are the candidates of this very list, by these settings. */
    boolean isFor(List<BrokerLoad> loads, Settings settings) {
        return this.loads == loads && this.settings == settings;
    }

    /** Takes what is on its way now into account; looks only at brokers for which that has changed. */
    void predict(InFlight inFlight) {
        for (String broker : inFlight.takeChanged()) {
            Candidate candidate = byName.get(broker);
            if (candidate != null) {
                predict(candidate, inFlight);
            }
        }
        double predicted = 0;
        int bundles = 0;
        for (Candidate candidate : all) {
            predicted += candidate.predicted * candidate.capacity;
            bundles += candidate.bundles;
        }
        averageWeight = all.isEmpty() ? 0 : predicted / Math.max(bundles, all.size());
    }

    private void predict(Candidate candidate, InFlight inFlight) {
        InFlight.Sum onTheWay = inFlight.missing(candidate.load.name(), candidate.score.score());
        candidate.predicted = candidate.score.score() + onTheWay.points();
        candidate.bundles = candidate.load.bundleCount() + onTheWay.bundles();
        candidate.preferred = candidate.usable && candidate.predicted <= settings.overloadThreshold();
    }

    /** What a bundle adds to a broker of mean capacity, in points. */
    double weight(BundleLoad load, boolean hasHistory) {
        return hasHistory ? Math.max(LEAST_SHARE * averageWeight, scale.of(load) * pointsPerTraffic) : averageWeight;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The candidate of this name, {@code null} where it is none. */
    Candidate named(String broker) {
        return byName.get(broker);
    }

    /** By which rule {@link #choose} chooses. */
    PlacementReason reason() {
        return settings.placement() == PlacementMode.RANDOM ? PlacementReason.RANDOM : PlacementReason.PREDICTED;
    }

    /**
     * The best of those that may be had, {@code null} where there is none.
     *
     * @param previous the broker that was answered to the same question before
     * @param cursor   the broker that was answered last, after which the round robin goes on
     */
    Candidate choose(String previous, String cursor, RandomGenerator random, Predicate<Candidate> may) {
        if (settings.placement() == PlacementMode.RANDOM) {
            List<Candidate> able = all.stream().filter(may).toList();
            return able.isEmpty() ? null : able.get(random.nextInt(able.size()));
        }
        Candidate best = null;
        for (Candidate candidate : all) {
            if (may.test(candidate) && (best == null || isBetter(candidate, best, previous, cursor))) {
                best = candidate;
            }
        }
        return best;
    }

    private static boolean isBetter(Candidate one, Candidate other, String previous, String cursor) {
        if (one.preferred != other.preferred) {
            return one.preferred;
        }
        if (Math.abs(one.predicted - other.predicted) > EQUAL) {
            return one.predicted < other.predicted;
        }
        String name = one.load.name();
        String otherName = other.load.name();
        if (name.equals(previous) || otherName.equals(previous)) {
            return name.equals(previous);
        }
        if (one.bundles != other.bundles) {
            return one.bundles < other.bundles;
        }
        boolean after = name.compareTo(cursor) > 0;
        boolean otherAfter = otherName.compareTo(cursor) > 0;
        return after == otherAfter ? name.compareTo(otherName) < 0 : after;
    }
}
