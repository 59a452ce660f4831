package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Pairs the brokers of one round, counts their hits, and decides what each pair that fires should move.
 *
 * <p>The naive rule pairs by rank alone: first with last, second with second last. Of 90 (one large bundle), 88 (twenty
 * bundles) and 10 the hottest broker, which cannot give, takes the only cold one, and the 88 is never helped. Here a
 * broker that cannot give takes no hot place, and the next hottest gets the partner in the same round. A broker that
 * settles can neither give nor take, so it is paired only after the others: it must not keep a pair at 7 of 8 hits
 * from its 8th. The odd broker in the middle has no pair.
 *
 * <p>A broker's bundles are read only where it may become a donor: hot in a pair at or above the low threshold, with
 * neither of the two settling. A quiet round touches none.
 */
final class PairPlanner {

    /** A pair of this round: what was said of it, or what it wants to move. */
    static final class Plan {
        private final BrokerPair pair;
        private final Reason reason;
        private final List<Donor.Candidate> chosen;
        private final Forecast forecast;
        private final Donor donor;
        private MultiHitCounter.Count count;

        private Plan(BrokerPair pair, Reason reason, List<Donor.Candidate> chosen, Forecast forecast, Donor donor) {
            this.pair = pair;
            this.reason = reason;
            this.chosen = chosen;
            this.forecast = forecast;
            this.donor = donor;
        }

        BrokerPair pair() {
            return pair;
        }

        /** Why nothing is wanted; {@code null} where the pair fires and {@link #chosen} should move. */
        Reason reason() {
            boolean counts = reason == null || reason == Reason.WAITING_FOR_REPORTS;
            return counts && !count.fires() ? Reason.COUNTING : reason;
        }

        List<Donor.Candidate> chosen() {
            return chosen;
        }

        Forecast forecast() {
            return forecast;
        }

        Donor donor() {
            return donor;
        }

        MultiHitCounter.Count count() {
            return count;
        }
    }

    /** A broker that looks for a partner. */
    private static final class Participant {

        private static final Comparator<Participant> HOTTEST_FIRST =
                Comparator.comparingDouble((Participant broker) -> broker.score)
                        .thenComparing(broker -> broker.load.name()).reversed();
        private static final Comparator<Participant> COLDEST_FIRST =
                Comparator.comparingDouble((Participant broker) -> broker.predicted)
                        .thenComparing(broker -> broker.load.name());

        private final BrokerLoad load;
        private final double score;
        private final double predicted;
        private boolean paired;
        private boolean withoutPlace;

        private Participant(BrokerLoad load, double score, double pointsOnTheWay) {
            this.load = load;
            this.score = score;
            this.predicted = score + pointsOnTheWay;
        }

        private boolean isFree() {
            return !paired && !withoutPlace;
        }
    }

    private final ClusterSnapshot snapshot;
    private final Settings settings;
    private final long now;
    private final Evidence evidence;
    private final MultiHitCounter hits;
    private final Failures failures;
    private final Refusals refusals;
    private final Map<String, InFlight.Sum> onTheWay;
    private final TrafficScale.Totals totals;
    private final RestingBundles resting;
    private final Map<Metric, TrafficScale> scales = new HashMap<>();
    private final List<Plan> plans = new ArrayList<>();
    private final List<Verdict> left = new ArrayList<>();

