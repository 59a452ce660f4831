package io.avgshedder.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;

/**
 * What every round and every placement promises, whatever the load data says. All of it is worked out here anew, from
 * the load data and from what was seen before; nothing of the plugin's own is asked but what it answers.
 */
final class Promises {

    private static final long MINUTE = 60_000;
    private static final long BUDGET_WINDOW = 10 * MINUTE;
    private static final long STALE = 17 * MINUTE;
    private static final long SETTLING = 2 * MINUTE;
    private static final Pattern FORECAST = Pattern.compile("forecast (-?[\\d.]+) / (-?[\\d.]+)");

    private record Seen(long report, long at) {
    }

    private record Settling(long reportAtPlan, long unloadedAt) {
    }

    private record Unload(long at, String source, String target, String namespace) {
    }

    /** Messages, bytes in and bytes out a second. */
    private record Rates(double messages, double in, double out) {

        private double[] kinds() {
            return new double[] {messages, in, out, in + out};
        }
    }

    private final RandomCluster cluster;
    private final RandomSettings settings;
    private final Map<String, Seen> seen = new HashMap<>();
    private final Map<String, Settling> settling = new HashMap<>();
    private final List<Unload> unloads = new ArrayList<>();
    private final Set<String> everSeen = new HashSet<>();
    private final Map<String, Long> reportsAtPlan = new HashMap<>();
    private final Map<String, Long> homeless = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private long lastRound = Long.MIN_VALUE;
    private long latest;
    private Map<String, Double> scores = Map.of();

    Promises(RandomCluster cluster) {
        this.cluster = cluster;
        this.settings = cluster.settings;
    }

    // ---- what happens

    /** A bundle left as planned. */
    void unloaded(String bundle, String source) {
        long now = cluster.clock.now;
        unloads.add(new Unload(now, source, cluster.planned.get(bundle), namespace(bundle)));
        settling.put(source, new Settling(reportsAtPlan.get(source), now));
        homeless.put(bundle, now);
    }

    /** Whoever was last named for a bundle that left has got it. */
    private void settleReceivers() {
        homeless.forEach((bundle, unloadedAt) -> {
            String receiver = answers.get(bundle);
            if (reportsAtPlan.containsKey(receiver)) {
                settling.put(receiver, new Settling(reportsAtPlan.get(receiver), unloadedAt));
            }
        });
        homeless.clear();
        answers.clear();
    }

    private boolean observe(long now) {
        settleReceivers();
        boolean isFirst = lastRound == Long.MIN_VALUE;
        if (!isFirst && lastRound - now > MINUTE) {
            isFirst = true;
            seen.clear();
            settling.clear();
            unloads.clear();
            everSeen.clear();
        }
        lastRound = now;
        Set<String> active = cluster.loadData.brokers.keySet();
        seen.keySet().retainAll(active);
        settling.keySet().retainAll(active);
        reportsAtPlan.clear();
        scores = new TreeMap<>();
        for (String broker : active) {
            LocalBrokerData report = cluster.report(broker);
            if (report != null) {
                Seen before = seen.get(broker);
                if (before == null || before.report != report.getLastUpdate()) {
                    seen.put(broker, new Seen(report.getLastUpdate(), now));
                }
                reportsAtPlan.put(broker, report.getLastUpdate());
                Settling since = settling.get(broker);
                if (since != null && now - since.unloadedAt >= SETTLING && report.getLastUpdate() != since.reportAtPlan) {
                    settling.remove(broker);
                }
                double score = score(report);
                if (!Double.isNaN(score)) {
                    scores.put(broker, score);
                }
            }
        }
        return isFirst;
    }

    // ---- rounds

    void check(Round round) {
        long now = cluster.clock.now;
        boolean isFirst = observe(now);
        Map<String, Double> told = new TreeMap<>();
        for (BrokerScore score : round.brokers()) {
            told.put(score.broker(), score.score());
        }
        assertThat(told).as("scores").isEqualTo(scores);
        Set<String> bundles = new HashSet<>();
        for (Transfer transfer : round.transfers()) {
            for (String broker : List.of(transfer.source(), transfer.target())) {
                check(scores.containsKey(broker), "active and known", transfer);
                check(now - seen.get(broker).at < STALE, "not stale", transfer);
                Settling since = settling.get(broker);
                check(since == null, "settled, " + broker + " at " + now + " " + since, transfer);
            }
            check(!transfer.source().equals(transfer.target()), "two brokers", transfer);
            check(bundles.add(transfer.bundle()), "no bundle twice", transfer);
            check(!settings.draining.contains(transfer.target()), "to no broker that drains", transfer);
            check(now >= settings.holdUntil, "not on hold", transfer);
            checkBundle(transfer);
            checkCeiling(transfer);
        }
        boolean hasNew = false;
        for (String broker : cluster.loadData.brokers.keySet()) {
            hasNew |= everSeen.add(broker) && !isFirst;
        }
        if (hasNew && settings.isQuietPeriod) {
            round.transfers().forEach(transfer -> check(scores.get(transfer.source()) > settings.overload,
                    "quiet in the first round of a new broker: " + scores, transfer));
        }
        check(round.transfers().size() <= settings.mostUnloads, "no more than the round's cap", round.transfers().size());
        latest = isFirst ? now : Math.max(latest, now);
        checkBudgets(round);
        Map<String, Double> forecasts = new HashMap<>();
        for (Verdict verdict : round.verdicts()) {
            checkVerdict(verdict, forecasts);
        }
        Set<String> saidToGive = new HashSet<>();
        round.verdicts().stream().filter(Promises::isMove).forEach(verdict -> saidToGive.add(verdict.hot()));
        for (Transfer transfer : round.transfers()) {
            check(saidToGive.contains(transfer.source()), "who gives is said to", transfer);
            Double after = forecasts.get(transfer.target());
            check(after == null || after <= rounded(scores.get(transfer.source())),
                    "no receiver ends above where its donor began, but at " + after + ": " + round.verdicts() + scores, transfer);
        }
    }

