package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;

/**
 * Goes on where pairing wastes: several donors serve one receiver in a round, and none goes beyond the mean.
 *
 * <p>Pairs level two brokers at a time. With four brokers at 80 and a new one at 0 the first shedding round takes 40
 * points from one of the four, which leaves 40, 40 and three at 80, and two more rounds follow, each after minutes of
 * settling; some of what was moved first moves again. The mean was 64 all along.
 *
 * <p>Here, one bundle at a time, the fired receiver with the lowest forecast takes from the donor with the highest the
 * largest bundle that keeps it at or below the capacity-weighted mean, plus half of that bundle, and below where any of
 * its donors began, without turning the two round by more than nobody sees. Last, fired donors that are still high give to whoever is lowest. A donor without a fit leaves the round. A
 * bundle moves at most once, and every step lowers the higher of its two brokers, so it ends.
 *
 * <p>Serving each fired pair by its own partner first, and the others with what is left, costs more: of 75, 60, 50 and
 * 35 it moves four bundles of 5 points and leaves 55, 60, 50 and 55, a spread of 10. Three leave 60, 60, 50 and 50, the
 * same spread: a step that cannot lower the spread is not worth an unload. Hence three rules of who takes part:
 * <ul>
 * <li>A broker whose pair did not fire <em>helps</em> as long as its forecast is above the mean and, by low, above the
 *     receiver's. Its own report may be a quarter of an hour old, and no hits stand for it.
 * <li>A donor gives no more when it is as low as the highest broker that cannot give, unless the receiver is still lower
 *     than the lowest one that cannot take.
 * <li>A pair that counts its hits is left alone. To take a bundle or two from it would make it settle, and count anew.
 * </ul>
 *
 * <p>A mean weighted by reported capacity is wrong for brokers whose speed the reports hide, and a mean of scores says
 * nothing of a metric that is looked at by itself. Such pairs are served as pairs would, and take no part in the rest. Nor
 * does the mean hold a pair back for good: of one broker at 90 and seventy at 20 it is 21, and no bundle of 5 points fits
 * below; a fired pair that is still out of level in the end is levelled by itself.
 */
final class LevelPlanner {

    /** A step that moves a forecast by less than this, in points, is not worth an unload. */
    private static final double NEGLIGIBLE = 1;
    /** Two brokers may be turned round by so much of low, where their gap shrinks to half at most. */
    private static final double TURN = 0.75;

    /** A donor may end by so much of low below the mean, or by half of a bundle. */
    private static final double BELOW = 0.5;

    private static final Comparator<Member> LOWEST_FIRST =
            Comparator.comparingDouble(Member::forecast).thenComparing(Member::name);
    private static final Comparator<Member> LOWEST_BEFORE =
            Comparator.comparingDouble(Member::before).thenComparing(Member::name);

    private static final class Member {
        private final BrokerLoad load;
        private final boolean fired;
        private final double before;
        private double forecast;
        /** Where the coolest of its donors began: it must not end above. */
        private double most = Double.POSITIVE_INFINITY;
        /** Traffic that it took in this round. */
        private double taken;

        private Member(BrokerLoad load, boolean fired, double score) {
            this.load = load;
            this.fired = fired;
            this.before = score;
            this.forecast = score;
        }

        private String name() {
            return load.name();
        }

        private double before() {
            return before;
        }

        private double forecast() {
            return forecast;
        }
    }

    private final PairPlanner pairs;
    private final Settings settings;
    private final Admission admission;
    private final double mean;
    /** The hot brokers of fired pairs, and the helpers that gave. */
    private final Map<String, Member> donors = new HashMap<>();
    /** The cold brokers of fired pairs; in the end whoever may take. */
    private final Map<String, Member> receivers = new HashMap<>();
    /** The others, as long as they have not given. */
    private final TreeSet<Member> others = new TreeSet<>(LOWEST_BEFORE);
    private final Map<String, Map<String, PairPlanner.Plan>> offers = new HashMap<>();
    /** Bundles that were let through; they move once. */
    private final Set<String> moved = new HashSet<>();
    /** Transfers that were held back, which need not be asked for again. */
    private final Set<Transfer> refused = new HashSet<>();

    private LevelPlanner(PairPlanner pairs, Settings settings, Admission admission, double mean) {
        this.pairs = pairs;
        this.settings = settings;
        this.admission = admission;
        this.mean = mean;
    }

