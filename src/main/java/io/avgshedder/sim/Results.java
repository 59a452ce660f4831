package io.avgshedder.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** All runs of one scenario, side by side. */
public record Results(Scenario scenario, List<Run> runs) {

    private static final Map<String, ToDoubleFunction<Run>> MEASURES = measures();

    public Results {
        runs = List.copyOf(runs);
    }

    private static Map<String, ToDoubleFunction<Run>> measures() {
        Map<String, ToDoubleFunction<Run>> measures = new LinkedHashMap<>();
        measures.put("minutesToLevel", run -> run.minutesToLevel() == null ? Double.POSITIVE_INFINITY
                : run.minutesToLevel());
        measures.put("sheddingRounds", Run::sheddingRounds);
        measures.put("unloads", Run::unloads);
        measures.put("disturbedBytesPerSecond", Run::disturbedBytesPerSecond);
        measures.put("harmfulMoves", Run::harmfulMoves);
        measures.put("returns", Run::returns);
        measures.put("regret", Run::regret);
        measures.put("finalSpread", Run::finalSpread);
        return measures;
    }

    private Map<String, List<Run>> byStrategy() {
        Map<String, List<Run>> by = new LinkedHashMap<>();
        runs.forEach(run -> by.computeIfAbsent(run.strategy(), name -> new ArrayList<>()).add(run));
        return by;
    }

    private static double median(List<Run> runs, ToDoubleFunction<Run> measure) {
        double[] sorted = runs.stream().mapToDouble(measure).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 || sorted[middle - 1] == sorted[middle] ? sorted[middle]
                : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** A table of the medians for people; with several seeds the largest harm and returns are shown beside. */
    public String table() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%s: %s%n", scenario.name(), scenario.title()));
        text.append(String.format(Locale.ROOT, "  %-10s %6s %7s %8s %9s %8s %8s %8s %7s %6s  %s%n", "strategy",
                "level", "rounds", "unloads", "MB/s", "harmful", "returns", "regret", "spread", "fails",
                "expectations"));
        byStrategy().forEach((name, of) -> {
            long met = of.stream().filter(Run::expectationsMet).count();
            boolean exact = of.stream().allMatch(Run::regretExact);
            text.append(String.format(Locale.ROOT, "  %-10s %6s %7s %8s %9.2f %8s %8s %8s %7.1f %6d  %d of %d%s%n",
                    name,
                    number(median(of, MEASURES.get("minutesToLevel"))), number(median(of, Run::sheddingRounds)),
                    number(median(of, Run::unloads)), median(of, Run::disturbedBytesPerSecond) / 1e6,
                    range(of, Run::harmfulMoves), range(of, Run::returns),
                    (exact ? "" : "<") + number(median(of, Run::regret)), median(of, Run::finalSpread),
                    of.stream().mapToInt(Run::failures).sum(), met, of.size(),
                    of.stream().filter(run -> !run.expectationsMet()).findFirst()
                            .map(run -> ", seed " + run.seed() + ": " + String.join("; ", run.broken())).orElse("")));
        });
        return text.toString();
    }

    private static String range(List<Run> runs, ToDoubleFunction<Run> measure) {
        double median = median(runs, measure);
        double most = runs.stream().mapToDouble(measure).max().orElse(0);
        return number(median) + (most > median ? "/" + number(most) : "");
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return "never";
        }
        return value == Math.rint(value) ? Long.toString((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }

    /** The machine's form. */
    public String json() {
        StringBuilder json = new StringBuilder("{\"scenario\": ").append(quote(scenario.name()))
                .append(", \"runs\": [");
        String separator = "";
        for (Run run : runs) {
            json.append(separator).append("{\"strategy\": ").append(quote(run.strategy())).append(", \"seed\": ")
                    .append(run.seed());
            MEASURES.forEach((name, measure) -> json.append(", \"").append(name).append("\": ")
                    .append(jsonNumber(measure.applyAsDouble(run))));
            json.append(", \"regretExact\": ").append(run.regretExact());
            json.append(", \"expectationsMet\": ").append(run.expectationsMet()).append('}');
            separator = ", ";
        }
        json.append("], \"medians\": {");
        separator = "";
        for (Map.Entry<String, List<Run>> of : byStrategy().entrySet()) {
            json.append(separator).append(quote(of.getKey())).append(": ");
            json.append(object(MEASURES, measure -> jsonNumber(median(of.getValue(), measure))));
            separator = ", ";
        }
        return json.append("}}").toString();
    }

    private static String object(Map<String, ToDoubleFunction<Run>> measures,
                                 Function<ToDoubleFunction<Run>, String> value) {
        StringBuilder json = new StringBuilder("{");
        measures.forEach((name, measure) -> json.append(json.length() > 1 ? ", \"" : "\"").append(name).append("\": ")
                .append(value.apply(measure)));
        return json.append('}').toString();
    }

    private static String jsonNumber(double value) {
        if (Double.isInfinite(value) || Double.isNaN(value)) {
            return "null";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.4f", value);
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