    private void checkBundle(Transfer transfer) {
        String bundle = transfer.bundle();
        String namespace = namespace(bundle);
        LocalBrokerData report = cluster.report(transfer.source());
        boolean listed = report.getLastStats() != null && report.getLastStats().containsKey(bundle)
                || report.getBundles() != null && report.getBundles().contains(bundle);
        check(listed, "on its source", transfer);
        check(!namespace.startsWith("pulsar/"), "none of the brokers' own", transfer);
        check(!RandomSettings.EXCLUDED.contains(namespace), "not excluded", transfer);
        check(!settings.hasRules || !namespace.equals(RandomSettings.EXEMPT), "not exempt", transfer);
        for (String resting : cluster.unloaded.keySet()) {
            check(resting == null || cluster.unloaded.get(resting) == null || !isPartOf(bundle, resting),
                    "not unloaded lately", transfer);
        }
        check(!isDust(bundle, report), "no dust", transfer);
    }

    private void checkCeiling(Transfer transfer) {
        if (settings.hasCeilings) {
            double cpu = percent(cluster.report(transfer.target()).getCpu());
            check(cpu <= settings.ceiling, "the receiver is below its ceiling, at " + cpu, transfer);
        }
    }

    /** What has expired once does not count again where the clock steps back. */
    private void checkBudgets(Round round) {
        unloads.removeIf(unload -> latest - unload.at >= RandomSettings.RATION_WINDOW);
        Map<String, Integer> used = new TreeMap<>();
        for (Unload unload : unloads) {
            if (latest - unload.at < BUDGET_WINDOW) {
                count(used, unload.source, unload.target);
            }
        }
        int rationed = (int) unloads.stream().filter(unload -> unload.namespace.equals(RandomSettings.RATIONED)).count();
        for (Transfer transfer : round.transfers()) {
            count(used, transfer.source(), transfer.target());
            rationed += namespace(transfer.bundle()).equals(RandomSettings.RATIONED) ? 1 : 0;
        }
        if (!round.transfers().isEmpty() && settings.clusterBudget > 0) {
            check(used.get("all") <= settings.clusterBudget, "within the cluster's budget", used);
            round.transfers().forEach(transfer -> check(
                    used.get("from " + transfer.source()) <= settings.brokerBudget
                            && used.get("to " + transfer.target()) <= settings.brokerBudget, "within budget", used));
        }
        boolean movesRationed = round.transfers().stream()
                .anyMatch(transfer -> namespace(transfer.bundle()).equals(RandomSettings.RATIONED));
        check(!movesRationed || !settings.hasRules || rationed <= RandomSettings.RATION, "within the ration", rationed);
    }

    private static void count(Map<String, Integer> used, String source, String target) {
        used.merge("all", 1, Integer::sum);
        used.merge("from " + source, 1, Integer::sum);
        used.merge("to " + target, 1, Integer::sum);
    }

    private static boolean isMove(Verdict verdict) {
        return verdict.reason() == Reason.MOVED || verdict.reason() == Reason.DRY_RUN;
    }

    private void checkVerdict(Verdict verdict, Map<String, Double> forecasts) {
        if (!isMove(verdict)) {
            return;
        }
        Matcher forecast = FORECAST.matcher(verdict.sentence());
        if (forecast.find()) {
            double hot = Double.parseDouble(forecast.group(1));
            double cold = Double.parseDouble(forecast.group(2));
            // one that levels many at once goes by the mean of all
            check(settings.isLevel || Math.abs(hot - cold) <= rounded(verdict.gap()), "its gap shrinks", verdict);
            forecasts.put(verdict.cold(), cold);
        }
    }

    /** No less than what one digit after the point shows of it. */
    private static double rounded(double value) {
        return value + 0.1 + 1e-9 * Math.abs(value);
    }

