package io.avgshedder.sim;

import static io.avgshedder.sim.YamlEntry.optional;

import io.avgshedder.sim.Scenario.BrokerGroup;
import io.avgshedder.sim.Scenario.BundleGroup;
import io.avgshedder.sim.Scenario.Distribution;
import io.avgshedder.sim.Scenario.Event;
import io.avgshedder.sim.Scenario.Expectations;
import io.avgshedder.sim.Scenario.LoadChange;
import io.avgshedder.sim.Scenario.Noise;
import io.avgshedder.sim.Scenario.Reporting;
import io.avgshedder.sim.Scenario.Start;
import io.avgshedder.sim.Scenario.Unloading;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads scenarios from YAML, those in the jar by name and a user's own by path, and refuses whatever it does not
 * understand with the file, the line and the key.
 */
public final class ScenarioReader {

    private static final String RESOURCES = "scenarios/";
    private static final double FOREVER = 100_000;
    private static final double MANY = 1e12;
    private static final int MOST_BROKERS = 5_000;
    private static final int MOST_BUNDLES = 200_000;
    private static final int MOST_DEPTH = 20;
    /** The parser keeps about a hundred bytes for each of a document's. */
    private static final long LARGEST_FILE = 1 << 20;
    private static final List<String> HAPPENINGS =
            List.of("join", "stop", "kill", "restart", "crash", "freeze", "otherLoad", "newLeader");
    private static final String EVERY_STRATEGY = "all";

    private final String file;
    private final Map<String, List<String>> groups = new TreeMap<>();
    private final Set<String> namespaces = new HashSet<>();

    private ScenarioReader(String file) {
        this.file = file;
    }

