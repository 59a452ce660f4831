package io.avgshedder.tool;

import java.io.PrintWriter;

/** Lines of a label and a text, which is wrapped at single spaces and hangs from its first line. */
final class Lines {

    static final int WIDTH = 100;

    private final PrintWriter out;
    private final int labelWidth;

    Lines(PrintWriter out, int labelWidth) {
        this.out = out;
        this.labelWidth = labelWidth;
    }

    void print(String label, String text) {
        wrap("  " + label + " ".repeat(Math.max(0, labelWidth - label.length())) + "  ",
                " ".repeat(labelWidth + 4), text);
    }

    /** A text without a label. */
    void paragraph(String text) {
        wrap("", "", text);
    }

    private void wrap(String start, String indent, String text) {
        StringBuilder line = new StringBuilder(start);
        boolean fresh = true;
        for (String word : text.split(" (?! )")) {
            if (!fresh && line.length() + 1 + word.length() > WIDTH) {
                out.println(line.toString().stripTrailing());
                line.setLength(0);
                line.append(indent);
                fresh = true;
            }
            line.append(fresh ? "" : " ").append(word);
            fresh = false;
        }
        out.println(line.toString().stripTrailing());
    }
}
