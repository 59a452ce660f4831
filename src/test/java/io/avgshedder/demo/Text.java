package io.avgshedder.demo;

import io.avgshedder.core.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Words, bars and marks, in block characters or in ASCII. */
final class Text {

    private static final String EIGHTHS = " ▏▎▍▌▋▊▉";
    private static final int LONGEST_DOTS = 12;

    private final boolean unicode;

    Text(boolean unicode) {
        this.unicode = unicode;
    }

    String arrow() {
        return unicode ? "→" : "->";
    }

    String done(boolean done) {
        if (!done) {
            return unicode ? "…" : "..";
        }
        return unicode ? "✓" : "ok";
    }

    /** A bar of at most {@code width} characters for a value of at most {@code full}. */
    String bar(double value, double full, int width) {
        double cells = Math.max(0, Math.min(1, value / full)) * width;
        int whole = (int) cells;
        if (!unicode) {
            return "#".repeat((int) Math.round(cells));
        }
        int eighths = (int) ((cells - whole) * 8);
        return "█".repeat(whole) + (eighths > 0 ? EIGHTHS.substring(eighths, eighths + 1) : "");
    }

    /** Hits as they build up: {@code ●●○○○○○○ 2/8}. */
    String hits(int hits, int needed) {
        int shown = Math.min(hits, needed);
        String dots = needed > LONGEST_DOTS ? "" : unicode
                ? "●".repeat(shown) + "○".repeat(needed - shown) + " "
                : "*".repeat(shown) + ".".repeat(needed - shown) + " ";
        return dots + hits + "/" + needed;
    }

    String pair(Verdict verdict) {
        return verdict.cold() == null ? verdict.hot() : verdict.hot() + " " + arrow() + " " + verdict.cold();
    }

    static String time(double seconds) {
        return String.format(Locale.ROOT, "%d:%02d", (int) seconds / 60, (int) seconds % 60);
    }

    static String points(double points) {
        return String.format(Locale.ROOT, "%.1f", points);
    }

    /** Breaks at spaces, so that no line is longer than {@code width}. */
    static List<String> wrap(String words, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
