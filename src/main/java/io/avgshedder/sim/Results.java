package io.avgshedder.sim;

import java.util.List;
import java.util.Locale;

/** All runs of one scenario, side by side. */
public record Results(Scenario scenario, List<Run> runs) {

    public Results {
        runs = List.copyOf(runs);
    }

    /** The names of the strategies, in the order in which they ran. */
    public List<String> strategies() {
        return runs.stream().map(Run::strategy).distinct().toList();
    }

    /** The runs of one strategy. */
    public List<Run> of(String strategy) {
        return runs.stream().filter(run -> run.strategy().equals(strategy)).toList();
    }

    /** Whether every run met every expectation. */
    public boolean expectationsMet() {
        return runs.stream().allMatch(Run::expectationsMet);
    }

    /** The median over the runs of a strategy; of an even number of runs, the mean of the middle two. */
    public double median(String strategy, Measure measure) {
        double[] sorted = of(strategy).stream().mapToDouble(measure::of).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 || sorted[middle - 1] == sorted[middle] ? sorted[middle]
                : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The best run's value. */
    public double least(String strategy, Measure measure) {
        return of(strategy).stream().mapToDouble(measure::of).min().orElseThrow();
    }

    /** The worst run's value. */
    public double most(String strategy, Measure measure) {
        return of(strategy).stream().mapToDouble(measure::of).max().orElseThrow();
    }

    /** A table of the medians for people; with several seeds the largest harm and returns are shown beside. */
    public String table() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%s: %s%n", scenario.name(), scenario.title()));
        text.append(String.format(Locale.ROOT, "  %-10s %6s %7s %8s %9s %8s %8s %8s %7s %6s  %s%n", "strategy",
                "level", "rounds", "unloads", "MB/s", "harmful", "returns", "regret", "spread", "fails",
                "expectations"));
        for (String name : strategies()) {
            List<Run> of = of(name);
            long met = of.stream().filter(Run::expectationsMet).count();
            boolean exact = of.stream().allMatch(Run::regretExact);
            text.append(String.format(Locale.ROOT, "  %-10s %6s %7s %8s %9.2f %8s %8s %8s %7.1f %6d  %d of %d%s%n",
                    name,
                    number(median(name, Measure.MINUTES_TO_LEVEL)), number(median(name, Measure.SHEDDING_ROUNDS)),
                    number(median(name, Measure.UNLOADS)), median(name, Measure.DISTURBED) / 1e6,
                    withMost(name, Measure.HARMFUL_MOVES), withMost(name, Measure.RETURNS),
                    (exact ? "" : "<") + number(median(name, Measure.REGRET)), median(name, Measure.FINAL_SPREAD),
                    of.stream().mapToInt(Run::failures).sum(), met, of.size(),
                    of.stream().filter(run -> !run.expectationsMet()).findFirst()
                            .map(run -> ", seed " + run.seed() + ": " + String.join("; ", run.broken())).orElse("")));
        }
        return text.toString();
    }

    private String withMost(String strategy, Measure measure) {
        double median = median(strategy, measure);
        double most = most(strategy, measure);
        return number(median) + (most > median ? "/" + number(most) : "");
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return "never";
        }
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }
}
