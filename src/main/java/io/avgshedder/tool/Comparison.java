package io.avgshedder.tool;

import io.avgshedder.sim.Measure;
import io.avgshedder.sim.Results;
import io.avgshedder.sim.Strategies.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.pulsar.PulsarVersion;

/** Scenarios by strategies as a Markdown table, which has its place in a longer text. */
final class Comparison {

    static final String BEGIN = "<!-- made by mvn -Pcomparison -->";
    static final String END = "<!-- end of the comparison -->";

    private final Path file;
    private final List<String> strategies;
    private final List<Results> rows = new ArrayList<>();

    /** @throws UserError where the file exists and has no place for the table */
    Comparison(Path file, List<Strategy> strategies) {
        this.file = file;
        this.strategies = strategies.stream().map(Strategy::name).toList();
        around();
    }

    void add(Results results) {
        rows.add(results);
    }

    /** The whole file with the new table in it. */
    String text() {
        String[] around = around();
        return around[0] + BEGIN + "\n" + table() + END + around[1];
    }

    private String[] around() {
        if (!Files.exists(file)) {
            return new String[] {"", "\n"};
        }
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UserError("--markdown: " + file + " cannot be read: " + e.getMessage(), e);
        }
        int from = text.indexOf(BEGIN);
        int to = text.indexOf(END);
        if (from < 0 || to < from) {
            throw new UserError("--markdown: " + file + " has no place for the table: a line \"" + BEGIN
                    + "\" and after it a line \"" + END + "\"");
        }
        return new String[] {text.substring(0, from), text.substring(to + END.length())};
    }

    private String table() {
        int seeds = rows.isEmpty() ? 0 : rows.get(0).of(strategies.get(0)).size();
        StringBuilder table = new StringBuilder();
        table.append("In each cell: minutes to level / unloads / harmful moves / returns, as medians over "
                + RoundTable.count(seeds, "seed") + " (and the worst of them in brackets, where it differs), / the "
                + "worst final spread in points. A dash: never level. Pulsar " + PulsarVersion.getVersion() + ".\n\n");
        table.append("| scenario |");
        strategies.forEach(strategy -> table.append(" `").append(strategy).append("` |"));
        table.append("\n| --- |").append(" --- |".repeat(strategies.size())).append('\n');
        for (Results row : rows) {
            table.append("| ").append(row.scenario().name()).append(" |");
            strategies.forEach(strategy -> table.append(' ').append(cell(row, strategy)).append(" |"));
            table.append('\n');
        }
        return table.toString();
    }

    private static String cell(Results results, String strategy) {
        return String.join(" / ", number(results.median(strategy, Measure.MINUTES_TO_LEVEL)),
                number(results.median(strategy, Measure.UNLOADS)),
                withWorst(results, strategy, Measure.HARMFUL_MOVES), withWorst(results, strategy, Measure.RETURNS),
                number(results.most(strategy, Measure.FINAL_SPREAD)));
    }

    private static String withWorst(Results results, String strategy, Measure measure) {
        double median = results.median(strategy, measure);
        double worst = results.most(strategy, measure);
        return number(median) + (worst > median ? " (" + number(worst) + ")" : "");
    }

    private static String number(double value) {
        if (Double.isInfinite(value)) {
            return "–";
        }
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
