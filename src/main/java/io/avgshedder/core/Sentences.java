package io.avgshedder.core;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Every sentence of a verdict, in one place, so that an operator meets one voice. */
final class Sentences {

    private static final long MINUTE = 60_000;
    /** A bundle from this part of its broker's traffic on is named where it stands in the way. */
    private static final double DOMINANT = 0.5;
    /** From this part of the low threshold on a pair that is level is nearly not. */
    private static final double NEAR = 2 / 3.0;

    private Sentences() {
    }

    // ---- pairs

    static Verdict belowThreshold(PairPlanner.Plan plan) {
        BrokerPair pair = plan.pair();
        return verdict(Reason.BELOW_THRESHOLD, plan, subject(pair) + " < " + plain(pair.low()) + ": level"
                + nearlyMoved(pair));
    }

    /** The threshold by which a pair that is level, but not by much, would not be. It is a whole number. */
    private static String nearlyMoved(BrokerPair pair) {
        long threshold = (long) Math.floor(pair.gap() + 1e-6);
        return pair.gap() < NEAR * pair.low() || threshold < 1 || threshold >= pair.low() ? ""
                : "; would move with loadBalancerAvgShedderLowThreshold <= " + threshold;
    }

    static Verdict counting(PairPlanner.Plan plan, Settings settings) {
        return verdict(Reason.COUNTING, plan, proof(plan, settings) + ": counting");
    }

    static Verdict settling(PairPlanner.Plan plan, Evidence evidence, Settings settings, long now) {
        BrokerPair pair = plan.pair();
        String broker = evidence.isSettling(pair.hot().name()) ? pair.hot().name() : pair.cold().name();
        String why = evidence.lacksOnlyReport(broker, settings, now)
                ? broker + " has not written a new report since it gave or took bundles"
                : broker + " gave or took bundles and has to settle";
        return verdict(Reason.SETTLING, plan, subject(pair) + ": " + why);
    }

    static Verdict waitingForReports(PairPlanner.Plan plan, Settings settings) {
        return verdict(Reason.WAITING_FOR_REPORTS, plan, proof(plan, settings)
                + ": usage and traffic disagree, so both have to write a new report first");
    }

    static Verdict held(PairPlanner.Plan plan, Settings settings) {
        return verdict(Reason.HOLD, plan, proof(plan, settings) + ": held until "
                + Instant.ofEpochMilli(settings.holdUntil()).truncatedTo(ChronoUnit.SECONDS));
    }

    static Verdict quiet(PairPlanner.Plan plan, QuietPeriod.State state, Settings settings, long now) {
        return verdict(Reason.QUIET_PERIOD, plan, proof(plan, settings) + ": " + why(state, now));
    }

    /** A pair that fired, and what it got: all, a part and why no more, or why nothing. */
    static Verdict served(PairPlanner.Plan plan, Admission admission, Map<String, Double> forecasts,
                          Settings settings) {
        Admission.Share share = admission.share(plan);
        String hot = plan.pair().hot().name();
        String cold = plan.pair().cold().name();
        int own = share.granted().size();
        int given = admission.given(hot) - own;
        int taken = admission.taken(cold) - own;
        if (own + given + taken == 0) {
            return unserved(plan, share, settings);
        }
        double traffic = share.granted().stream().mapToDouble(PlannedTransfer::sourcePoints).sum()
                / plan.forecast().fall();
        double hotAfter = forecasts.getOrDefault(hot, plan.forecast().hotAfter(traffic));
        double coldAfter = forecasts.getOrDefault(cold, plan.forecast().coldAfter(traffic));
        StringBuilder sentence = new StringBuilder(proof(plan, settings)).append(": ").append(bundles(own));
        if (given > 0) {
            sentence.append(" and ").append(given).append(" to others");
        }
        if (taken > 0) {
            sentence.append(" and ").append(taken).append(" from others");
        }
        sentence.append(", forecast ").append(points(hotAfter)).append(" / ").append(points(coldAfter));
        if (share.refusal() != null) {
            sentence.append("; ").append(share.refused()).append(" more ").append(wait(share.refused())).append(": ")
                    .append(share.refusal().why());
        } else if (hotAfter - coldAfter >= plan.pair().low()) {
            sentence.append(dominant(hot, plan.donor()));
        }
        return verdict(settings.dryRun() ? Reason.DRY_RUN : Reason.MOVED, plan, sentence.toString());
    }

    private static Verdict unserved(PairPlanner.Plan plan, Admission.Share share, Settings settings) {
        if (share.refusal() == null) {
            return verdict(Reason.NOTHING_FITS, plan, proof(plan, settings)
                    + ": no choice of bundles brings the two nearer"
                    + dominant(plan.pair().hot().name(), plan.donor()));
        }
        String why = share.refused() == 0 ? share.refusal().why()
                : bundles(share.refused()) + " " + wait(share.refused()) + ": " + share.refusal().why();
        return verdict(share.refusal().reason(), plan, proof(plan, settings) + ": " + why);
    }