    /**
     * Serves the pairs that fire and may move, in this order, through {@code admission}.
     *
     * @param withHelpers whether donors may help that have not fired themselves
     * @return the forecast score of every broker that gave or took
     */
    static Map<String, Double> serve(PairPlanner pairs, List<PairPlanner.Plan> fired, boolean withHelpers,
                                     Settings settings, Admission admission) {
        if (fired.isEmpty()) {
            return Map.of();
        }
        LevelPlanner planner = new LevelPlanner(pairs, settings, admission, pairs.mean(fired.get(0).pair().metric()));
        Map<String, Double> forecasts = planner.serve(fired, withHelpers);
        if (admission.isFull()) {
            for (PairPlanner.Plan plan : fired) {
                Admission.Share share = admission.share(plan);
                admission.passOver(plan, plan.chosen().size() - share.granted().size() - share.refused());
            }
        }
        return forecasts;
    }

    private Map<String, Double> serve(List<PairPlanner.Plan> fired, boolean withHelpers) {
        Map<String, Double> forecasts = new HashMap<>();
        Set<String> taken = new HashSet<>();
        for (PairPlanner.Plan plan : pairs.plans()) {
            if (plan.pair().gap() >= plan.pair().low()) {
                taken.add(plan.pair().hot().name());
                taken.add(plan.pair().cold().name());
            }
        }
        for (PairPlanner.Plan plan : fired) {
            admission.share(plan);
            if (isApart(plan)) {
                if (plan.isOverloaded(settings)) {
                    serveApart(plan, forecasts);
                }
            } else {
                Member donor = new Member(plan.pair().hot(), true, plan.pair().hotScore());
                Member receiver = new Member(plan.pair().cold(), true, plan.pair().coldScore());
                donors.put(donor.name(), donor);
                receivers.put(receiver.name(), receiver);
                offers.computeIfAbsent(donor.name(), any -> new HashMap<>()).put(receiver.name(), plan);
            }
        }
        for (BrokerLoad broker : pairs.settled()) {
            if (!taken.contains(broker.name())) {
                others.add(new Member(broker, false, pairs.reported(broker)));
            }
        }
        level(true, withHelpers);
        others.forEach(broker -> receivers.put(broker.name(),
                new Member(broker.load, false, pairs.predicted(broker.load))));
        others.clear();
        level(false, false);
        for (PairPlanner.Plan plan : fired) {
            if (!isApart(plan)) {
                finish(plan);
            } else if (!plan.isOverloaded(settings)) {
                serveApart(plan, forecasts);
            }
        }
        receivers.values().forEach(member -> forecasts.put(member.name(), member.forecast));
        donors.values().forEach(member -> forecasts.put(member.name(), member.forecast));
        return forecasts;
    }

    /** Whether what is level between these two is not what is level for the others. */
    private static boolean isApart(PairPlanner.Plan plan) {
        return plan.differsInSpeed() || plan.pair().own();
    }

    private void serveApart(PairPlanner.Plan plan, Map<String, Double> forecasts) {
        Member donor = new Member(plan.pair().hot(), true, plan.pair().hotScore());
        Member receiver = new Member(plan.pair().cold(), true, plan.pair().coldScore());
        plan.chosen().forEach(bundle -> move(donor, receiver, plan, bundle));
        forecasts.put(donor.name(), donor.forecast);
        forecasts.put(receiver.name(), receiver.forecast);
    }

    /** Levels a pair that is still out of level, as pairs would: the mean is a preference, and no reason to wait for ever. */
    private void finish(PairPlanner.Plan plan) {
        Member donor = donors.get(plan.pair().hot().name());
        Member receiver = receivers.get(plan.pair().cold().name());
        if (admission.isFull() || donor.forecast - receiver.forecast < plan.pair().low()) {
            return;
        }
        Forecast line = plan.forecast();
        double most = Math.min(plan.ceiling() - receiver.taken, (receiver.most - receiver.forecast) / line.rise());
        Forecast forecast = new Forecast(donor.forecast, receiver.forecast, line.fall(), line.rise(),
                Math.min(line.most(), most));
        double size = Math.min(plan.size(), (donor.forecast - receiver.forecast) / (line.fall() + line.rise()));
        List<Donor.Candidate> left = plan.accepted().stream()
                .filter(bundle -> !moved.contains(bundle.bundle().name())).toList();
        BundleSelector.choose(left, Math.min(size, forecast.most()), forecast)
                .forEach(bundle -> move(donor, receiver, plan, bundle));
    }

