package io.avgshedder.operations;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The Prometheus rules in {@code conf-examples}. */
public final class AlertRules {

    public static final Path FILE = Path.of("conf-examples", "prometheus-rules.yaml");
    public static final Path TESTS = Path.of("conf-examples", "prometheus-rules-test.yaml");

    private final List<Map<String, Object>> rules;

    private AlertRules(List<Map<String, Object>> rules) {
        this.rules = rules;
    }

    /** One alert. */
    record Alert(String name, String expression, Map<String, String> labels, Map<String, String> annotations) {
    }

    public static AlertRules read() {
        try (Reader reader = Files.newBufferedReader(FILE)) {
            Map<String, Object> file = cast(new Yaml(new SafeConstructor(new LoaderOptions())).load(reader));
            List<Map<String, Object>> groups = cast(file.get("groups"));
            return new AlertRules(groups.stream()
                    .flatMap(group -> AlertRules.<List<Map<String, Object>>>cast(group.get("rules")).stream()).toList());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + FILE, e);
        }
    }

    List<Alert> alerts() {
        return rules.stream().filter(rule -> rule.containsKey("alert")).map(rule -> new Alert((String) rule.get("alert"),
                (String) rule.get("expr"), cast(rule.get("labels")), cast(rule.get("annotations")))).toList();
    }

    /** Names under which rules record. */
    List<String> recorded() {
        return rules.stream().filter(rule -> rule.containsKey("record")).map(rule -> (String) rule.get("record"))
                .toList();
    }

    /** What the rules ask; a description asks too, where it has a query in it. */
    public List<String> expressions() {
        return rules.stream().flatMap(rule -> Stream.of((String) rule.get("expr"))).toList();
    }

    /** How many rules there are. */
    public int size() {
        return rules.size();
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) {
        return (T) value;
    }
}
