package io.avgshedder.demo;

import io.avgshedder.core.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pulsar.PulsarVersion;

/** The demonstration as one page that needs nothing but itself. */
final class DemoPage {

    private static final int COLOURS = 5;
    private static final int SCALE_STEP = 20;
    private static final Text TEXT = new Text(true);

    private final Chronicle chronicle;
    private final Summary summary;

    DemoPage(Chronicle chronicle, Summary summary) {
        this.chronicle = chronicle;
        this.summary = summary;
    }

    String html() throws IOException {
        Plot scores = scores();
        Map<String, String> parts = new HashMap<>();
        parts.put("setting", escape("Pulsar " + PulsarVersion.getVersion() + ": " + (chronicle.brokers().size()
                - chronicle.joins().size()) + " brokers, then one more, in one process, with real producers and consumers."
                + " One round a second; a broker runs one a minute. All durations of the plugin run " + Demo.SPEED
                + " times faster alike."));
        parts.put("verdictClass", summary.success() ? "good" : "bad");
        parts.put("verdict", escape(summary.sentence()));
        parts.put("tiles", tiles());
        parts.put("capacity", String.valueOf(Demo.CAPACITY));
        parts.put("low", String.valueOf(Demo.LOW_THRESHOLD));
        parts.put("high", String.valueOf(Demo.HIGH_THRESHOLD));
        parts.put("hitsLow", String.valueOf(Demo.HITS_LOW));
        parts.put("hitsHigh", String.valueOf(Demo.HITS_HIGH));
        parts.put("data", data(scores));
        parts.put("brokers", chronicle.brokers().stream().map(DemoPage::quote)
                .collect(Collectors.joining(",", "[", "]")));
        parts.put("scores", scores.end());
        parts.put("spread", spread());
        parts.put("moves", moves());
        parts.put("verdicts", verdicts());
        String page = template();
        for (Map.Entry<String, String> part : parts.entrySet()) {
            page = page.replace("{{" + part.getKey() + "}}", part.getValue());
        }
        return page;
    }

    private static String template() throws IOException {
        try (InputStream in = DemoPage.class.getResourceAsStream("demo-page.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String tiles() {
        return tile("rounds", String.valueOf(summary.rounds()), "")
                + tile("bundles moved", String.valueOf(summary.moved()), "")
                + tile("spread before and after", Text.points(summary.spreadBefore()) + " → "
                        + Text.points(summary.spreadAfter()), summary.level() ? "good" : "bad")
                + tile("messages sent", String.format(Locale.ROOT, "%,d", summary.messages().sent()), "")
                + tile("messages lost", String.valueOf(summary.messages().lost()),
                        summary.messages().lost() == 0 ? "good" : "bad");
    }

    private static String tile(String name, String value, String style) {
        return "<div class=\"tile\"><b class=\"" + style + "\">" + value + "</b><span>" + name + "</span></div>";
    }

    private Plot scores() {
        double highest = chronicle.moments().stream().flatMap(moment -> moment.round().brokers().stream())
                .mapToDouble(score -> score.score()).max().orElse(0);
        double scale = Math.max(SCALE_STEP, Math.ceil(highest / SCALE_STEP) * SCALE_STEP);
        Plot plot = plot("Score of each broker over time", 400, scale);
        for (Chronicle.Moment moment : chronicle.moments()) {
            int moved = moment.round().transfers().size();
            if (moved > 0) {
                String title = moment.round().transfers().stream().map(transfer -> escape(transfer.bundle() + ": "
                        + transfer.source() + " → " + transfer.target())).collect(Collectors.joining("\n"));
                plot.flag(moment.seconds(), moved, title);
            }
        }
        chronicle.joins().forEach(join -> plot.mark(join.seconds(), escape(join.broker() + " joins")));
        for (int i = 0; i < chronicle.brokers().size(); i++) {
            String broker = chronicle.brokers().get(i);
            plot.series(escape(broker), Math.min(i, COLOURS - 1), chronicle.moments(), moment -> moment.score(broker));
        }
        return plot;
    }

    private String spread() {
        double highest = chronicle.moments().stream().mapToDouble(Chronicle.Moment::spread).max().orElse(0);
        double scale = Math.max(Demo.HIGH_THRESHOLD + SCALE_STEP, Math.ceil(highest / SCALE_STEP) * SCALE_STEP);
        Plot plot = plot("Hottest minus coldest score over time", 190, scale);
        plot.threshold(Demo.LOW_THRESHOLD);
        plot.threshold(Demo.HIGH_THRESHOLD);
        plot.line(chronicle.moments(), Chronicle.Moment::spread);
        return plot.end();
    }

    private Plot plot(String title, int height, double scale) {
        int top = height > 200 ? 44 : 10;
        return new Plot(title, height, top, chronicle.moments().get(0).seconds(), chronicle.last().seconds(), scale,
                SCALE_STEP);
    }

    private String moves() {
        return chronicle.moves().stream()
                .map(move -> row(Text.time(move.seconds()), move.round(),
                        "<code>" + escape(move.transfer().bundle()) + "</code>",
                        "<code>" + escape(move.transfer().source()) + "</code>",
                        "<code>" + escape(move.transfer().target()) + "</code>",
                        move.done() ? "yes" : "<span class=\"bad\">no</span>"))
                .collect(Collectors.joining("\n"));
    }

    private String verdicts() {
        StringBuilder rows = new StringBuilder();
        Map<String, Object> said = new HashMap<>();
        for (Chronicle.Moment moment : chronicle.moments()) {
            for (Verdict verdict : moment.round().verdicts()) {
                if (!Objects.equals(said.put(TEXT.pair(verdict), verdict.reason()), verdict.reason())) {
                    rows.append(row(Text.time(moment.seconds()), moment.round().number(),
                            "<code>" + verdict.reason() + "</code>", escape(verdict.sentence()))).append('\n');
                }
            }
        }
        return rows.toString();
    }

    private static String row(String time, long round, String... cells) {
        return "<tr><td class=\"n\">" + time + "</td><td class=\"n\">" + round + "</td>"
                + List.of(cells).stream().map(cell -> "<td>" + cell + "</td>").collect(Collectors.joining()) + "</tr>";
    }

    /** For the pointer: where each round is in the drawing, and what it said. */
    private String data(Plot plot) {
        return chronicle.moments().stream().map(moment -> String.format(Locale.ROOT,
                "{\"x\":%.1f,\"time\":\"%s\",\"round\":%d,\"scores\":[%s],\"said\":[%s]}",
                plot.x(moment.seconds()), Text.time(moment.seconds()), moment.round().number(),
                IntStream.range(0, chronicle.brokers().size())
                        .mapToObj(i -> number(moment.score(chronicle.brokers().get(i))))
                        .collect(Collectors.joining(",")),
                moment.round().verdicts().stream().map(verdict -> quote(verdict.sentence()))
                        .collect(Collectors.joining(","))))
                .collect(Collectors.joining(",\n", "[", "]"));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** A JavaScript string that is safe inside a page. */
    private static String quote(String words) {
        return '"' + words.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("<", "\\u003c")
                + '"';
    }

    private static String escape(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
