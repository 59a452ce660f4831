package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
 * neither of the two settling, and once a round. A quiet round touches none.
 */
final class PairPlanner {

    /** A pair of this round: what was said of it, or what it wants to move. */
    static final class Plan {
        private final BrokerPair pair;
        private final Reason reason;
        private final Donor donor;
        private final List<Donor.Candidate> accepted;
        private final TransferSize size;
        private final List<Donor.Candidate> chosen;
        /** What a rule, a budget or the memory of futile transfers says, where that is the reason. */
        private String why = "";
        /** Whether another receiver may do where this one does not. */
        private boolean isOpenElsewhere;
        private double ceiling = Double.POSITIVE_INFINITY;
        private MultiHitCounter.Count count;

        private Plan(BrokerPair pair, Reason reason, Donor donor, List<Donor.Candidate> accepted, TransferSize size,
                     List<Donor.Candidate> chosen) {
            this.pair = pair;
            this.reason = reason;
            this.donor = donor;
            this.accepted = accepted;
            this.size = size;
            this.chosen = chosen;
        }

        static Plan withheld(BrokerPair pair, Reason reason, Donor donor) {
            return new Plan(pair, reason, donor, List.of(), null, List.of());
        }

        /** The pair takes its place with these hits. */
        Plan counted(MultiHitCounter.Count hits) {
            count = hits;
            return this;
        }

        BrokerPair pair() {
            return pair;
        }

        /** Why nothing is wanted; {@code null} where the pair fires and {@link #chosen} should move. */
        Reason reason() {
            boolean counts = reason == null || reason == Reason.WAITING_FOR_REPORTS;
            return counts && !count.fires() ? Reason.COUNTING : reason;
        }

        Donor donor() {
            return donor;
        }

        /** What the donor could give to this receiver, the largest first. */
        List<Donor.Candidate> accepted() {
            return accepted;
        }

        /** How much should move. */
        double size() {
            return size.traffic();
        }

        Forecast forecast() {
            return size.forecast();
        }

        /** Whether the two differ in speed as far as their reports tell, and not in size alone. */
        boolean differsInSpeed() {
            return size.bySlopes() || size.capped();
        }

        /** Traffic with which the receiver reaches a ceiling, whoever brings it; infinite without any. */
        double ceiling() {
            return ceiling;
        }

        /** The bundles that come nearest to the size, the largest first. */
        List<Donor.Candidate> chosen() {
            return chosen;
        }

        MultiHitCounter.Count count() {
            return count;
        }

        boolean isOverloaded(Settings settings) {
            return pair.hotScore() > settings.overloadThreshold();
        }

