package io.avgshedder.matrix;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How each key is changed at run time on each version, as the cluster test found it and left it in one properties file a
 * version. Versions of the same answers share a column; one that left none has a column that says so.
 */
final class DynamicTable {

    private static final String NO_ANSWER = "not known";

    private final Path directory;

    DynamicTable(Path directory) {
        this.directory = directory;
    }

    /** Makes sure that what {@link #of} finds is what was found after this call. */
    void forget(String version) throws IOException {
        Files.deleteIfExists(file(version));
    }

    String of(List<String> versions) throws IOException {
        Map<Map<String, String>, String> columns = new LinkedHashMap<>();
        TreeSet<String> keys = new TreeSet<>();
        for (String version : versions) {
            Map<String, String> answers = answers(version);
            columns.merge(answers, version, (before, added) -> before + ", " + added);
            keys.addAll(answers.keySet());
        }
        StringBuilder table = new StringBuilder("| key | ").append(String.join(" | ", columns.values())).append(" |\n")
                .append("| --- ".repeat(columns.size() + 1)).append("|\n");
        for (String key : keys) {
            table.append("| `").append(key).append("` |");
            columns.keySet().forEach(answers ->
                    table.append(' ').append(answers.getOrDefault(key, NO_ANSWER)).append(" |"));
            table.append('\n');
        }
        return table.toString();
    }

    private Map<String, String> answers(String version) throws IOException {
        Map<String, String> answers = new TreeMap<>();
        if (Files.exists(file(version))) {
            Properties properties = new Properties();
            try (Reader reader = Files.newBufferedReader(file(version))) {
                properties.load(reader);
            }
            properties.stringPropertyNames().forEach(key -> answers.put(key, properties.getProperty(key)));
        }
        return answers;
    }

    private Path file(String version) {
        return directory.resolve("dynamic-" + version + ".properties");
    }
}
