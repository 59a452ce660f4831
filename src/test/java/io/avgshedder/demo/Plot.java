package io.avgshedder.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** An SVG drawing with time from left to right, for a page whose style sheet gives the colours. */
final class Plot {

    private static final int WIDTH = 1_000;
    private static final int LEFT = 34;
    private static final int RIGHT = 150;
    private static final int BOTTOM = 26;
    private static final int LABEL_HEIGHT = 16;

    /** One named line; {@code colour} counts from 0. */
    private record Label(String name, int colour, double y) {
    }

    private final StringBuilder svg = new StringBuilder();
    private final List<Label> labels = new ArrayList<>();
    private final int height;
    private final int top;
    private final double from;
    private final double to;
    private final double highest;

    /**
     * @param height of the whole drawing, which is always 1,000 wide
     * @param top free room above the plot
     * @param from first second
     * @param to last second
     * @param highest upper end of the scale, whose lower end is 0
     */
    Plot(String title, int height, int top, double from, double to, double highest, double step) {
        this.height = height;
        this.top = top;
        this.from = from;
        this.to = Math.max(to, from + 1);
        this.highest = highest;
        add("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, height, title);
        for (double value = 0; value <= highest; value += step) {
            add("<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", value == 0 ? "axis" : "grid",
                    LEFT, WIDTH - RIGHT, y(value), y(value));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>", LEFT - 8, y(value) + 4, value);
        }
        for (int second = (int) Math.ceil(from / 10) * 10; second <= to; second += 10) {
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(second), height - 6,
                    Text.time(second));
        }
    }

    double x(double seconds) {
        return LEFT + (seconds - from) / (to - from) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return height - BOTTOM - value / highest * (height - BOTTOM - top);
    }

    /** A level of the scale, named at its right end. */
    void threshold(double value) {
        add("<line class=\"threshold\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y(value),
                y(value));
        add("<text x=\"%d\" y=\"%.1f\">%.0f</text>", WIDTH - RIGHT + 8, y(value) + 4, value);
    }

    /** A small flag with a number at the top, and a rule down from it. */
    void flag(double seconds, int number, String title) {
        double x = x(seconds);
        add("<g><title>%s</title><line class=\"move\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/>", title, x, x,
                top - 10, y(0));
        add("<path class=\"flag\" d=\"M%.1f %dl9 5-9 5z\"/><text x=\"%.1f\" y=\"%d\">%d</text></g>", x, top - 14,
                x + 11, top - 5, number);
    }

    /** A dashed rule with words. */
    void mark(double seconds, String words) {
        add("<line class=\"join\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/>", x(seconds), x(seconds), top - 26,
                y(0));
        add("<text class=\"name\" x=\"%.1f\" y=\"%d\">%s</text>", x(seconds) + 6, top - 22, words);
    }

    /** One broker's line, with its name at the right end. */
    void series(String name, int colour, List<Chronicle.Moment> moments,
            ToDoubleFunction<Chronicle.Moment> value) {
        String path = path(moments, value);
        if (!path.isEmpty()) {
            add("<path class=\"series c%d\" d=\"%s\"/>", colour, path);
            labels.add(new Label(name, colour, y(lastKnown(moments, value))));
        }
    }

    /** The one line of a drawing that needs no name. */
    void line(List<Chronicle.Moment> moments, ToDoubleFunction<Chronicle.Moment> value) {
        add("<path class=\"series spread\" d=\"%s\"/>", path(moments, value));
    }

    private String path(List<Chronicle.Moment> moments, ToDoubleFunction<Chronicle.Moment> value) {
        StringBuilder path = new StringBuilder();
        for (Chronicle.Moment moment : moments) {
            double y = value.applyAsDouble(moment);
            if (!Double.isNaN(y)) {
                path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.length() == 0 ? "M" : "L",
                        x(moment.seconds()), y(y)));
            }
        }
        return path.toString();
    }

    private static double lastKnown(List<Chronicle.Moment> moments, ToDoubleFunction<Chronicle.Moment> value) {
        return moments.stream().mapToDouble(value).filter(known -> !Double.isNaN(known))
                .reduce((earlier, later) -> later).orElseThrow();
    }

    String end() {
        labels.sort(Comparator.comparingDouble(Label::y));
        double free = 0;
        double needed = labels.size() * LABEL_HEIGHT;
        for (Label label : labels) {
            double y = Math.max(free, Math.min(label.y(), y(0) - needed + LABEL_HEIGHT));
            add("<rect class=\"f%d\" x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" rx=\"2\"/>", label.colour(),
                    WIDTH - RIGHT + 8, y - 5);
            add("<text class=\"name\" x=\"%d\" y=\"%.1f\">%s</text>", WIDTH - RIGHT + 24, y + 4, label.name());
            free = y + LABEL_HEIGHT;
            needed -= LABEL_HEIGHT;
        }
        add("<line class=\"pointer\" y1=\"%d\" y2=\"%.1f\"/>", top - 10, y(0));
        return svg.append("</svg>").toString();
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