        PlannedTransfer transfer(Donor.Candidate bundle, Settings settings) {
            return new PlannedTransfer(
                    new Transfer(bundle.bundle().name(), pair.hot().name(), pair.cold().name()), bundle.bundle(),
                    pair.metric(), size.forecast().fall() * bundle.traffic(), pair.hotScore(),
                    size.forecast().rise() * bundle.traffic(), pair.cold().limit(pair.metric(), settings));
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

    private record DonorKey(String broker, Metric metric) {
    }

    /** A donor's bundles, read once a round however many receivers it is offered, and what held some of them back. */
    private record ReadDonor(Donor donor, Movability.Reading mayMove) {
    }

    private final ClusterSnapshot snapshot;
    private final Settings settings;
    private final long now;
    private final Evidence evidence;
    private final MultiHitCounter hits;
    private final Failures failures;
    private final WayBack wayBack;
    private final Futility futility;
    private final Refusals refusals;
    private final Map<String, InFlight.Sum> onTheWay;
    private final TrafficScale.Totals totals;
    private final Movability movability;
    private final Map<Metric, TrafficScale> scales = new HashMap<>();
    private final Map<Metric, BelievedSlopes> slopes = new HashMap<>();
    private final Map<DonorKey, ReadDonor> donors = new HashMap<>();
    private final List<BrokerLoad> settled = new ArrayList<>();
    private final List<Plan> plans = new ArrayList<>();
    private final List<Verdict> left = new ArrayList<>();

    PairPlanner(ClusterSnapshot snapshot, Settings settings, long now, Evidence evidence, MultiHitCounter hits,
                Failures failures, WayBack wayBack, Futility futility, Placement.Review review, Movability movability) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.now = now;
        this.evidence = evidence;
        this.hits = hits;
        this.failures = failures;
        this.wayBack = wayBack;
        this.futility = futility;
        this.refusals = review.refusals();
        this.onTheWay = review.onTheWay();
        this.totals = TrafficScale.Totals.of(snapshot.brokers());
        this.movability = movability;
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
        List<Participant> free = all.stream().filter(broker -> !evidence.isSettling(broker.load.name())).toList();
        free.forEach(broker -> settled.add(broker.load));
        match(free);
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
                while (!coldest.get(first).isFree()) {
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
        Plan closed = null;
        boolean incomparable = false;
        for (Participant cold : coldest) {
            if (cold == hot || !cold.isFree() || settings.draining().contains(cold.load.name())) {
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
            if ((refused != null || closed != null) && plan.reason == Reason.BELOW_THRESHOLD) {
                break;
            }
            if (plan.isOpenElsewhere) {
                closed = closed == null ? plan : closed;
                continue;
            }
            if (takesPlace(plan)) {
                plans.add(plan.counted(plan.reason == Reason.SETTLING
                        ? hits.peek(plan.pair, settings) : count(pair, plan.pair)));
                hot.paired = true;
                cold.paired = true;
            } else {
                left.add(Sentences.withoutPlace(plan.reason, plan.pair, plan.donor, plan.why, failures, now));
                hot.withoutPlace = true;
            }
            return;
        }
        if (closed != null) {
            left.add(Sentences.withoutPlace(closed.reason, closed.pair, closed.donor, closed.why, failures, now));
            hot.withoutPlace = true;
        } else if (refused != null) {
            left.add(Sentences.withoutPlace(Reason.REFUSED, refused, null, "", failures, now));
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

    /** Counts for everything that may trip the pair; the answer is for what decides. */
    private MultiHitCounter.Count count(BrokerPair byScore, BrokerPair deciding) {
        MultiHitCounter.Count decided = null;
        for (BrokerPair gauge : gauges(byScore)) {
            MultiHitCounter.Count count = hits.count(gauge, settings);
            if (gauge.gauge() == deciding.gauge()) {
                decided = count;
            }
        }
        return decided;
    }

    private List<BrokerPair> gauges(BrokerPair byScore) {
        return byScore.gauges(onTheWay(byScore.cold()).points(), settings);
    }

    /**
     * What decides of all that may trip a pair: of those that fire, or else of those at or above their low threshold,
     * the one with the largest gap over it; then the score, then the order of the metrics.
     */
    private BrokerPair deciding(BrokerPair byScore) {
        BrokerPair best = byScore;
        boolean bestFires = false;
        for (BrokerPair gauge : gauges(byScore)) {
            if (gauge.gap() < gauge.low()) {
                continue;
            }
            boolean fires = hits.preview(gauge, settings).fires();
            boolean isBetter = fires != bestFires ? fires : gauge.gap() - gauge.low() > best.gap() - best.low();
            if (isBetter || best.gap() < best.low()) {
                best = gauge;
                bestFires = fires;
            }
        }
        return best;
    }

    /** Looks at one pair; {@code null} where all that the donor could give is refused by this receiver. */
    private Plan plan(BrokerPair byScore) {
        if (evidence.isSettling(byScore.hot().name()) || evidence.isSettling(byScore.cold().name())) {
            return Plan.withheld(byScore, Reason.SETTLING, null);
        }
        BrokerPair pair = deciding(byScore);
        if (pair.gap() < pair.low()) {
            return Plan.withheld(pair, Reason.BELOW_THRESHOLD, null);
        }
        if (futility.isWaiting(pair.hot().name(), pair.metric(), now)) {
            Plan plan = Plan.withheld(pair, Reason.BACKED_OFF, null);
            plan.why = Sentences.futile(pair, futility, now);
            return plan;
        }
        TrafficScale scale = scale(pair.metric());
        if (scale.isEmpty()) {
            return Plan.withheld(pair, Reason.NO_TRAFFIC, null);
        }
        ReadDonor read = donors.computeIfAbsent(new DonorKey(pair.hot().name(), pair.metric()),
                any -> read(pair.hot(), scale));
        Donor donor = read.donor;
        Movability.Reading mayMove = read.mayMove;
        if (!donor.isReliable()) {
            return Plan.withheld(pair, Reason.BUNDLE_STATS_UNRELIABLE, donor);
        }
        if (donor.movable().isEmpty() || donor.withTraffic() == 1) {
            Plan plan = Plan.withheld(pair, donor.withTraffic() == 1 ? Reason.NOTHING_MOVABLE : mayMove.reason(), donor);
            plan.why = mayMove.why();
            return plan;
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
        List<Donor.Candidate> able = accepted;
        if (!wayBack.isEmpty() && pair.hotScore() <= settings.overloadThreshold()) {
            accepted = accepted.stream()
                    .filter(candidate -> !wayBack.isClosed(candidate.bundle().name(), receiver, now)).toList();
        }
        int away = accepted.size();
        if (!failures.isEmpty()) {
            accepted = accepted.stream().filter(candidate -> !failures.isBackedOff(
                    new Transfer(candidate.bundle().name(), pair.hot().name(), receiver), now)).toList();
        }
        Plan plan = size(pair, scale, donor, accepted);
        boolean isHeldBack = plan.reason == Reason.NOTHING_FITS && accepted.size() < able.size()
                && size(pair, scale, donor, able).reason != Reason.NOTHING_FITS;
        if (!isHeldBack) {
            return plan;
        }
        plan = Plan.withheld(pair, Reason.BACKED_OFF, donor);
        plan.why = accepted.size() < away ? "" : Sentences.wayBack(receiver);
        plan.isOpenElsewhere = true;
        return plan;
    }

    private ReadDonor read(BrokerLoad broker, TrafficScale scale) {
        Movability.Reading mayMove = movability.reading();
        return new ReadDonor(Donor.read(broker, scale, mayMove), mayMove);
    }

    private TrafficScale scale(Metric metric) {
        return scales.computeIfAbsent(metric, any -> TrafficScale.of(any, totals));
    }

    private Plan size(BrokerPair pair, TrafficScale scale, Donor donor, List<Donor.Candidate> accepted) {
        double coldTraffic = scale.of(pair.cold()) + scale.of(onTheWay(pair.cold()).traffic());
        double ceiling = belowCeilings(pair, donor);
        TransferSize size = TransferSize.of(pair, donor.traffic(), coldTraffic, settings,
                () -> slopes(pair.metric(), scale).smallest(
                        donor.traffic() / pair.hot().limit(pair.metric(), settings))).atMost(ceiling);
        if (size.bySlopes() && !(evidence.isFresh(pair.hot().name(), hits.in(pair, pair.hot(), MultiHitCounter.Role.HOT))
                && evidence.isFresh(pair.cold().name(), hits.in(pair, pair.cold(), MultiHitCounter.Role.COLD)))) {
            double certain = ReportTolerance.certainGap(pair, settings);
            if (certain < pair.low()) {
                return Plan.withheld(pair, Reason.WAITING_FOR_REPORTS, donor);
            }
            size = size.atMost((certain + pair.low()) / (size.forecast().fall() + size.forecast().rise()));
        }
        List<Donor.Candidate> chosen = BundleSelector.choose(accepted, size.traffic(), size.forecast());
        Plan plan = new Plan(pair, chosen.isEmpty() ? Reason.NOTHING_FITS : null, donor, accepted, size, chosen);
        plan.ceiling = ceiling;
        return plan;
    }

    /**
     * How much the receiver can take until one of its usages reaches its ceiling, where each unit of traffic brings
     * with it what it costs the donor. A usage that is not known is not below.
     */
    private double belowCeilings(BrokerPair pair, Donor donor) {
        double most = Double.POSITIVE_INFINITY;
        if (settings.ceilings().isEmpty()) {
            return most;
        }
        for (Metric metric : Metric.ALL) {
            double ceiling = settings.ceilings().of(metric);
            if (ceiling == Double.POSITIVE_INFINITY) {
                continue;
            }
            double usage = pair.cold().usage(metric, settings);
            double cost = pair.hot().usage(metric, settings) / donor.traffic()
                    * (pair.hot().limit(metric, settings) / pair.cold().limit(metric, settings));
            if (!settings.ceilings().allows(metric, usage)) {
                return 0;
            }
            most = Math.min(most, cost > 0 ? (ceiling - usage) / cost : most);
        }
        return most;
    }

    // ---- asked by the planner that levels

    /** The brokers that take part and do not settle. */
    List<BrokerLoad> settled() {
        return settled;
    }

    double reported(BrokerLoad broker) {
        return BrokerScore.of(broker, settings).score();
    }

    /** The score with what is on the way. */
    double predicted(BrokerLoad broker) {
        return reported(broker) + onTheWay(broker).points();
    }

    /** The mean of all settled scores but those of brokers that drain, each weighted by its capacity in this metric. */
    double mean(Metric metric) {
        double points = 0;
        double capacity = 0;
        for (BrokerLoad broker : settled) {
            double limit = broker.limit(metric, settings);
            if (!settings.draining().contains(broker.name()) && limit > 0 && limit < Double.POSITIVE_INFINITY) {
                points += predicted(broker) * limit;
                capacity += limit;
            }
        }
        return points / capacity;
    }

    /** What one broker could give to another; {@code null} where nothing. */
    Plan offer(BrokerLoad donor, BrokerLoad receiver) {
        BrokerPair pair = settings.draining().contains(receiver.name()) ? null
                : BrokerPair.of(donor, receiver, onTheWay(receiver).points(), settings);
        Plan plan = pair == null ? null : plan(pair);
        return plan == null || plan.size == null || plan.differsInSpeed() ? null : plan;
    }

    private BelievedSlopes slopes(Metric metric, TrafficScale scale) {
        return slopes.computeIfAbsent(metric, any -> BelievedSlopes.of(snapshot.brokers(), metric, scale, settings));
    }
}