    // ---- placements

    /** @param isLookup whether the bundle has no owner now */
    void check(String bundle, Set<String> candidates, boolean isLookup, Optional<String> answer) {
        answers.put(bundle, answer.orElse(null));
        boolean canAnswer = candidates.stream().anyMatch(candidate -> cluster.report(candidate) != null);
        if (answer.isEmpty()) {
            check(!canAnswer, "an answer where there is a candidate", bundle);
            return;
        }
        boolean isSource = !isLookup && cluster.planned.containsKey(bundle) && cluster.brokers.containsKey(answer.get())
                && cluster.brokers.get(answer.get()).bundles.containsKey(bundle);
        check(candidates.contains(answer.get()) || isSource, "a candidate, or who has it", bundle + " on " + answer);
        check(cluster.report(answer.get()) != null, "a broker with a report", bundle + " on " + answer);
    }

    // ---- load data

    private double score(LocalBrokerData report) {
        double rate = rate(report.getMsgRateIn() + report.getMsgRateOut());
        double best = Double.NaN;
        for (double usage : new double[] {percent(report.getCpu()), percent(report.getBandwidthIn()),
            percent(report.getBandwidthOut()),
            settings.msgRateCapacity > 0 ? 100 * rate / settings.msgRateCapacity : Double.NaN}) {
            if (!Double.isNaN(usage) && !(usage <= best) && usage < Double.POSITIVE_INFINITY) {
                best = usage;
            }
        }
        return best;
    }

    private static double percent(ResourceUsage usage) {
        boolean isKnown = usage != null && usage.limit > 0 && usage.limit < Double.POSITIVE_INFINITY && usage.usage >= 0
                && 100 * usage.usage / usage.limit < Double.POSITIVE_INFINITY;
        return isKnown ? 100 * usage.usage / usage.limit : Double.NaN;
    }

    private static double rate(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY ? value : 0;
    }

    /** Dust by every kind of traffic, and so by whatever mixture of them. */
    private boolean isDust(String bundle, LocalBrokerData report) {
        Set<String> names = new HashSet<>();
        if (report.getLastStats() != null) {
            names.addAll(report.getLastStats().keySet());
        }
        if (report.getBundles() != null) {
            names.addAll(report.getBundles());
        }
        names.remove(null);
        double[] sums = new double[4];
        int withTraffic = 0;
        for (String name : names) {
            double[] kinds = rates(name, report).kinds();
            withTraffic += kinds[0] + kinds[3] > 0 ? 1 : 0;
            for (int kind = 0; kind < sums.length; kind++) {
                sums[kind] += kinds[kind];
            }
        }
        double[] own = rates(bundle, report).kinds();
        for (int kind = 0; kind < sums.length; kind++) {
            if (own[kind] > 0 && !(own[kind] < (0.1 - 1e-9) * sums[kind] / withTraffic)) {
                return false;
            }
        }
        return true;
    }

    private Rates rates(String bundle, LocalBrokerData report) {
        NamespaceBundleStats stats = report.getLastStats() == null ? null : report.getLastStats().get(bundle);
        if (stats != null && isRate(stats.msgRateIn) && isRate(stats.msgRateOut) && isRate(stats.msgThroughputIn)
                && isRate(stats.msgThroughputOut)) {
            return new Rates(rate(stats.msgRateIn + stats.msgRateOut), stats.msgThroughputIn, stats.msgThroughputOut);
        }
        BundleData history = cluster.loadData.bundles.get(bundle);
        TimeAverageMessageData average = history == null ? null : history.getShortTermData();
        return average == null || average.getNumSamples() == 0 ? new Rates(0, 0, 0) : new Rates(
                rate(average.getMsgRateIn() + average.getMsgRateOut()), rate(average.getMsgThroughputIn()),
                rate(average.getMsgThroughputOut()));
    }

    private static boolean isRate(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY;
    }

    private static String namespace(String bundle) {
        int slash = bundle.lastIndexOf('/');
        return slash < 0 ? "" : bundle.substring(0, slash);
    }

    private static boolean isPartOf(String bundle, String whole) {
        if (bundle.equals(whole)) {
            return true;
        }
        long[] inner = range(bundle);
        long[] outer = range(whole);
        return inner != null && outer != null && namespace(bundle).equals(namespace(whole)) && outer[0] <= inner[0]
                && inner[0] < inner[1] && inner[1] <= outer[1];
    }

    private static long[] range(String bundle) {
        Matcher range = Pattern.compile(".*/0x([0-9a-f]{8})_0x([0-9a-f]{8})").matcher(bundle);
        return range.matches() ? new long[] {Long.parseLong(range.group(1), 16), Long.parseLong(range.group(2), 16)}
                : null;
    }

    private static void check(boolean holds, String promise, Object subject) {
        if (!holds) {
            throw new AssertionError(promise + ": " + subject);
        }
    }
}
