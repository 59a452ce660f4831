package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Every key in {@code conf-examples}, those in comments too, is one that a broker or the plugin knows, and has a value it takes. */
class ExamplesTest {

    private static final Path DIRECTORY = Path.of("conf-examples");
    /** How an image's start script is told to add a key that is not in its {@code broker.conf}. */
    private static final String ADDED = "PULSAR_PREFIX_";
    /** Of 3.0.6 and 3.0.7; the version that the tests run on has it no more. */
    private static final String THIRD_KEY = "loadBalancerPlacementStrategy";
    private static final Pattern IN_COMMENT = Pattern.compile("^\\s*#\\s+(\\w+)=(\\S+)$");
    /** What it is before, in a comment. */
    private static final Set<String> WITH_OTHER_VALUES = Set.of("from-the-built-in-avg-shedder.conf");

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().matches(".*(\\.conf|\\.env|values\\.yaml)")).sorted().toList();
        }
    }

    private static Map<String, String> keys(Path example) throws IOException {
        Map<String, String> keys = new LinkedHashMap<>();
        if (!WITH_OTHER_VALUES.contains(example.getFileName().toString())) {
            for (String line : Files.readAllLines(example)) {
                Matcher key = IN_COMMENT.matcher(line);
                if (key.find()) {
                    keys.put(key.group(1), key.group(2));
                }
            }
        }
        keys.putAll(example.toString().endsWith(".yaml") ? ofYaml(example) : ofProperties(example));
        return keys.entrySet().stream().collect(Collectors.toMap(
                entry -> entry.getKey().startsWith(ADDED) ? entry.getKey().substring(ADDED.length()) : entry.getKey(),
                Map.Entry::getValue));
    }

    private static Map<String, String> ofProperties(Path example) throws IOException {
        Properties lines = new Properties();
        try (Reader reader = Files.newBufferedReader(example)) {
            lines.load(reader);
        }
        return lines.stringPropertyNames().stream().collect(Collectors.toMap(key -> key, lines::getProperty));
    }

    private static Map<String, String> ofYaml(Path example) throws IOException {
        try (Reader reader = Files.newBufferedReader(example)) {
            Map<String, Map<String, Map<String, String>>> file =
                    new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
            return file.get("broker").get("configData");
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyKeyIsKnown(Path example) throws IOException {
        Set<String> unknown = new TreeSet<>(keys(example).keySet());
        assertThat(unknown).isNotEmpty();
        unknown.removeIf(BrokerConf::declares);
        unknown.removeAll(SettingKeys.ALL.stream().map(SettingKeys.Key::name).toList());
        unknown.remove(THIRD_KEY);
        assertThat(unknown).isEmpty();
    }

    /** The plugin names what is wrong with a value; with one of the broker's own the broker would not start. */
    @ParameterizedTest
    @MethodSource("examples")
    void everyValueIsTaken(Path example) throws IOException {
        String[] lines = keys(example).entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);

        assertThat(new SettingsReader().read(BrokerConf.installed(lines)).problems()).isEmpty();
    }

    /** Each value is the one that counts: none is written twice, and none falls back to its default. */
    @ParameterizedTest
    @MethodSource("examples")
    void everySettingOfThePluginTakesEffect(Path example) throws IOException {
        Map<String, String> keys = keys(example);
        String[] lines = keys.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
        Map<String, String> effective = new SettingsReader().effective(BrokerConf.installed(lines)).stream()
                .collect(Collectors.toMap(EffectiveSetting::key, EffectiveSetting::value));

        keys.forEach((key, value) -> {
            if (key.startsWith("loadBalancerAvgShedder")) {
                assertThat(effective.get(key).replace(" ", "")).as(key).isEqualTo(value.replace(" ", ""));
            }
        });
    }
}
