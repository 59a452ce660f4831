package io.avgshedder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The operator's runbook, by its headings. What stands in it between plain fences is printed by the plugin, letter by
 * letter, and tests hold it to that; commands, configuration and the output of a real run stand between fences that name
 * a language.
 */
public final class Runbook {

    public static final Path PAGE = Path.of("conf-examples/RUNBOOK.md");

    private static final String FENCE = "```";

    private Runbook() {
    }

    /** The lines below each heading of any level, up to the next one. */
    private static Map<String, List<String>> sections() {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> section = new ArrayList<>();
        boolean fenced = false;
        try {
            for (String line : Files.readAllLines(PAGE)) {
                fenced ^= line.startsWith(FENCE);
                if (!fenced && line.startsWith("#")) {
                    section = new ArrayList<>();
                    if (sections.put(line.substring(line.indexOf(' ') + 1), section) != null) {
                        throw new IllegalStateException("Two sections have the heading of " + line);
                    }
                } else {
                    section.add(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sections;
    }

    public static List<String> headings() {
        return List.copyOf(sections().keySet());
    }

    public static List<String> section(String heading) {
        List<String> section = sections().get(heading);
        if (section == null) {
            throw new IllegalStateException(PAGE + " has no section \"" + heading + "\"");
        }
        return section;
    }

    /** What a section quotes of the plugin's own lines, in its order. */
    public static List<String> quotes(String heading) {
        List<String> quotes = new ArrayList<>();
        String open = null;
        for (String line : section(heading)) {
            if (line.startsWith(FENCE)) {
                open = open == null ? line : null;
            } else if (FENCE.equals(open)) {
                quotes.add(line);
            }
        }
        return quotes;
    }
}