    /** Donors that gave to a pair they are not in; one sentence each. */
    static List<Verdict> helpers(List<PairPlanner.Plan> fired, Admission admission, Map<String, Double> forecasts,
                                 Settings settings) {
        Set<String> known = new HashSet<>();
        fired.forEach(plan -> known.add(plan.pair().hot().name()));
        Map<String, List<PlannedTransfer>> byDonor = new TreeMap<>();
        for (PlannedTransfer planned : admission.granted()) {
            if (!known.contains(planned.transfer().source())) {
                byDonor.computeIfAbsent(planned.transfer().source(), any -> new ArrayList<>()).add(planned);
            }
        }
        List<Verdict> verdicts = new ArrayList<>();
        byDonor.forEach((donor, given) -> {
            List<String> receivers = given.stream().map(planned -> planned.transfer().target()).distinct().toList();
            double points = given.stream().mapToDouble(PlannedTransfer::sourcePoints).sum();
            verdicts.add(new Verdict(settings.dryRun() ? Reason.DRY_RUN : Reason.MOVED, donor, receivers.get(0),
                    Double.NaN, 0, 0, donor + " -> " + some(receivers) + ": helps to level: " + bundles(given.size())
                    + ", forecast " + points(forecasts.get(donor)) + " after "
                    + points(forecasts.get(donor) + points)));
        });
        return verdicts;
    }

    static String expired(NamespaceRule rule) {
        return "The namespace rule \"" + rule + "\" has expired and counts no more";
    }

    private static String why(QuietPeriod.State state, long now) {
        if (state instanceof QuietPeriod.State.RollingRestart restart) {
            return restart.returned() + " brokers returned in the last " + duration(now - restart.since())
                    + ", rolling restart assumed, nothing moves for another " + duration(restart.until() - now);
        }
        return "new in this round: " + some(((QuietPeriod.State.Newcomers) state).brokers())
                + ", nothing moves before the next round";
    }

    // ---- brokers without a pair or a hot place

    static Verdict noLoadData(String broker) {
        return alone(Reason.NO_LOAD_DATA, broker, "no load report with a known metric: takes no part");
    }

    static Verdict stale(String broker, long age) {
        return alone(Reason.STALE_REPORT, broker, "the report has not changed for " + duration(age)
                + ": takes no part until it is rewritten");
    }

    static Verdict restless(String broker) {
        return alone(Reason.QUIET_PERIOD, broker, "returned again and again: takes no part until it has stayed for "
                + duration(QuietPeriod.HOLD_MILLIS));
    }

    static Verdict incomparable(String broker) {
        return alone(Reason.NO_LOAD_DATA, broker, "no metric is known of it and of any colder broker");
    }

    static Verdict withoutPlace(Reason reason, BrokerPair pair, Donor donor, String heldBy, Failures failures,
                                long now) {
        String hot = pair.hot().name();
        String why = switch (reason) {
            case NO_TRAFFIC -> "nothing in the cluster carries traffic that could be moved for " + pair.metric().label();
            case NOTHING_MOVABLE -> donor.withTraffic() == 1 ? "its only bundle with traffic, "
                    + donor.largest().bundle().name() + ", is never moved: split it"
                    : "no bundle that carries traffic may move";
            case BUNDLE_STATS_UNRELIABLE -> "its bundles explain less than a tenth of the traffic it reports";
            case NOTHING_FITS -> "no choice of bundles brings the two nearer" + dominant(hot, donor);
            case BACKED_OFF -> heldBy.isEmpty() ? "these transfers failed repeatedly, the next try is in "
                    + duration(failures.nextRetry(now) - now) : heldBy;
            case BUDGET, NAMESPACE_RULE -> heldBy;
            case REFUSED -> "the load manager's filters refuse every colder broker to its bundles";
            default -> throw new IllegalArgumentException(reason + " leaves a hot place");
        };
        return alone(reason, hot, pair.metric().label() + " gap " + points(pair.gap()) + " to " + pair.cold().name()
                + ": " + why);
    }

    static String wayBack(String receiver) {
        return "what would bring the two nearer was shed by " + receiver + " within two grace periods, and does not go back";
    }

    static String futile(BrokerPair pair, Futility futility, long now) {
        String donor = pair.hot().name();
        return "the last " + futility.count(donor) + " transfers took traffic away and did not lower its "
                + pair.metric().label() + ", something else uses it, the next try is in "
                + duration(futility.until(donor) - now);
    }

    // ---- bundles

