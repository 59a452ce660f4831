package io.avgshedder.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A value of a YAML file with its place, so that every complaint names file, line and key.
 *
 * <p>Works on the parsed nodes and never on constructed objects: no type tag is ever followed. An alias is refused,
 * because a few lines of nested ones stand for billions of values.
 */
final class YamlEntry {

    private final String file;
    private final String key;
    private final Node node;

    private YamlEntry(String file, String key, Node node) {
        this.file = file;
        this.key = key;
        this.node = node;
    }

    static YamlEntry root(String file, Node node) {
        refuseAliases(file, node, Collections.newSetFromMap(new IdentityHashMap<>()));
        return new YamlEntry(file, "", node);
    }

    private static void refuseAliases(String file, Node node, Set<Node> seen) {
        if (!seen.add(node)) {
            throw new ScenarioException(file + ":" + (node.getStartMark().getLine() + 1)
                    + ": a value may be used in one place only; aliases are not supported");
        }
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                refuseAliases(file, tuple.getKeyNode(), seen);
                refuseAliases(file, tuple.getValueNode(), seen);
            }
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(element -> refuseAliases(file, element, seen));
        }
    }

    String key() {
        return key;
    }

    ScenarioException wrong(String what) {
        String place = file + ":" + (node.getStartMark().getLine() + 1) + ": ";
        return new ScenarioException(place + (key.isEmpty() ? "" : key + ": ") + what);
    }

    /** The entries of a mapping by key; {@code allowed} are the keys it may have, none given means any. */
    Map<String, YamlEntry> mapping(String... allowed) {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("must be a mapping (key: value), but is " + kind());
        }
        Map<String, YamlEntry> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            YamlEntry name = new YamlEntry(file, key, tuple.getKeyNode());
            String text = name.text();
            YamlEntry value = new YamlEntry(file, key.isEmpty() ? text : key + "." + text, tuple.getValueNode());
            if (allowed.length > 0 && !Arrays.asList(allowed).contains(text)) {
                throw new YamlEntry(file, value.key, tuple.getKeyNode())
                        .wrong("is not known; known here are " + String.join(", ", new TreeSet<>(List.of(allowed))));
            }
            if (entries.put(text, value) != null) {
                throw value.wrong("is given twice");
            }
        }
        return entries;
    }

    /** The elements of a list. */
    List<YamlEntry> list() {
        if (!(node instanceof SequenceNode sequence)) {
            throw wrong("must be a list (- ...), but is " + kind());
        }
        List<YamlEntry> elements = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            elements.add(new YamlEntry(file, key + "[" + elements.size() + "]", element));
        }
        return elements;
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** A list, or a single value that stands for a list of one. */
    List<YamlEntry> oneOrMore() {
        return isList() ? list() : List.of(this);
    }

    String text() {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong("must be a single value, but is " + kind());
        }
        return scalar.getValue();
    }

    double number(double least, double most) {
        double value;
        try {
            value = Double.parseDouble(text().replace("_", ""));
        } catch (NumberFormatException e) {
            throw wrong("must be a number, but is \"" + text() + "\"");
        }
        if (!(value >= least && value <= most)) {
            throw wrong("must be from " + plain(least) + " to " + plain(most) + ", but is " + text());
        }
        return value;
    }

    int whole(int least, int most) {
        double value = number(least, most);
        if (value != Math.rint(value)) {
            throw wrong("must be a whole number, but is " + text());
        }
        return (int) value;
    }

    boolean truth() {
        return switch (text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong("must be true or false, but is \"" + text() + "\"");
        };
    }

    <E extends Enum<E>> E choice(Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(text())) {
                return constant;
            }
        }
        throw wrong("must be one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(java.util.Locale.ROOT)
                + ", but is \"" + text() + "\"");
    }

    private String kind() {
        return isList() ? "a list" : isMapping() ? "a mapping" : "\"" + ((ScalarNode) node).getValue() + "\"";
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9 ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** Reads an optional entry of a mapping. */
    static <T> T optional(Map<String, YamlEntry> entries, String key, T otherwise, Function<YamlEntry, T> reader) {
        YamlEntry entry = entries.get(key);
        return entry == null ? otherwise : reader.apply(entry);
    }

    /** Reads an entry that must be there. */
    <T> T required(Map<String, YamlEntry> entries, String name, Function<YamlEntry, T> reader) {
        YamlEntry entry = entries.get(name);
        if (entry == null) {
            throw wrong("\"" + name + "\" is missing");
        }
        return reader.apply(entry);
    }
}