    private boolean move(Member donor, Member receiver, PairPlanner.Plan plan, Donor.Candidate bundle) {
        String name = bundle.bundle().name();
        Transfer transfer = new Transfer(name, donor.name(), receiver.name());
        if (refused.contains(transfer)) {
            return false;
        }
        if (!admission.admit(plan, bundle)) {
            refused.add(transfer);
            return false;
        }
        moved.add(name);
        receiver.taken += bundle.traffic();
        donor.forecast -= plan.forecast().fall() * bundle.traffic();
        receiver.forecast += plan.forecast().rise() * bundle.traffic();
        receiver.most = Math.min(receiver.most, donor.before);
        return true;
    }

    /**
     * Lets the receivers take, the lowest first.
     *
     * @param firedAlways whether donors that fired give at any gap, and not only as helpers would
     * @param withHelpers whether the others give as helpers
     */
    private void level(boolean firedAlways, boolean withHelpers) {
        PriorityQueue<Member> low = new PriorityQueue<>(LOWEST_FIRST);
        low.addAll(receivers.values());
        PriorityQueue<Member> high = new PriorityQueue<>(LOWEST_FIRST.reversed());
        donors.values().stream().filter(donor -> donor.fired).forEach(high::add);
        if (withHelpers) {
            high.addAll(others);
        }
        while (!low.isEmpty() && !high.isEmpty() && !admission.isFull()) {
            Member receiver = low.remove();
            if (receiver.forecast > mean - NEGLIGIBLE) {
                return;
            }
            if (isServed(receiver, high, firedAlways)) {
                low.add(receiver);
            }
        }
    }

    /** Gives the receiver one bundle of the highest donor that has a fit; false where none has. */
    private boolean isServed(Member receiver, PriorityQueue<Member> high, boolean firedAlways) {
        double enough = Math.max(receiver.forecast, enough(receiver, high.peek()));
        List<Member> passed = new ArrayList<>();
        boolean served = false;
        while (!served && !high.isEmpty() && high.peek().forecast > enough) {
            Member donor = high.remove();
            passed.add(donor);
            boolean mayGive = donor.fired && firedAlways || helps(donor, receiver);
            PairPlanner.Plan plan = mayGive ? offer(donor, receiver) : null;
            served = plan != null && gives(donor, receiver, plan);
            if (served && others.remove(donor)) {
                donors.put(donor.name(), donor);
            }
        }
        high.addAll(passed);
        return served;
    }

    /** Whether one that need not give does so all the same. */
    private boolean helps(Member donor, Member receiver) {
        return donor.forecast - receiver.forecast >= settings.lowThreshold() && donor.forecast > mean;
    }

    /** Down to where a donor gives: no further than helps the spread, as long as others stay where they are. */
    private double enough(Member receiver, Member highest) {
        double low = settings.lowThreshold();
        boolean isLowest = others.isEmpty() || receiver.forecast < others.first().before - NEGLIGIBLE
                || highest.forecast - others.first().before >= low;
        if (isLowest) {
            return Double.NEGATIVE_INFINITY;
        }
        double top = mean;
        for (Member other : others.descendingSet()) {
            if (other.before - receiver.forecast < low) {
                top = Math.max(top, other.before);
                break;
            }
        }
        return top + NEGLIGIBLE;
    }

    private PairPlanner.Plan offer(Member donor, Member receiver) {
        Map<String, PairPlanner.Plan> known = offers.computeIfAbsent(donor.name(), any -> new HashMap<>());
        if (!known.containsKey(receiver.name())) {
            known.put(receiver.name(), pairs.offer(donor.load, receiver.load));
        }
        return known.get(receiver.name());
    }

    /** Moves the largest bundle still there that fits and is admitted. */
    private boolean gives(Member donor, Member receiver, PairPlanner.Plan plan) {
        Forecast forecast = plan.forecast();
        double gap = donor.forecast - receiver.forecast;
        double turn = Math.min(gap / 2, TURN * settings.lowThreshold());
        double above = donor.forecast - mean;
        double spare = Math.max(2 * above, above + BELOW * settings.lowThreshold());
        double room = Math.min(2 * (mean - receiver.forecast),
                Math.min(receiver.most, donor.forecast) - receiver.forecast);
        double most = Math.min(Math.min(Math.min(forecast.most(), plan.ceiling() - receiver.taken), room / forecast.rise()),
                Math.min(spare / forecast.fall(), (gap + turn) / (forecast.fall() + forecast.rise())));
        List<Donor.Candidate> bundles = plan.accepted();
        for (int i = BundleSelector.firstNotAbove(bundles, most); i < bundles.size(); i++) {
            if (!moved.contains(bundles.get(i).bundle().name()) && move(donor, receiver, plan, bundles.get(i))) {
                return true;
            }
        }
        return false;
    }
}
