package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.avgshedder.sim.Measure;
import io.avgshedder.sim.Results;
import io.avgshedder.sim.Run;
import io.avgshedder.sim.Scenario;
import io.avgshedder.sim.Strategies.Strategy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.PulsarVersion;

/**
 * The runs of one scenario as a page that needs nothing but itself: what was measured as a table, and for each strategy
 * the true usage over time. uPlot, which draws it, is inlined with its licence.
 *
 * <p>Each broker has a line up to {@link #MOST_LINES} of them; of more, the page shows how they are distributed,
 * because hundreds of lines show nothing.
 */
final class SimulationPage {

    static final int MOST_LINES = 24;

    private static final double[] QUANTILES = {1, 0.9, 0.5, 0.1, 0};
    private static final List<String> QUANTILE_NAMES =
            List.of("hottest broker", "90th percentile", "median", "10th percentile", "coolest broker");
    private static final double HUNDREDTHS = 100;
    /** What pairing may cost in unloads, by regret, before the page mentions it. */
    private static final double PAIRING_COST = 1.3;
    private static final Pattern PART = Pattern.compile("\\{\\{(\\w+)}}");

    private final Scenario scenario;
    private final ObjectNode data = JsonNodeFactory.instance.objectNode();
    private final Map<String, ArrayNode> runs = new LinkedHashMap<>();

    SimulationPage(Scenario scenario) {
        this.scenario = scenario;
        data.put("measureFrom", scenario.measureFrom());
    }

    /** Takes the history of a run. All runs have the same brokers and moments. */
    void add(Run run) {
        Run.History history = run.history();
        boolean each = history.brokers().size() <= MOST_LINES;
        if (runs.isEmpty()) {
            data.put("brokers", history.brokers().size());
            data.put("each", each);
            ArrayNode names = data.putArray("lines");
            (each ? history.brokers() : QUANTILE_NAMES).forEach(names::add);
            ArrayNode minutes = data.putArray("minutes");
            Arrays.stream(history.minutes()).forEach(minute -> minutes.add(rounded(minute)));
        }
        ObjectNode node = runs.computeIfAbsent(run.strategy(), any -> JsonNodeFactory.instance.arrayNode()).addObject();
        node.put("seed", run.seed());
        node.put("text", sentence(run));
        ArrayNode usage = node.putArray("usage");
        for (double[] line : each ? history.usage() : quantiles(history)) {
            ArrayNode points = usage.addArray();
            for (double value : line) {
                if (Double.isNaN(value)) {
                    points.addNull();
                } else {
                    points.add(rounded(value));
                }
            }
        }
        ArrayNode sheds = node.putArray("sheds");
        history.sheds().forEach(shed -> sheds.addArray().add(rounded(shed.minute())).add(shed.unloads())
                .add(shed.harmful()));
    }

    private static double rounded(double value) {
        return Math.rint(value * HUNDREDTHS) / HUNDREDTHS;
    }

    private static double[][] quantiles(Run.History history) {
        double[][] lines = new double[QUANTILES.length][history.minutes().length];
        for (int sample = 0; sample < history.minutes().length; sample++) {
            int at = sample;
            double[] sorted = Arrays.stream(history.usage()).mapToDouble(line -> line[at])
                    .filter(value -> !Double.isNaN(value)).sorted().toArray();
            for (int line = 0; line < lines.length; line++) {
                lines[line][sample] = sorted.length == 0 ? Double.NaN
                        : sorted[(int) Math.round(QUANTILES[line] * (sorted.length - 1))];
            }
        }
        return lines;
    }

    /** One run in words, for those who do not see the plot as well. */
    private static String sentence(Run run) {
        String level = run.minutesToLevel() == null ? "never level"
                : run.minutesToLevel() == 0 ? "level all the time"
                : "level after " + text(run.minutesToLevel()) + " minutes";
        String unloads = run.unloads() == 0 ? "nothing unloaded" : RoundTable.count(run.unloads(), "unload") + " in "
                + RoundTable.count(run.sheddingRounds(), "round") + ", "
                + (run.harmfulMoves() == 0 ? "none" : run.harmfulMoves()) + " of them harmful, "
                + RoundTable.count(run.returns(), "return");
        return level + "; " + unloads + "; final spread " + text(run.finalSpread()) + " points";
    }

