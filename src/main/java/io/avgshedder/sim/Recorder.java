package io.avgshedder.sim;

import io.avgshedder.core.Round;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.pulsar.broker.ServiceConfiguration;

/** Watches a run and measures it by the hidden truth. */
final class Recorder {

    private static final double MINUTE = 60_000;
    private static final double EPSILON = 1e-9;
    private static final int MOST_TRACED_BROKERS = 24;

    private record Move(SimBundle bundle, SimBroker source, SimBroker target, double expected) {
    }

    private record Departure(SimBroker source, long time) {
    }

    private final Scenario scenario;
    private final VirtualCluster cluster;
    private final double lowThreshold;
    private final long returnMillis;
    private final boolean traced;

    private final List<Double> times = new ArrayList<>();
    private final List<Double> spreads = new ArrayList<>();
    private final Map<String, List<Double>> usage = new LinkedHashMap<>();
    private final List<Run.Shed> sheds = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Map<SimBundle, List<Departure>> departures = new HashMap<>();
    private final List<Move> moves = new ArrayList<>();
    private Map<SimBroker, Double> before = Map.of();
    private long roundAt;
    private boolean inRound;
    private int unloads;
    private double disturbed;
    private int harmful;
    private int returns;
    private int failures;
    private double lastUnload = -1;

    Recorder(Scenario scenario, VirtualCluster cluster, ServiceConfiguration conf, boolean traced) {
        this.scenario = scenario;
        this.cluster = cluster;
        this.traced = traced;
        Properties properties = conf.getProperties();
        String low = properties == null ? null : properties.getProperty("loadBalancerAvgShedderLowThreshold");
        lowThreshold = low == null ? 15 : Double.parseDouble(low);
        returnMillis = 2 * conf.getLoadBalancerSheddingGracePeriodMinutes() * 60_000;
        cluster.brokers().forEach(broker -> usage.put(broker.name, new ArrayList<>()));
    }

    void sample(long now) {
        times.add(now / MINUTE);
        spreads.add(cluster.spread());
        cluster.brokers().forEach(broker ->
                usage.get(broker.name).add(broker.alive ? broker.trueUsage() : Double.NaN));
    }

    void beginRound(long now) {
        inRound = true;
        roundAt = now;
        moves.clear();
        before = new LinkedHashMap<>();
        for (SimBroker broker : cluster.brokers()) {
            if (broker.alive) {
                before.put(broker, broker.trueUsage());
            }
        }
    }

    void pluginRound(Round round) {
        boolean quiet = !traced
                || round.verdicts().stream().allMatch(verdict -> verdict.reason() == Reason.BELOW_THRESHOLD);
        if (quiet) {
            return;
        }
        line("reported %s", round.brokers().stream().limit(MOST_TRACED_BROKERS)
                .map(score -> String.format(Locale.ROOT, "%s %.1f", score.broker(), score.score())).toList());
        for (Verdict verdict : round.verdicts()) {
            if (verdict.reason() != Reason.BELOW_THRESHOLD) {
                line("%s %s", verdict.reason(), verdict.sentence());
            }
        }
        round.notices().forEach(notice -> line("%s", notice));
    }

    private void line(String format, Object... arguments) {
        if (!traced) {
            return;
        }
        trace.add(String.format(Locale.ROOT, "%7.2f  ", roundAt / MINUTE)
                + String.format(Locale.ROOT, format, arguments));
    }

    /** An answer of the placement strategy. */
    void placed(SimBundle bundle, String source, String answer, String why) {
        line("placement: %s of %.0f msg/s from %s to %s (%s)", bundle.name, bundle.expected, source, answer, why);
    }

    void moved(SimBundle bundle, SimBroker source, SimBroker target, long now) {
        moves.add(new Move(bundle, source, target, bundle.expected));
        unloads++;
        lastUnload = now / MINUTE;
        disturbed += bundle.current * bundle.size;
        List<Departure> earlier = departures.computeIfAbsent(bundle, any -> new ArrayList<>());
        if (earlier.stream().anyMatch(departure ->
                departure.source == target && now - departure.time <= returnMillis)) {
            returns++;
            line("RETURN of %s to %s", bundle.name, target.name);
        }
        earlier.add(new Departure(source, now));
    }

