package io.avgshedder.demo;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws the same picture again and again over itself. */
final class LiveScreen implements Screen {

    private static final String ESCAPE = "\033[";
    private static final String HOME = ESCAPE + "H";
    private static final String CLEAR_SCREEN = ESCAPE + "2J";
    private static final String CLEAR_LINE = ESCAPE + "K";
    private static final String CLEAR_BELOW = ESCAPE + "J";
    private static final String PLAIN = ESCAPE + "0m";
    private static final String BOLD = ESCAPE + "1m";
    private static final String FAINT = ESCAPE + "2m";
    /** Blue, yellow, green, magenta, cyan: brokers in the order in which they were started. */
    private static final String[] COLOURS = {"34m", "33m", "32m", "35m", "36m"};

    private static final double FULL_SCALE = 100;
    private static final int LONGEST_BAR = 50;
    private static final int FEWEST_MOVES = 3;
    /** A broker's row without its name and its bar. */
    private static final int ROW_BESIDE_BAR = 38;

    private final Terminal terminal;
    private final Text text;
    private final String[] introduction;
    private boolean begun;

    LiveScreen(Terminal terminal, String[] introduction) {
        this.terminal = terminal;
        this.text = new Text(terminal.unicode());
        this.introduction = introduction;
    }

    @Override
    public void show(Chronicle chronicle, String phase) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < introduction.length; i++) {
            String style = i == 0 ? BOLD : FAINT;
            Text.wrap(introduction[i], terminal.width() - 1).forEach(line -> lines.add(style(style, line)));
        }
        lines.add("");
        if (chronicle.moments().isEmpty()) {
            lines.add(style(BOLD, phase));
        } else {
            Chronicle.Moment moment = chronicle.last();
            lines.add(style(BOLD, "Round " + moment.round().number() + "   " + Text.time(moment.seconds()) + "   ")
                    + phase);
            lines.add("");
            brokers(lines, chronicle, moment);
            lines.add("");
            moment.round().verdicts().forEach(verdict -> verdict(lines, verdict));
            moves(lines, chronicle);
        }
        draw(lines);
    }

    private void brokers(List<String> lines, Chronicle chronicle, Chronicle.Moment moment) {
        int nameWidth = chronicle.brokers().stream().mapToInt(String::length).max().orElse(0);
        int barWidth = Math.max(10, Math.min(LONGEST_BAR, terminal.width() - nameWidth - ROW_BESIDE_BAR));
        for (int i = 0; i < chronicle.brokers().size(); i++) {
            String broker = chronicle.brokers().get(i);
            BrokerScore score = moment.round().brokers().stream()
                    .filter(candidate -> candidate.broker().equals(broker)).findFirst().orElse(null);
            String bar = score == null ? "" : text.bar(score.score(), FULL_SCALE, barWidth);
            lines.add(String.format(Locale.ROOT, "  %-" + nameWidth + "s  %s%s %5s %-8s %2d bundles%s",
                    broker,
                    style(ESCAPE + COLOURS[i % COLOURS.length], bar),
                    " ".repeat(barWidth - bar.length()),
                    score == null ? "?" : Text.points(score.score()),
                    score == null ? "" : score.metric().label(),
                    moment.bundles().getOrDefault(broker, 0),
                    broker.equals(moment.leader()) ? " leader" : ""));
        }
    }

    private void verdict(List<String> lines, Verdict verdict) {
        lines.add("  " + text.pair(verdict) + (Double.isNaN(verdict.gap()) ? "" : style(FAINT,
                "   gap " + Text.points(verdict.gap())
                + "   low " + text.hits(verdict.hitsLow(), Demo.HITS_LOW)
                + "   high " + text.hits(verdict.hitsHigh(), Demo.HITS_HIGH))));
        Text.wrap(verdict.sentence(), terminal.width() - 7).forEach(line -> lines.add("      " + line));
    }

    private void moves(List<String> lines, Chronicle chronicle) {
        lines.add("");
        lines.add(style(BOLD, "Transfers") + "   " + chronicle.bundlesMoved() + " bundles moved so far");
        int room = Math.max(FEWEST_MOVES, terminal.height() - lines.size() - 2);
        List<Chronicle.Move> moves = chronicle.moves();
        for (Chronicle.Move move : moves.subList(Math.max(0, moves.size() - room), moves.size())) {
            lines.add("  " + Text.time(move.seconds()) + "  " + text.done(move.done()) + " "
                    + move.transfer().bundle() + "  " + move.transfer().source() + " " + text.arrow() + " "
                    + move.transfer().target());
        }
    }

    private void draw(List<String> lines) {
        StringBuilder frame = new StringBuilder(begun ? HOME : CLEAR_SCREEN + HOME);
        begun = true;
        // a frame that is higher than the terminal, or a line that is wider, would scroll it
        lines.stream().limit(terminal.height() - 1)
                .forEach(line -> frame.append(fit(line)).append(CLEAR_LINE).append('\n'));
        terminal.out().print(frame.append(CLEAR_BELOW));
        terminal.out().flush();
    }

    /** Cuts what does not fit into one row; escape sequences take no room. */
    private String fit(String line) {
        int shown = 0;
        int i = 0;
        while (i < line.length() && shown < terminal.width()) {
            if (line.startsWith(ESCAPE, i)) {
                i = line.indexOf('m', i) + 1;
            } else {
                i++;
                shown++;
            }
        }
        return i == line.length() ? line : line.substring(0, i) + (terminal.colour() ? PLAIN : "");
    }

    private String style(String style, String words) {
        return terminal.colour() ? style + words + PLAIN : words;
    }

    @Override
    public void say(String words) {
        Text.wrap(words, terminal.width() - 1).forEach(terminal.out()::println);
    }
}