    /** The page. */
    String html(Results results, List<Strategy> strategies) {
        ArrayNode each = data.putArray("strategies");
        strategies.forEach(strategy -> each.addObject().put("name", strategy.name()).put("title", strategy.title())
                .set("runs", runs.get(strategy.name())));
        Map<String, String> parts = new HashMap<>();
        parts.put("title", escape(scenario.title()));
        parts.put("about", scenario.about().isEmpty() ? "" : "<p>" + escape(scenario.about()) + "</p>");
        parts.put("setting", escape(setting(results)));
        parts.put("rows", rows(results, strategies));
        parts.put("note", note(results));
        parts.put("style", resource("simulation.css"));
        parts.put("script", resource("simulation.js"));
        parts.put("plotStyle", resource("uplot/uPlot.min.css"));
        parts.put("plotScript", resource("uplot/uPlot.iife.min.js"));
        parts.put("plotLicence", resource("uplot/LICENSE"));
        // The only way to end a script element early.
        parts.put("data", data.toString().replace("<", "\\u003c"));
        return PART.matcher(resource("simulation.html")).replaceAll(part ->
                Matcher.quoteReplacement(parts.get(part.group(1))));
    }

    private String setting(Results results) {
        int seeds = results.of(results.strategies().get(0)).size();
        int brokers = data.get("brokers").asInt();
        return "Scenario " + scenario.name() + ": " + RoundTable.count(brokers, "virtual broker") + ", "
                + text(scenario.minutes()) + " minutes, " + RoundTable.count(seeds, "seed") + "; the strategies are "
                + "those of Pulsar " + PulsarVersion.getVersion() + " and this plugin, the real classes.";
    }

    private static String rows(Results results, List<Strategy> strategies) {
        StringBuilder rows = new StringBuilder();
        for (Strategy strategy : strategies) {
            String name = strategy.name();
            List<Run> of = results.of(name);
            long met = of.stream().filter(Run::expectationsMet).count();
            rows.append("<tr><th scope=\"row\">").append(escape(name)).append("<small>")
                    .append(breakable(escape(strategy.title()))).append("</small></th>");
            for (Measure measure : Measure.values()) {
                boolean bad = measure == Measure.HARMFUL_MOVES && results.most(name, measure) > 0
                        || measure == Measure.RETURNS && results.most(name, measure) > 0
                        || measure == Measure.MINUTES_TO_LEVEL
                                && Double.isInfinite(results.median(name, measure));
                boolean bound = measure == Measure.REGRET && !of.stream().allMatch(Run::regretExact);
                rows.append("<td").append(bad ? " class=\"bad\"" : "").append('>').append(bound ? "≤ " : "")
                        .append(value(measure, results.median(name, measure)));
                if (results.least(name, measure) < results.most(name, measure)) {
                    rows.append("<small>").append(value(measure, results.least(name, measure))).append(" to ")
                            .append(value(measure, results.most(name, measure))).append("</small>");
                }
                rows.append("</td>");
            }
            rows.append(met == of.size() ? "<td>" : "<td class=\"bad\">").append(met).append(" of ").append(of.size());
            of.stream().filter(run -> !run.expectationsMet()).findFirst().ifPresent(run -> rows.append("<small>")
                    .append(escape("seed " + run.seed() + ": " + String.join("; ", run.broken()))).append("</small>"));
            rows.append("</td></tr>\n");
        }
        return rows.toString();
    }

    private static String note(Results results) {
        if (!results.strategies().containsAll(List.of("avg", "level"))) {
            return "";
        }
        double pairs = results.median("avg", Measure.REGRET);
        double level = results.median("level", Measure.REGRET);
        return Double.isFinite(pairs) && pairs > PAIRING_COST * level
                ? "<p>Pairing itself costs here: <code>pairs</code> has " + text(pairs / level)
                        + " times the regret of <code>level</code>.</p>" : "";
    }

    private static String value(Measure measure, double value) {
        if (Double.isInfinite(value)) {
            return measure == Measure.MINUTES_TO_LEVEL ? "never" : "none needed";
        }
        if (measure == Measure.DISTURBED) {
            return String.format(Locale.ROOT, "%.1f", value / 1e6);
        }
        return measure == Measure.REGRET ? String.format(Locale.ROOT, "%.2f", value) : text(value);
    }

    private static String text(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Lets a line break before a capital, so that the name of a class does not widen the table. */
    private static String breakable(String html) {
        return html.replaceAll("(?<=[a-z])(?=[A-Z])", "<wbr>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static String resource(String name) {
        try (InputStream in = SimulationPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