    PairPlanner(ClusterSnapshot snapshot, Settings settings, long now, Evidence evidence, MultiHitCounter hits,
                Failures failures, Placement.Review review) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.now = now;
        this.evidence = evidence;
        this.hits = hits;
        this.failures = failures;
        this.refusals = review.refusals();
        this.onTheWay = review.onTheWay();
        this.totals = TrafficScale.Totals.of(snapshot.brokers());
        this.resting = new RestingBundles(snapshot.unloaded().keySet());
    }

    /** The pairs, the hottest donor first. */
    List<Plan> plans() {
        return plans;
    }

    /** What is said of brokers that could not take a hot place. */
    List<Verdict> left() {
        return left;
    }

    /**
     * Pairs these brokers: first those that can give and take, then the rest, so that a broker that settles keeps no
     * one from a partner.
     */
    void pair(List<BrokerLoad> brokers, Map<String, BrokerScore> scores) {
        List<Participant> all = new ArrayList<>(brokers.size());
        for (BrokerLoad broker : brokers) {
            all.add(new Participant(broker, scores.get(broker.name()).score(), onTheWay(broker).points()));
        }
        match(all.stream().filter(broker -> !evidence.isSettling(broker.load.name())).toList());
        match(all.stream().filter(Participant::isFree).toList());
        for (Participant broker : all) {
            if (!broker.paired) {
                hits.clear(broker.load.name());
            }
        }
        plans.sort(Comparator.comparingDouble((Plan plan) -> scores.get(plan.pair.hot().name()).score())
                .thenComparing(plan -> plan.pair.hot().name()).reversed());
    }

    private void match(List<Participant> brokers) {
        List<Participant> hottest = brokers.stream().sorted(Participant.HOTTEST_FIRST).toList();
        List<Participant> coldest = brokers.stream().sorted(Participant.COLDEST_FIRST).toList();
        int first = 0;
        for (Participant hot : hottest) {
            if (hot.isFree()) {
                while (first < coldest.size() && !coldest.get(first).isFree()) {
                    first++;
                }
                findPartner(hot, coldest.subList(first, coldest.size()));
            }
        }
    }

    private InFlight.Sum onTheWay(BrokerLoad broker) {
        return onTheWay.getOrDefault(broker.name(), InFlight.Sum.NONE);
    }

    /**
     * Gives the hot broker the coldest free partner that can help it. One that is level with it already, while colder
     * ones refuse it, is left to those that can help that one.
     */
    private void findPartner(Participant hot, List<Participant> coldest) {
        BrokerPair refused = null;
        boolean incomparable = false;
        for (Participant cold : coldest) {
            if (cold == hot || !cold.isFree()) {
                continue;
            }
            BrokerPair pair = BrokerPair.of(hot.load, cold.load, onTheWay(cold.load).points(), settings);
            if (pair == null) {
                incomparable = true;
                continue;
            }
            Plan plan = plan(pair);
            if (plan == null) {
                refused = pair;
                continue;
            }
            if (refused != null && plan.reason == Reason.BELOW_THRESHOLD) {
                break;
            }
            if (takesPlace(plan)) {
                boolean settles = plan.reason == Reason.SETTLING;
                plan.count = settles ? hits.peek(pair, settings) : hits.count(pair, settings);
                plans.add(plan);
                hot.paired = true;
                cold.paired = true;
            } else {
                left.add(Sentences.withoutPlace(plan.reason, pair, plan.donor, failures, now));
                hot.withoutPlace = true;
            }
            return;
        }
        if (refused != null) {
            left.add(Sentences.withoutPlace(Reason.REFUSED, refused, null, failures, now));
            hot.withoutPlace = true;
        } else if (incomparable) {
            left.add(Sentences.incomparable(hot.load.name()));
            hot.withoutPlace = true;
        }
    }

    private static boolean takesPlace(Plan plan) {
        return plan.reason == null || switch (plan.reason) {
            case SETTLING, BELOW_THRESHOLD, WAITING_FOR_REPORTS -> true;
            default -> false;
        };
    }

    /** Looks at one pair; {@code null} where all that the donor could give is refused by this receiver. */
    private Plan plan(BrokerPair pair) {
        if (evidence.isSettling(pair.hot().name()) || evidence.isSettling(pair.cold().name())) {
            return new Plan(pair, Reason.SETTLING, List.of(), null, null);
        }
        if (pair.gap() < settings.lowThreshold()) {
            return new Plan(pair, Reason.BELOW_THRESHOLD, List.of(), null, null);
        }
        TrafficScale scale = scales.computeIfAbsent(pair.metric(), metric -> TrafficScale.of(metric, totals));
        if (scale.isEmpty()) {
            return new Plan(pair, Reason.NO_TRAFFIC, List.of(), null, null);
        }
        Donor donor = Donor.read(pair.hot(), scale, this::mayMove);
        if (!donor.isReliable()) {
            return new Plan(pair, Reason.BUNDLE_STATS_UNRELIABLE, List.of(), null, donor);
        }
        if (donor.movable().isEmpty() || donor.withTraffic() == 1) {
            return new Plan(pair, Reason.NOTHING_MOVABLE, List.of(), null, donor);
        }
        String receiver = pair.cold().name();
        List<Donor.Candidate> accepted = donor.movable();
        if (!refusals.isEmpty()) {
            accepted = accepted.stream().filter(candidate ->
                    !refusals.refuses(BundleRange.namespace(candidate.bundle().name()), receiver)).toList();
            if (accepted.isEmpty()) {
                return null;
            }
        }
        int able = accepted.size();
        if (!failures.isEmpty()) {
            accepted = accepted.stream().filter(candidate -> !failures.isBackedOff(
                    new Transfer(candidate.bundle().name(), pair.hot().name(), receiver), now)).toList();
        }
        Plan plan = size(pair, scale, donor, accepted);
        boolean isHeldBack = plan.reason == Reason.NOTHING_FITS && accepted.size() < able;
        return isHeldBack ? new Plan(pair, Reason.BACKED_OFF, List.of(), null, donor) : plan;
    }

    private Plan size(BrokerPair pair, TrafficScale scale, Donor donor, List<Donor.Candidate> accepted) {
        double coldTraffic = scale.of(pair.cold()) + scale.of(onTheWay(pair.cold()).traffic());
        TransferSize size = TransferSize.of(pair, donor.traffic(), coldTraffic, settings,
                smallestBelieved(pair, scale, donor.traffic()));
        if (size.bySlopes() && !(evidence.isFresh(pair.hot().name(), hits.in(pair.hot(), MultiHitCounter.Role.HOT))
                && evidence.isFresh(pair.cold().name(), hits.in(pair.cold(), MultiHitCounter.Role.COLD)))) {
            return new Plan(pair, Reason.WAITING_FOR_REPORTS, List.of(), null, donor);
        }
        List<Donor.Candidate> chosen = BundleSelector.choose(accepted, size.traffic(), size.forecast());
        return new Plan(pair, chosen.isEmpty() ? Reason.NOTHING_FITS : null, chosen, size.forecast(), donor);
    }

    private boolean mayMove(BundleLoad bundle) {
        String name = bundle.name();
        return !SystemBundles.contains(name) && !resting.contains(name)
                && (settings.excludedNamespaces().isEmpty()
                || !settings.excludedNamespaces().contains(BundleRange.namespace(name)));
    }

    private DoubleSupplier smallestBelieved(BrokerPair pair, TrafficScale scale, double hotTraffic) {
        double hotPerCapacity = hotTraffic / pair.hot().limit(pair.metric(), settings);
        return () -> {
            double smallest = Double.POSITIVE_INFINITY;
            for (BrokerLoad broker : snapshot.brokers()) {
                BrokerScore score = BrokerScore.of(broker, settings);
                double perCapacity = scale.of(broker) / broker.limit(pair.metric(), settings);
                if (score != null && TransferSize.isBelieved(score.score(), perCapacity, hotPerCapacity)) {
                    smallest = Math.min(smallest, perCapacity / score.score());
                }
            }
            return smallest;
        };
    }
}
