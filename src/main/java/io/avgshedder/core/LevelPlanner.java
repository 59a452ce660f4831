package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Goes on where pairing wastes: several donors serve one receiver in a round, and none goes beyond the mean.
 *
 * <p>Pairs level two brokers at a time. With four brokers at 80 and a new one at 0 the first shedding round takes 40
 * points from one of the four, which leaves 40, 40 and three at 80, and two more rounds follow, each after minutes of
 * settling; some of what was moved first moves again. The mean was 64 all along.
 *
 * <p>Here each fired pair is first served by its own partner, to the size that pairs would give it but not beyond the
 * capacity-weighted mean of either. Then, one bundle at a time, the fired receiver with the lowest forecast takes from
 * the donor with the highest (one that fired, or whose forecast gap to it is at least low) the largest bundle that keeps
 * it at or below the mean, plus half of that bundle, without turning the two round. Last, fired donors that are still
 * high give to whoever is lowest. A donor without a fit leaves the round. A bundle moves at most once, and every step
 * lowers the higher of its two brokers, so it ends.
 *
 * <p>A mean weighted by reported capacity is wrong for brokers whose speed the reports hide. A pair whose slopes
 * tell so is served as pairs would, and takes no part in the rest.
 */
final class LevelPlanner {

    /** A step that moves a forecast by less than this, in points, is not worth an unload. */
    private static final double NEGLIGIBLE = 1;

    private static final class Member {
        private final BrokerLoad load;
        private final boolean fired;
        private final double start;
        private double forecast;
        /** The least that any of its donors began with: it must not end above one of them. */
        private double most = Double.POSITIVE_INFINITY;

        private Member(BrokerLoad load, boolean fired, double forecast) {
            this.load = load;
            this.fired = fired;
            this.start = forecast;
            this.forecast = forecast;
        }

        private String name() {
            return load.name();
        }

        private double forecast() {
            return forecast;
        }
    }

    private final PairPlanner pairs;
    private final Settings settings;
    private final Admission admission;
    private final double mean;
    private final Map<String, Member> donors = new HashMap<>();
    private final Map<String, Member> receivers = new HashMap<>();
    private final Map<String, Map<String, PairPlanner.Plan>> offers = new HashMap<>();
    private final Set<String> tried = new HashSet<>();
    /** Brokers of pairs that differ in speed: what is level between them is not what is level for the others. */
    private final Set<String> apart = new HashSet<>();

    private LevelPlanner(PairPlanner pairs, Settings settings, Admission admission, double mean) {
        this.pairs = pairs;
        this.settings = settings;
        this.admission = admission;
        this.mean = mean;
    }

    /**
     * Serves the pairs that fire and may move, in this order, through {@code admission}.
     *
     * @param withOthers whether donors may help that have not fired themselves
     * @return the forecast score of every broker that gave or took
     */
    static Map<String, Double> serve(PairPlanner pairs, List<PairPlanner.Plan> fired, boolean withOthers,
                                     Settings settings, Admission admission) {
        if (fired.isEmpty()) {
            return Map.of();
        }
        LevelPlanner planner = new LevelPlanner(pairs, settings, admission, pairs.mean(fired.get(0).pair().metric()));
        planner.servePartners(fired);
        planner.level(true, withOthers);
        for (BrokerLoad broker : pairs.settled()) {
            if (!planner.donors.containsKey(broker.name())) {
                planner.receivers.computeIfAbsent(broker.name(),
                        any -> new Member(broker, false, pairs.predicted(broker)));
            }
        }
        planner.level(false, false);
        if (admission.isFull()) {
            fired.stream().filter(plan -> admission.share(plan).granted().isEmpty())
                    .forEach(plan -> admission.passOver(plan, plan.chosen().size()));
        }
        Map<String, Double> forecasts = new HashMap<>();
        planner.receivers.values().forEach(member -> forecasts.put(member.name(), member.forecast));
        planner.donors.values().forEach(member -> forecasts.put(member.name(), member.forecast));
        return forecasts;
    }