    void endRound() {
        if (!inRound) {
            return;
        }
        inRound = false;
        if (moves.isEmpty()) {
            return;
        }
        Map<SimBroker, Double> after = new HashMap<>(before);
        for (Move move : moves) {
            after.merge(move.source, -move.source.points(move.expected), Double::sum);
            after.merge(move.target, move.target.points(move.expected), Double::sum);
        }
        int harmfulNow = 0;
        Map<String, Integer> pairs = new LinkedHashMap<>();
        for (Move move : moves) {
            double donorBefore = before.getOrDefault(move.source, Double.NaN);
            boolean hotter = after.get(move.target) > donorBefore + EPSILON;
            boolean turned = after.get(move.target) - after.get(move.source) > lowThreshold + EPSILON;
            boolean harms = hotter || turned;
            if (harms) {
                harmfulNow++;
            }
            pairs.merge(String.format(Locale.ROOT, "%s (%.1f, then %.1f) to %s (%.1f, then %.1f)%s",
                    move.source.name, donorBefore, after.get(move.source), move.target.name,
                    before.getOrDefault(move.target, Double.NaN), after.get(move.target),
                    harms ? " HARMFUL" : ""), 1, Integer::sum);
        }
        pairs.forEach((pair, count) -> line("truth: %d bundles from %s", count, pair));
        harmful += harmfulNow;
        sheds.add(new Run.Shed(roundAt / MINUTE, moves.size(), harmfulNow));
    }

    /** Calls the strategy; what it throws is counted, as the manager would log it and go on. */
    <T> T guard(String call, Supplier<T> action, T otherwise) {
        try {
            return action.get();
        } catch (RuntimeException | LinkageError | AssertionError e) {
            failures++;
            line("%s threw %s", call, e);
            return otherwise;
        }
    }

    void guard(String call, Runnable action) {
        guard(call, () -> {
            action.run();
            return null;
        }, null);
    }

    Run finish(Strategies.Strategy strategy, long seed) {
        endRound();
        double finalSpread = spreads.get(spreads.size() - 1);
        Oracle.Answer fewest = Oracle.fewestMoves(cluster, finalSpread);
        double regret = unloads == 0 ? 1 : fewest.moves() == 0 ? Double.POSITIVE_INFINITY
                : (double) unloads / fewest.moves();
        Double level = minutesToLevel();
        List<String> broken = broken(scenario.expectationsFor(strategy.name()), level, finalSpread);
        List<String> names = List.copyOf(usage.keySet());
        double[][] series = usage.values().stream()
                .map(values -> values.stream().mapToDouble(Double::doubleValue).toArray()).toArray(double[][]::new);
        return new Run(strategy.name(), seed, level, sheds.size(), unloads, disturbed, harmful, returns, regret,
                fewest.exact(), finalSpread, failures, lastUnload, broken,
                new Run.History(names, times.stream().mapToDouble(Double::doubleValue).toArray(), series,
                        List.copyOf(sheds), List.copyOf(trace)));
    }

    private Double minutesToLevel() {
        int last = -1;
        for (int i = 0; i < times.size(); i++) {
            if (times.get(i) >= scenario.measureFrom() && spreads.get(i) > lowThreshold) {
                last = i;
            }
        }
        if (last + 1 == times.size()) {
            return null;
        }
        return last < 0 ? 0 : times.get(last + 1) - scenario.measureFrom();
    }

    private List<String> broken(Scenario.Expectations expected, Double level, double finalSpread) {
        List<String> broken = new ArrayList<>();
        if (expected.levelWithin() != null && (level == null || level > expected.levelWithin())) {
            broken.add(level == null ? "never level, and not within " + expected.levelWithin() + " minutes"
                    : "level after " + level + " minutes, not within " + expected.levelWithin());
        }
        if (expected.spread() != null && finalSpread > expected.spread()) {
            broken.add(String.format(Locale.ROOT, "final spread %.1f, not at most %.1f", finalSpread,
                    expected.spread()));
        }
        most(broken, "shedding rounds", sheds.size(), expected.rounds());
        most(broken, "unloads", unloads, expected.unloads());
        most(broken, "harmful moves", harmful, expected.harmfulMoves());
        most(broken, "returns", returns, expected.returns());
        if (expected.leastUnloads() != null && unloads < expected.leastUnloads()) {
            broken.add(unloads + " unloads, not at least " + expected.leastUnloads());
        }
        if (expected.steadyAfter() != null && lastUnload > expected.steadyAfter()) {
            broken.add(String.format(Locale.ROOT, "last unload in minute %.1f, not by %.1f", lastUnload,
                    expected.steadyAfter()));
        }
        return broken;
    }

    private static void most(List<String> broken, String what, int value, Integer most) {
        if (most != null && value > most) {
            broken.add(value + " " + what + ", not at most " + most);
        }
    }

}
