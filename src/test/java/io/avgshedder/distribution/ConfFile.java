package io.avgshedder.distribution;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A {@code key=value} file of the distribution, edited as an operator would: an existing key gets its new value on its
 * own line, a new key goes to the end, comments stay.
 *
 * <p>Appending alone would not do. Some of these files are read by a parser to which a key given twice is a list, and
 * {@code bookkeeper.conf} has no newline at its end, so that an appended line would become part of the last value.
 */
final class ConfFile {

    private final List<String> lines;

    private ConfFile(List<String> lines) {
        this.lines = lines;
    }

    static ConfFile of(List<String> lines) {
        return new ConfFile(new ArrayList<>(lines));
    }

    static ConfFile read(Path file) {
        try {
            return of(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    /** The lines of an example that the README tells an operator to put into {@code broker.conf}. */
    static Map<String, String> example(String name) {
        Properties lines = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of("conf-examples", name))) {
            lines.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the example " + name, e);
        }
        return lines.stringPropertyNames().stream().collect(Collectors.toMap(key -> key, lines::getProperty));
    }

    ConfFile set(String key, Object value) {
        Pattern definition = definitionOf(key);
        String line = key + "=" + value;
        int first = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (definition.matcher(lines.get(i)).find()) {
                first = i;
                break;
            }
        }
        if (first < 0) {
            lines.add(line);
            return this;
        }
        remove(key);
        lines.add(first, line);
        return this;
    }

    ConfFile setAll(Map<String, ?> values) {
        values.forEach(this::set);
        return this;
    }

    ConfFile remove(String key) {
        Pattern definition = definitionOf(key);
        lines.removeIf(line -> definition.matcher(line).find());
        return this;
    }

    /** For the one file that is no list of keys: puts lines behind the only line that reads exactly so. */
    ConfFile insertAfter(String anchor, String... added) {
        if (Collections.frequency(lines, anchor) != 1) {
            throw new IllegalArgumentException("Not exactly one line reads \"" + anchor + "\"");
        }
        lines.addAll(lines.indexOf(anchor) + 1, List.of(added));
        return this;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    Path write(Path file) {
        try {
            Files.createDirectories(file.getParent());
            return Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }

    private static Pattern definitionOf(String key) {
        return Pattern.compile("^\\s*" + Pattern.quote(key) + "\\s*[=:]");
    }
}
