package io.avgshedder.core;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Every sentence of a verdict, in one place, so that an operator meets one voice. */
final class Sentences {

    private static final long MINUTE = 60_000;
    /** A bundle from this part of its broker's traffic on is named where it stands in the way. */
    private static final double DOMINANT = 0.5;

    private Sentences() {
    }

    // ---- pairs

    static Verdict belowThreshold(BrokerPair pair, MultiHitCounter.Count count, Settings settings) {
        return verdict(Reason.BELOW_THRESHOLD, pair, count,
                subject(pair) + " < " + plain(settings.lowThreshold()) + ": level");
    }

    static Verdict counting(BrokerPair pair, MultiHitCounter.Count count, Settings settings) {
        return verdict(Reason.COUNTING, pair, count, proof(pair, count, settings) + ": counting");
    }

    static Verdict settling(BrokerPair pair, MultiHitCounter.Count count, Evidence evidence, Settings settings,
                            long now) {
        String broker = evidence.isSettling(pair.hot().name()) ? pair.hot().name() : pair.cold().name();
        String why = evidence.lacksOnlyReport(broker, settings, now)
                ? broker + " has not written a new report since it gave or took bundles"
                : broker + " gave or took bundles and has to settle";
        return verdict(Reason.SETTLING, pair, count, subject(pair) + ": " + why);
    }

    static Verdict waitingForReports(BrokerPair pair, MultiHitCounter.Count count, Settings settings) {
        return verdict(Reason.WAITING_FOR_REPORTS, pair, count, proof(pair, count, settings)
                + ": usage and traffic disagree, so both have to write a new report first");
    }

    static Verdict moved(PairPlanner.Plan plan, int moved, String limit, Settings settings) {
        StringBuilder sentence = new StringBuilder(proof(plan.pair(), plan.count(), settings));
        sentence.append(": ").append(bundles(moved));
        double traffic = plan.chosen().subList(0, moved).stream().mapToDouble(Donor.Candidate::traffic).sum();
        Forecast forecast = plan.forecast();
        sentence.append(", forecast ").append(points(forecast.hotAfter(traffic))).append(" / ")
                .append(points(forecast.coldAfter(traffic)));
        if (moved < plan.chosen().size()) {
            sentence.append("; ").append(plan.chosen().size() - moved).append(" more wait: ").append(limit);
        } else if (forecast.gapAfter(traffic) >= settings.lowThreshold()) {
            sentence.append(dominant(plan.pair().hot().name(), plan.donor()));
        }
        return verdict(Reason.MOVED, plan.pair(), plan.count(), sentence.toString());
    }

    static Verdict roundCap(PairPlanner.Plan plan, Settings settings) {
        return verdict(Reason.ROUND_CAP, plan.pair(), plan.count(), proof(plan.pair(), plan.count(), settings)
                + ": " + bundles(plan.chosen().size()) + " wait: " + cap(settings));
    }

    static String cap(Settings settings) {
        return "the round's " + bundles(settings.maxUnloadsPerRound()) + " went to more urgent ones";
    }

    static Verdict quiet(PairPlanner.Plan plan, QuietPeriod.State state, Settings settings, long now) {
        return verdict(Reason.QUIET_PERIOD, plan.pair(), plan.count(),
                proof(plan.pair(), plan.count(), settings) + ": " + why(state, now));
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

    static Verdict withoutPlace(Reason reason, BrokerPair pair, Donor donor, Failures failures, long now) {
        String hot = pair.hot().name();
        String why = switch (reason) {
            case NO_TRAFFIC -> "nothing in the cluster carries traffic that could be moved for " + pair.metric().label();
            case NOTHING_MOVABLE -> donor.withTraffic() == 1 ? "its only bundle with traffic, "
                    + donor.largest().bundle().name() + ", is never moved: split it"
                    : "no bundle that carries traffic may move";
            case BUNDLE_STATS_UNRELIABLE -> "its bundles explain less than a tenth of the traffic it reports";
            case NOTHING_FITS -> "no choice of bundles brings the two nearer" + dominant(hot, donor);
            case BACKED_OFF -> "these transfers failed repeatedly, the next try is in "
                    + duration(failures.nextRetry(now) - now);
            case REFUSED -> "the load manager's filters refuse every colder broker to its bundles";
            default -> throw new IllegalArgumentException(reason + " leaves a hot place");
        };
        return alone(reason, hot, pair.metric().label() + " gap " + points(pair.gap()) + " to " + pair.cold().name()
                + ": " + why);
    }

    // ---- parts

    private static Verdict verdict(Reason reason, BrokerPair pair, MultiHitCounter.Count count, String sentence) {
        return new Verdict(reason, pair.hot().name(), pair.cold().name(), pair.gap(), count.low(), count.high(),
                sentence);
    }

    private static Verdict alone(Reason reason, String broker, String why) {
        return new Verdict(reason, broker, null, Double.NaN, 0, 0, broker + ": " + why);
    }

    private static String subject(BrokerPair pair) {
        return pair.hot().name() + " -> " + pair.cold().name() + ": " + pair.metric().label() + " gap "
                + points(down(pair.gap()));
    }

    /** Rounded down to a tenth, so that a gap below a threshold never reads as one that has reached it. */
    private static double down(double gap) {
        return gap > 0 ? Math.floor(gap * 10 + 1e-6) / 10 : gap;
    }

    /** The gap, the threshold it passed, and the hits at that level. */
    private static String proof(BrokerPair pair, MultiHitCounter.Count count, Settings settings) {
        boolean lowFires = count.low() >= settings.hitCountLow() && count.high() < settings.hitCountHigh();
        boolean high = pair.gap() >= settings.highThreshold() && !lowFires;
        double threshold = high ? settings.highThreshold() : settings.lowThreshold();
        int hits = high ? count.high() : count.low();
        int enough = high ? settings.hitCountHigh() : settings.hitCountLow();
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
