package io.avgshedder.tool;

import io.avgshedder.AvgShedder;
import io.avgshedder.pulsar.Inspection;
import io.avgshedder.pulsar.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;

/**
 * Lines of {@code broker.conf} from several places, each with where it was written, made into a broker's configuration
 * in the way a broker does it. A value that a broker would refuse, or that the plugin would report and replace by
 * another, is an error here: whoever asks "what if" must not get the answer to another question.
 */
final class BrokerConf {

    /** Set to what the plugin needs, because here it is called by hand: a trace may come from a cluster without it. */
    private static final Map<String, String> CALLED_BY_HAND = Map.of(
            "loadBalancerEnabled", "true",
            "loadBalancerSheddingEnabled", "true",
            "loadBalancerDistributeBundlesEvenlyEnabled", "false",
            "loadBalancerLoadSheddingStrategy", AvgShedder.class.getName(),
            "loadBalancerLoadPlacementStrategy", AvgShedder.class.getName(),
            "loadBalancerPlacementStrategy", AvgShedder.class.getName());

    private record Line(String value, String origin) {
    }

    private static final long LARGEST = 1 << 20;

    private final Map<String, Line> lines = new TreeMap<>();
    private final Map<String, Line> overriding = new TreeMap<>();
    private final Set<String> told = new HashSet<>();

    /** Writes a line over an earlier one of the same key; {@code origin} is where errors send the reader. */
    void put(String key, String value, String origin) {
        lines.put(key, new Line(value, origin));
    }

    /** Writes a line that no later {@link #put} changes. */
    void override(String key, String value, String origin) {
        overriding.put(key, new Line(value, origin));
    }

    /** Takes {@code KEY=VALUE} from the command line. */
    void overrideAll(List<String> settings) {
        parse(settings).forEach((key, value) -> override(key, value, "--set"));
    }

    /** The keys and values of {@code KEY=VALUE} arguments; the last one of a key holds. */
    static Map<String, String> parse(List<String> settings) {
        Map<String, String> parsed = new TreeMap<>();
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals <= 0) {
                throw new UserError("--set: must be KEY=VALUE, but is \"" + setting + "\"");
            }
            parsed.put(setting.substring(0, equals).trim(), setting.substring(equals + 1).trim());
        }
        return parsed;
    }

    /** Takes the lines of a file. */
    void putFile(Path file) {
        read(file).forEach((key, value) -> put(key, value, file.toString()));
    }

    /** The lines of a file in the form of {@code broker.conf}. */
    static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > LARGEST) {
                throw new UserError(file + ": is larger than 1 MiB, which no broker.conf is");
            }
            properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new UserError(file + ": no such file", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new UserError(file + ": cannot read: " + e.getMessage(), e);
        }
        Map<String, String> lines = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> lines.put(key, properties.getProperty(key)));
        return lines;
    }

    /** The value that is in force for a key; {@code null} where none is written. */
    String get(String key) {
        Line line = overriding.getOrDefault(key, lines.get(key));
        return line == null ? null : line.value();
    }

    /**
     * The configuration that a broker makes of the lines.
     *
     * @param warnings gets what the plugin would warn of, each once in the life of this object
     * @throws UserError where a value is wrong, naming where it is written, its key, and what is wrong
     */
    ServiceConfiguration build(List<String> warnings) {
        Map<String, Line> effective = new TreeMap<>(lines);
        effective.putAll(overriding);
        Properties properties = new Properties();
        effective.forEach((key, line) -> properties.setProperty(key, line.value()));
        properties.putAll(CALLED_BY_HAND);
        ServiceConfiguration conf;
        try {
            conf = PulsarConfigurationLoader.create(properties, ServiceConfiguration.class);
        } catch (IOException | RuntimeException e) {
            throw culprit(effective, e);
        }
        List<String> errors = new ArrayList<>();
        for (Problem problem : Inspection.problems(conf)) {
            String message = origin(effective, problem.message()) + problem.message();
            if (problem.level() == Problem.Level.ERROR) {
                errors.add(withoutReplacement(message));
            } else if (told.add(message)) {
                warnings.add(message);
            }
        }
        if (!errors.isEmpty()) {
            throw new UserError(String.join(System.lineSeparator(), errors));
        }
        return conf;
    }

    /** What a broker uses instead of a wrong value is not used here. */
    private static String withoutReplacement(String message) {
        int replacement = message.lastIndexOf("; ");
        return message.endsWith("used instead") && replacement > 0 ? message.substring(0, replacement) : message;
    }

    /** Pulsar's own message does not say where the line is. */
    private static UserError culprit(Map<String, Line> effective, Exception failure) {
        for (Map.Entry<String, Line> entry : effective.entrySet()) {
            Properties alone = new Properties();
            alone.setProperty(entry.getKey(), entry.getValue().value());
            try {
                PulsarConfigurationLoader.create(alone, ServiceConfiguration.class);
            } catch (IOException | RuntimeException e) {
                Throwable root = e;
                while (root.getCause() != null) {
                    root = root.getCause();
                }
                return new UserError(entry.getValue().origin() + ": " + entry.getKey() + ": a broker does not start "
                        + "with the value \"" + entry.getValue().value() + "\" (" + root.getMessage() + ")", e);
            }
        }
        return new UserError("a broker does not start with these settings: " + failure.getMessage(), failure);
    }

    private static String origin(Map<String, Line> effective, String message) {
        return effective.entrySet().stream().filter(entry -> message.contains(entry.getKey()))
                .max((one, other) -> Integer.compare(one.getKey().length(), other.getKey().length()))
                .map(entry -> entry.getValue().origin() + ": ").orElse("");
    }
}