    static Ending ending(ShedTarget target, Ending.How how, long now) {
        Transfer transfer = target.planned().transfer();
        String place = target.target() == null ? transfer.target() : target.target();
        String instead = place.equals(transfer.target()) ? "" : " instead of " + transfer.target();
        String what = switch (how) {
            case ARRIVED -> " is on " + place + instead + ", " + duration(now - target.planTime()) + " after its plan";
            case STAYED -> " stays on " + transfer.source() + ": " + transfer.target()
                    + " cannot be had, and nobody else would end below";
            case NOT_UNLOADED -> " was not unloaded from " + transfer.source()
                    + ": the load manager's own lines say why";
            case BACK -> " is on " + transfer.source() + " still or again, " + duration(now - target.unloadedAt())
                    + " after its unload";
            case SPLIT -> " was split: its parts have no plan";
            case WITHOUT_TARGET -> " goes wherever it is asked for: " + place + " left or was refused";
            case UNSEEN -> " is in no report of " + place + instead + ", " + duration(now - target.unloadedAt())
                    + " after its unload: it is idle or elsewhere";
        };
        return new Ending(transfer, how, transfer.bundle() + what);
    }

    // ---- notices

    static String shortage(long overloaded, int all, double threshold) {
        return overloaded + " of " + all + " brokers score above " + plain(threshold) + " (loadBalancerBroker"
                + "OverloadedThresholdPercentage): capacity is short, which moving bundles cannot change; add brokers";
    }

    static String suspects(Set<String> brokers) {
        return (brokers.size() == 1 ? "The load report of " : "The load reports of ") + some(brokers)
                + " stopped changing for longer than a healthy broker waits: suspect, look there";
    }

    // ---- parts

    private static Verdict verdict(Reason reason, PairPlanner.Plan plan, String sentence) {
        BrokerPair pair = plan.pair();
        return new Verdict(reason, pair.hot().name(), pair.cold().name(), pair.gap(), plan.count().low(),
                plan.count().high(), sentence);
    }

    private static Verdict alone(Reason reason, String broker, String why) {
        return new Verdict(reason, broker, null, Double.NaN, 0, 0, broker + ": " + why);
    }

    private static String subject(BrokerPair pair) {
        return pair.hot().name() + " -> " + pair.cold().name() + ": " + pair.metric().label() + " gap "
                + points(shown(pair));
    }

    /** Rounded to a tenth, but never so that a gap below a threshold reads as one that has reached it. */
    private static double shown(BrokerPair pair) {
        double rounded = Math.round(pair.gap() * 10) / 10.0;
        boolean reaches = pair.gap() < pair.low() && rounded >= pair.low()
                || pair.gap() < pair.high() && rounded >= pair.high();
        return reaches ? Math.floor(pair.gap() * 10) / 10 : pair.gap();
    }

    /**
     * The gap, the threshold it passed, and the hits at that level, as many as count: a pair that a limit or a dry run
     * holds back goes on counting, and "hits 31/2" reads as a mistake.
     */
    private static String proof(PairPlanner.Plan plan, Settings settings) {
        BrokerPair pair = plan.pair();
        MultiHitCounter.Count count = plan.count();
        boolean lowFires = count.low() >= settings.hitCountLow() && count.high() < settings.hitCountHigh();
        boolean high = pair.gap() >= pair.high() && !lowFires;
        double threshold = high ? pair.high() : pair.low();
        int enough = high ? settings.hitCountHigh() : settings.hitCountLow();
        int hits = Math.min(high ? count.high() : count.low(), enough);
        return subject(pair) + " >= " + plain(threshold) + ", hits " + hits + "/" + enough;
    }

    private static String dominant(String hot, Donor donor) {
        return donor.largestShare() < DOMINANT ? "" : "; one bundle, " + donor.largest().bundle().name() + ", carries "
                + Math.round(100 * donor.largestShare()) + " % of the traffic of " + hot + ": split it";
    }

    private static String some(java.util.Collection<String> names) {
        String first = String.join(", ", names.stream().limit(3).toList());
        return names.size() <= 3 ? first : first + " and " + (names.size() - 3) + " more";
    }

    static String bundles(int count) {
        return count == 1 ? "1 bundle" : count + " bundles";
    }

    private static String wait(int count) {
        return count == 1 ? "waits" : "wait";
    }

    /** One digit after the point. */
    static String points(double value) {
        long tenths = Math.round(Math.abs(value) * 10);
        return (value < 0 && tenths > 0 ? "-" : "") + tenths / 10 + "." + tenths % 10;
    }

    /** As short as it can be written. */
    static String plain(double value) {
        return BigDecimal.valueOf(value).setScale(2, RoundingMode.HALF_UP).stripTrailingZeros().toPlainString();
    }

    static String duration(long millis) {
        long seconds = Math.max(0, (millis + 500) / 1000);
        return seconds < 120 ? seconds + " s" : (millis + MINUTE / 2) / MINUTE + " min";
    }
}