    /** The names of the scenarios in the jar, in the order in which they should be shown. */
    public static List<String> names() {
        return resource(RESOURCES + "index").lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    /**
     * Reads a scenario of the jar by its name, or a file by its path.
     *
     * @throws ScenarioException where it cannot be read
     */
    public static Scenario read(String nameOrPath) {
        if (names().contains(nameOrPath)) {
            String file = nameOrPath + ".yaml";
            return read(file, nameOrPath, new StringReader(resource(RESOURCES + file)));
        }
        Path path = Path.of(nameOrPath);
        if (!Files.isRegularFile(path)) {
            throw new ScenarioException(nameOrPath
                    + ": there is neither a scenario nor a file of this name; scenarios are "
                    + String.join(", ", names()));
        }
        refuseHuge(path);
        String name = path.getFileName().toString().replaceFirst("\\.ya?ml$", "");
        try (Reader in = Files.newBufferedReader(path)) {
            return read(path.toString(), name, in);
        } catch (IOException e) {
            throw new ScenarioException(path + ": cannot be read: " + e);
        }
    }

    private static void refuseHuge(Path path) {
        try {
            if (Files.size(path) > LARGEST_FILE) {
                throw new ScenarioException(path + ": is larger than 1 MiB, which no scenario needs: groups of brokers and of "
                        + "bundles have a count");
            }
        } catch (IOException e) {
            throw new ScenarioException(path + ": cannot be read: " + e);
        }
    }

    /** The YAML of a scenario in the jar, to start one's own from. */
    public static Optional<String> text(String name) {
        return names().contains(name) ? Optional.of(resource(RESOURCES + name + ".yaml")) : Optional.empty();
    }

    /** What a scenario may contain, in Markdown. */
    public static String schema() {
        return resource("SCENARIOS.md");
    }

    private static String resource(String name) {
        try (InputStream in = ScenarioReader.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Scenario read(String file, String name, Reader text) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(Integer.MAX_VALUE);
        options.setNestingDepthLimit(MOST_DEPTH);
        try {
            // Composing expands no alias; YamlEntry refuses them with their line.
            Node node = new Yaml(options).compose(text);
            if (node == null) {
                throw new ScenarioException(file + ": is empty");
            }
            return new ScenarioReader(file).scenario(name, YamlEntry.root(file, node));
        } catch (MarkedYAMLException e) {
            throw new ScenarioException(file + ":" + (e.getProblemMark().getLine() + 1) + ": " + e.getProblem());
        } catch (YAMLException e) {
            throw new ScenarioException(file + ": " + e.getMessage());
        }
    }

    private Scenario scenario(String name, YamlEntry root) {
        Map<String, YamlEntry> keys = root.mapping("title", "about", "minutes", "warmUp", "measureFrom", "brokers",
                "bundles", "load", "noise", "events", "reports", "unloads", "settings", "expect");
        double minutes = root.required(keys, "minutes", entry -> entry.number(1, 10_000));
        List<BrokerGroup> brokers = root.required(keys, "brokers", this::brokers);
        List<BundleGroup> bundles = root.required(keys, "bundles", this::bundles);
        List<LoadChange> load = optional(keys, "load", List.of(), this::load);
        List<Event> events = optional(keys, "events", List.of(), this::events);
        double lastChange = Math.max(events.stream().mapToDouble(this::end).max().orElse(0),
                load.stream().filter(change -> change.every() == 0)
                        .mapToDouble(change -> Math.max(0, change.from() + change.over())).max().orElse(0));
        return new Scenario(name, optional(keys, "title", name, YamlEntry::text),
                optional(keys, "about", "", YamlEntry::text),
                minutes, optional(keys, "warmUp", 5.0, entry -> entry.number(0, 120)),
                optional(keys, "measureFrom", Math.min(lastChange, minutes), entry -> entry.number(0, minutes)),
                brokers, bundles, load, optional(keys, "noise", noise(Map.of()), entry -> noise(entry.mapping(
                        "jitter", "drift", "burstsPerHour", "burstFactor", "burstMinutes", "usage"))),
                events, optional(keys, "reports", reporting(Map.of()), entry -> reporting(entry.mapping(
                        "check", "usage", "stats", "change", "longest", "delay"))),
                optional(keys, "unloads", unloading(Map.of()), entry -> unloading(entry.mapping(
                        "least", "most", "races"))),
                optional(keys, "settings", Map.of(), ScenarioReader::settings),
                optional(keys, "expect", Map.of(), ScenarioReader::expect));
    }

    private double end(Event event) {
        if (event instanceof Event.Restart restart) {
            return restart.at() + (restart.brokers().size() - 1) * restart.every() + restart.down();
        }
        if (event instanceof Event.Crash crash) {
            return crash.at() + (crash.times() - 1) * crash.every() + crash.down();
        }
        if (event instanceof Event.Join join) {
            return join.at() + (join.brokers().size() - 1) * join.every();
        }
        if (event instanceof Event.Stop stop) {
            return stop.at() + (stop.brokers().size() - 1) * stop.every();
        }
        return event.at();
    }

    private List<BrokerGroup> brokers(YamlEntry list) {
        List<BrokerGroup> read = new ArrayList<>();
        for (YamlEntry entry : list.list()) {
            Map<String, YamlEntry> keys = entry.mapping("name", "count", "capacity", "cores", "idle", "other", "nic",
                    "isolation", "present");
            BrokerGroup group = new BrokerGroup(entry.required(keys, "name", YamlEntry::text),
                    optional(keys, "count", 1, count -> count.whole(1, MOST_BROKERS)),
                    entry.required(keys, "capacity", capacity -> capacity.number(1, MANY)),
                    optional(keys, "cores", 8.0, cores -> cores.number(0.01, 10_000)),
                    optional(keys, "idle", 5.0, idle -> idle.number(0, 100)),
                    optional(keys, "other", 0.0, other -> other.number(0, 100)),
                    optional(keys, "nic", 25_000.0, nic -> nic.number(1, 1e7)),
                    optional(keys, "isolation", "", YamlEntry::text),
                    optional(keys, "present", true, YamlEntry::truth));
            if (group.count() > 1) {
                call(group.name(), group.names(), entry);
            }
            group.names().forEach(broker -> call(broker, List.of(broker), entry));
            read.add(group);
        }
        if (read.stream().noneMatch(BrokerGroup::present)) {
            throw list.wrong("no broker is there from the start");
        }
        return read;
    }

    private void call(String name, List<String> members, YamlEntry entry) {
        if (groups.put(name, members) != null) {
            throw entry.wrong("there are two brokers or groups of the name " + name);
        }
    }

    private List<BundleGroup> bundles(YamlEntry list) {
        List<BundleGroup> read = new ArrayList<>();
        for (YamlEntry entry : list.list()) {
            Map<String, YamlEntry> keys = entry.mapping("namespace", "count", "rate", "size", "distribution", "skew",
                    "on", "isolation");
            String namespace = entry.required(keys, "namespace", YamlEntry::text);
            if (!namespace.matches("[^/\\s]+/[^/\\s]+")) {
                throw keys.get("namespace").wrong("must be tenant/namespace, but is \"" + namespace + "\"");
            }
            if (!namespaces.add(namespace)) {
                throw entry.wrong("the namespace " + namespace + " is given twice");
            }
            int count = entry.required(keys, "count", number -> number.whole(1, MOST_BUNDLES));
            Distribution distribution = optional(keys, "distribution", Distribution.EQUAL,
                    choice -> choice.choice(Distribution.class));
            read.add(new BundleGroup(namespace, count, entry.required(keys, "rate", rate -> rate.number(0, MANY)),
                    optional(keys, "size", 16384.0, size -> size.number(1, MANY)), distribution,
                    optional(keys, "skew", distribution == Distribution.DOMINANT ? 0.8 : 1.0,
                            skew -> skew.number(0, distribution == Distribution.DOMINANT ? 1 : 10)),
                    optional(keys, "on", new Start.Spread(), on -> start(on, count)),
                    optional(keys, "isolation", "", YamlEntry::text)));
        }
        return read;
    }

    private Start start(YamlEntry entry, int count) {
        if (entry.isMapping()) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            entry.mapping().forEach((name, number) -> {
                int each = number.whole(0, MOST_BUNDLES);
                brokersCalled(name, number).forEach(broker -> counts.put(broker, each));
            });
            int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
            if (sum != count) {
                throw entry.wrong("places " + sum + " bundles, but there are " + count);
            }
            return new Start.On(counts);
        }
        if (!entry.isList()) {
            switch (entry.text()) {
                case "random":
                    return new Start.Random();
                case "spread":
                    return new Start.Spread();
                case "lookup":
                    return new Start.Lookup();
                default:
                    break;
            }
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        namesOf(entry).forEach(broker -> counts.put(broker, -1));
        return new Start.On(counts);
    }

    private List<String> namesOf(YamlEntry entry) {
        List<String> names = new ArrayList<>();
        entry.oneOrMore().forEach(name -> names.addAll(brokersCalled(name.text(), name)));
        return names;
    }

    private List<String> brokersCalled(String name, YamlEntry entry) {
        List<String> names = groups.get(name);
        if (names == null) {
            throw entry.wrong("there is no broker \"" + name + "\"; there are " + String.join(", ",
                    groups.keySet().stream().limit(20).toList()));
        }
        return names;
    }

    private List<LoadChange> load(YamlEntry list) {
        List<LoadChange> read = new ArrayList<>();
        for (YamlEntry entry : list.list()) {
            Map<String, YamlEntry> keys = entry.mapping("namespace", "at", "over", "factor", "every", "lasts");
            String namespace = optional(keys, "namespace", "", YamlEntry::text);
            if (!namespace.isEmpty() && !namespaces.contains(namespace)) {
                throw keys.get("namespace").wrong("there are no bundles of " + namespace);
            }
            double every = optional(keys, "every", 0.0, minutes -> minutes.number(0.1, FOREVER));
            read.add(new LoadChange(namespace, optional(keys, "at", 0.0, at -> at.number(-FOREVER, FOREVER)),
                    optional(keys, "over", 0.0, over -> over.number(0, FOREVER)),
                    entry.required(keys, "factor", factor -> factor.number(0, 1000)), every,
                    optional(keys, "lasts", every / 2, lasts -> lasts.number(0, FOREVER))));
        }
        return read;
    }

    private static Noise noise(Map<String, YamlEntry> keys) {
        return new Noise(optional(keys, "jitter", 0.03, value -> value.number(0, 2)),
                optional(keys, "drift", 0.0, value -> value.number(0, 1)),
                optional(keys, "burstsPerHour", 0.0, value -> value.number(0, 60)),
                optional(keys, "burstFactor", 3.0, value -> value.number(0, 1000)),
                optional(keys, "burstMinutes", 1.0, value -> value.number(0.1, 60)),
                optional(keys, "usage", 0.5, value -> value.number(0, 50)));
    }

    private static Reporting reporting(Map<String, YamlEntry> keys) {
        return new Reporting(optional(keys, "check", 5.0, value -> value.number(0.1, 600)),
                optional(keys, "usage", 60.0, value -> value.number(1, 3600)),
                optional(keys, "stats", 60.0, value -> value.number(1, 3600)),
                optional(keys, "change", 10.0, value -> value.number(0, 100)),
                optional(keys, "longest", 15.0, value -> value.number(0.1, FOREVER)),
                optional(keys, "delay", 0.5, value -> value.number(0, 600)));
    }

    private static Unloading unloading(Map<String, YamlEntry> keys) {
        return new Unloading(optional(keys, "least", 0.05, value -> value.number(0, 600)),
                optional(keys, "most", 0.3, value -> value.number(0, 600)),
                optional(keys, "races", 0.2, value -> value.number(0, 1)));
    }

    private List<Event> events(YamlEntry list) {
        List<Event> read = new ArrayList<>();
        for (YamlEntry entry : list.list()) {
            read.add(event(entry));
        }
        return read;
    }

    private Event event(YamlEntry entry) {
        Map<String, YamlEntry> keys = entry.mapping("at", "join", "stop", "kill", "restart", "crash", "freeze",
                "otherLoad", "newLeader", "every", "down", "times", "until", "points");
        List<String> happens = keys.keySet().stream().filter(HAPPENINGS::contains).toList();
        if (happens.size() > 1) {
            throw entry.wrong("says " + String.join(" and ", happens) + "; each needs an entry of its own");
        }
        double at = entry.required(keys, "at", minute -> minute.number(0, FOREVER));
        double every = optional(keys, "every", 0.0, minutes -> minutes.number(0.1, FOREVER));
        double down = optional(keys, "down", 1.0, minutes -> minutes.number(0.05, FOREVER));
        if (keys.containsKey("join")) {
            return new Event.Join(at, namesOf(keys.get("join")), every);
        } else if (keys.containsKey("stop")) {
            return new Event.Stop(at, namesOf(keys.get("stop")), every, false);
        } else if (keys.containsKey("kill")) {
            return new Event.Stop(at, namesOf(keys.get("kill")), every, true);
        } else if (keys.containsKey("restart")) {
            return new Event.Restart(at, namesOf(keys.get("restart")), every, down);
        } else if (keys.containsKey("crash")) {
            return new Event.Crash(at, namesOf(keys.get("crash")), every, down,
                    optional(keys, "times", 3, times -> times.whole(1, 1000)));
        } else if (keys.containsKey("freeze")) {
            return new Event.Freeze(at, namesOf(keys.get("freeze")),
                    optional(keys, "until", FOREVER, until -> until.number(at, FOREVER)));
        } else if (keys.containsKey("otherLoad")) {
            return new Event.OtherLoad(at, namesOf(keys.get("otherLoad")),
                    entry.required(keys, "points", points -> points.number(0, 100)));
        } else if (keys.containsKey("newLeader")) {
            return new Event.NewLeader(at);
        }
        throw entry.wrong("says nothing that happens; known are " + String.join(", ", HAPPENINGS));
    }

    private static void checkStrategy(String name, YamlEntry entry) {
        if (!name.equals(EVERY_STRATEGY) && Strategies.find(name).isEmpty()) {
            throw entry.wrong("is no strategy; known are " + EVERY_STRATEGY + ", "
                    + String.join(", ", Strategies.names()) + ", and SHEDDING_CLASS+PLACEMENT_CLASS");
        }
    }

    private static Map<String, Map<String, String>> settings(YamlEntry entry) {
        Map<String, Map<String, String>> read = new TreeMap<>();
        entry.mapping().forEach((strategy, values) -> {
            checkStrategy(strategy, values);
            Map<String, String> settings = new TreeMap<>();
            values.mapping().forEach((key, value) -> settings.put(key, value.text()));
            read.put(strategy, settings);
        });
        return read;
    }

    private static Map<String, Expectations> expect(YamlEntry entry) {
        Map<String, Expectations> read = new TreeMap<>();
        entry.mapping().forEach((strategy, bounds) -> {
            checkStrategy(strategy, bounds);
            Map<String, YamlEntry> keys = bounds.mapping("levelWithin", "spread", "rounds", "unloads", "leastUnloads",
                    "harmfulMoves", "returns", "steadyAfter");
            read.put(strategy, new Expectations(optional(keys, "levelWithin", null, value -> value.number(0, FOREVER)),
                    optional(keys, "spread", null, value -> value.number(0, 1000)),
                    optional(keys, "rounds", null, value -> value.whole(0, MOST_BUNDLES)),
                    optional(keys, "unloads", null, value -> value.whole(0, Integer.MAX_VALUE)),
                    optional(keys, "leastUnloads", null, value -> value.whole(0, Integer.MAX_VALUE)),
                    optional(keys, "harmfulMoves", null, value -> value.whole(0, Integer.MAX_VALUE)),
                    optional(keys, "returns", null, value -> value.whole(0, Integer.MAX_VALUE)),
                    optional(keys, "steadyAfter", null, value -> value.number(0, FOREVER))));
        });
        return read;
    }
}