    private void servePartners(List<PairPlanner.Plan> fired) {
        for (PairPlanner.Plan plan : fired) {
            BrokerPair pair = plan.pair();
            donors.put(pair.hot().name(), new Member(pair.hot(), true, pair.hotScore()));
            receivers.put(pair.cold().name(), new Member(pair.cold(), true, pair.coldScore()));
            offers.computeIfAbsent(pair.hot().name(), any -> new HashMap<>()).put(pair.cold().name(), plan);
            admission.share(plan);
        }
        for (PairPlanner.Plan plan : fired) {
            Member donor = donors.get(plan.pair().hot().name());
            Member receiver = receivers.get(plan.pair().cold().name());
            Forecast forecast = plan.forecast();
            double size = plan.differsInSpeed() ? plan.size() : Math.min(plan.size(), Math.min(
                    (donor.forecast - mean) / forecast.fall(), (mean - receiver.forecast) / forecast.rise()));
            if (size > 0) {
                BundleSelector.choose(plan.accepted(), size, forecast)
                        .forEach(bundle -> move(donor, receiver, plan, bundle));
            }
            if (plan.differsInSpeed()) {
                apart.add(donor.name());
                apart.add(receiver.name());
            }
        }
    }

    private boolean move(Member donor, Member receiver, PairPlanner.Plan plan, Donor.Candidate bundle) {
        tried.add(bundle.bundle().name());
        if (!admission.admit(plan, bundle)) {
            return false;
        }
        donor.forecast -= plan.forecast().fall() * bundle.traffic();
        receiver.forecast += plan.forecast().rise() * bundle.traffic();
        receiver.most = Math.min(receiver.most, donor.start);
        return true;
    }

    /**
     * Lets the receivers take, the lowest first.
     *
     * @param firedAlways whether donors that fired give at any gap, and not only as long as it is at least low
     * @param withOthers  whether donors that have not fired give where their gap is at least low
     */
    private void level(boolean firedAlways, boolean withOthers) {
        Comparator<Member> lowest = Comparator.comparingDouble(Member::forecast).thenComparing(Member::name);
        PriorityQueue<Member> low = new PriorityQueue<>(lowest);
        receivers.values().stream().filter(receiver -> !apart.contains(receiver.name())).forEach(low::add);
        PriorityQueue<Member> high = new PriorityQueue<>(lowest.reversed());
        donors.values().stream().filter(donor -> donor.fired && !apart.contains(donor.name())).forEach(high::add);
        if (withOthers) {
            pairs.settled().stream()
                    .filter(broker -> !receivers.containsKey(broker.name()) && !donors.containsKey(broker.name()))
                    .forEach(broker -> high.add(new Member(broker, false, pairs.reported(broker))));
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
        List<Member> passed = new ArrayList<>();
        boolean served = false;
        while (!served && !high.isEmpty() && high.peek().forecast > receiver.forecast) {
            Member donor = high.remove();
            passed.add(donor);
            double gap = donor.forecast - receiver.forecast;
            boolean mayGive = donor.fired && firedAlways || gap >= settings.lowThreshold();
            PairPlanner.Plan plan = mayGive ? offer(donor, receiver) : null;
            served = plan != null && gives(donor, receiver, plan, gap);
            if (served) {
                donors.putIfAbsent(donor.name(), donor);
            }
        }
        high.addAll(passed);
        return served;
    }

    private PairPlanner.Plan offer(Member donor, Member receiver) {
        Map<String, PairPlanner.Plan> known = offers.computeIfAbsent(donor.name(), any -> new HashMap<>());
        if (!known.containsKey(receiver.name())) {
            known.put(receiver.name(), pairs.offer(donor.load, receiver.load));
        }
        return known.get(receiver.name());
    }

    /** Moves the largest bundle still there that fits and is admitted. */
    private boolean gives(Member donor, Member receiver, PairPlanner.Plan plan, double gap) {
        Forecast forecast = plan.forecast();
        double most = Math.min(Math.min(forecast.most(), 2 * (mean - receiver.forecast) / forecast.rise()),
                gap / (forecast.fall() + forecast.rise()));
        most = Math.min(most, (Math.min(receiver.most, donor.start) - receiver.forecast) / forecast.rise());
        List<Donor.Candidate> bundles = plan.accepted();
        for (int i = BundleSelector.firstNotAbove(bundles, most); i < bundles.size(); i++) {
            if (!tried.contains(bundles.get(i).bundle().name()) && move(donor, receiver, plan, bundles.get(i))) {
                return true;
            }
        }
        return false;
    }
}
