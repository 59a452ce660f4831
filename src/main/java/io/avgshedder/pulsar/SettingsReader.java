package io.avgshedder.pulsar;

import static io.avgshedder.pulsar.SettingKeys.*;

import io.avgshedder.core.Metric;
import io.avgshedder.core.Settings;
import io.avgshedder.pulsar.EffectiveSetting.Origin;
import io.avgshedder.pulsar.SettingKeys.Key;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.broker.ServiceConfiguration;

/**
 * Reads the settings of one load manager, on every broker version, at every call.
 *
 * <p>A value comes from the first of these that has it: the broker's own getter, which alone knows of dynamic
 * configuration and exists only for keys that this broker declares; the settings file; the lines of
 * {@code broker.conf} that the broker does not know, in {@link ServiceConfiguration#getProperties()}.
 *
 * <p>A wrong value never takes effect and never stops anything. What was good last stays in use; where nothing was,
 * the next place that has a good one, else the default. A broker that reads {@code broker.conf} refuses to start on
 * text that is no number under a key it declares, so that such text reaches this class only where a configuration is
 * put together in another way; it is told then as well.
 *
 * <p>Reading is meant to be done all the time: as long as nothing has changed, it costs a call and a comparison per
 * key and gives the same object. The settings file is looked at, and unknown keys are searched, every
 * {@value #CHECK_INTERVAL_MILLIS} ms. Safe for use by several threads; nothing is thrown.
 */
final class SettingsReader {

    static final long CHECK_INTERVAL_MILLIS = 5_000;

    private static final long MINUTE = 60_000;

    /** Everything that is read from the broker: all keys, in their order, then those that the advice is about. */
    private static final List<String> WATCHED =
            Stream.concat(ALL.stream().map(Key::name), SetupAdvice.KEYS.stream()).toList();
    private static final Set<String> KNOWN = ALL.stream().map(Key::name).collect(Collectors.toUnmodifiableSet());

    private final LongSupplier clock;
    private final String brokerVersion;

    private BrokerGetters getters;
    private final Object[] fromBroker = new Object[WATCHED.size()];
    private final String[] fromProperties = new String[ALL.size()];
    private final SettingsFile file = new SettingsFile();
    private Set<String> unknownKeys = Set.of();
    private long checkedAt;
    private boolean stale = true;
    private String failure;

    private Values values = Values.defaults();
    private Reading quiet = new Reading(Settings.defaults(), List.of());
    private Set<String> told = Set.of();
    private final List<Problem> untold = new ArrayList<>();

    SettingsReader() {
        this(() -> PluginClock.current().millis(), runningVersion());
    }

    SettingsReader(LongSupplier clock, String brokerVersion) {
        this.clock = clock;
        this.brokerVersion = brokerVersion;
    }

    /** The settings now, and what is wrong with them as far as no earlier call has told it. */
    synchronized Reading read(ServiceConfiguration conf) {
        refresh(conf);
        if (untold.isEmpty()) {
            return quiet;
        }
        Reading reading = new Reading(quiet.settings(), List.copyOf(untold));
        untold.clear();
        return reading;
    }

    /** Every setting as it is in use, in the order of the table of keys. */
    synchronized List<EffectiveSetting> effective(ServiceConfiguration conf) {
        refresh(conf);
        return ALL.stream().map(this::effective).toList();
    }

    private <T> EffectiveSetting effective(Key<T> key) {
        Chosen<T> chosen = values.chosen(key);
        return new EffectiveSetting(key.name(), key.domain().text().apply(chosen.value()), chosen.origin());
    }

    private void refresh(ServiceConfiguration conf) {
        try {
            notice(conf);
            if (stale) {
                evaluate();
                stale = false;
            }
            failure = null;
        } catch (RuntimeException | LinkageError e) {
            if (!e.toString().equals(failure)) {
                failure = e.toString();
                untold.add(Finding.error("", "The configuration cannot be read, and the settings stay as they were: "
                        + failure).problem());
            }
        }
    }

    private void notice(ServiceConfiguration conf) {
        if (getters == null || !getters.fits(conf)) {
            getters = new BrokerGetters(conf.getClass(), WATCHED);
        }
        for (int i = 0; i < fromBroker.length; i++) {
            Object value = getters.get(i, conf);
            if (!Objects.equals(value, fromBroker[i])) {
                fromBroker[i] = value;
                stale = true;
            }
        }
        Properties properties = propertiesOf(conf);
        for (int i = 0; i < fromProperties.length; i++) {
            String text = properties.getProperty(WATCHED.get(i));
            if (!Objects.equals(text, fromProperties[i])) {
                fromProperties[i] = text;
                stale = true;
            }
        }
        long now = clock.getAsLong();
        if (stale || now - checkedAt < 0 || now - checkedAt >= CHECK_INTERVAL_MILLIS) {
            checkedAt = now;
            stale |= file.refresh(filePath());
            Set<String> unknown = unknownKeys(properties);
            stale |= !unknown.equals(unknownKeys);
            unknownKeys = unknown;
        }
    }

    private static Properties propertiesOf(ServiceConfiguration conf) {
        Properties properties = conf.getProperties();
        return properties == null ? new Properties() : properties;
    }

    private Optional<Path> filePath() {
        String path = fromProperties[SETTINGS_FILE.index()];
        return isBlank(path) ? Optional.empty() : SETTINGS_FILE.domain().parse(path).flatMap(parsed -> parsed);
    }

    private static Set<String> unknownKeys(Properties properties) {
        return properties.stringPropertyNames().stream()
                .filter(name -> name.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) && !KNOWN.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void evaluate() {
        List<Finding> findings = new ArrayList<>();
        Values next = new Values();
        for (Key<?> key : ALL) {
            choose(key, next, findings);
        }
        keepThresholdsInOrder(next, findings);
        Settings settings = settings(next);
        values = next;

        if (Arrays.stream(Metric.values()).noneMatch(metric -> counts(metric, settings))) {
            findings.add(Finding.error("weights", "Every weight is 0: no broker has a score and nothing is ever moved. "
                    + "Write into broker.conf: " + CPU_WEIGHT.name() + "=1.0"));
        }
        tellOfFile(findings);
        for (String name : unknownKeys) {
            findings.add(Finding.warning("unknown " + name, name + " in broker.conf is not a setting of this plugin "
                    + "and is ignored; the nearest one is " + NearestKey.to(name)));
        }
        findings.addAll(SetupAdvice.of(name -> fromBroker[WATCHED.indexOf(name)], brokerVersion));

        findings.stream().filter(finding -> !told.contains(finding.identity()))
                .forEach(finding -> untold.add(finding.problem()));
        told = findings.stream().map(Finding::identity).collect(Collectors.toCollection(HashSet::new));
        quiet = new Reading(settings, List.of());
    }

    /** Takes the first place that has the key, if its value is good; tells of every wrong one. */
    private <T> void choose(Key<T> key, Values next, List<Finding> findings) {
        List<Source> sources = sources(key);
        Map<Source, T> good = new HashMap<>();
        sources.forEach(source -> source.text()
                .flatMap(text -> key.domain().parse(text)).ifPresent(value -> good.put(source, value)));

        Optional<Source> first = sources.stream().findFirst();
        Chosen<T> before = values.chosen(key);
        Chosen<T> chosen;
        boolean kept = false;
        if (first.isEmpty() || good.containsKey(first.get())) {
            chosen = first.map(source -> new Chosen<>(good.get(source), source.origin())).orElseGet(() -> unset(key));
        } else if (before.origin() != Origin.DEFAULT) {
            chosen = before;
            kept = true;
        } else {
            chosen = sources.stream().filter(good::containsKey).findFirst()
                    .map(source -> new Chosen<>(good.get(source), source.origin())).orElseGet(() -> unset(key));
        }
        next.put(key, chosen);

        Set<Object> said = new HashSet<>();
        for (Source source : sources) {
            if (!good.containsKey(source) && said.add(source.comparable())) {
                findings.add(Finding.error(key.name() + " " + source.origin() + " " + source.raw(),
                        key.name() + source.complaint(place(source.origin())) + ", but must be "
                                + key.domain().range() + "; " + used(key, chosen, kept) + " is used instead"));
            }
        }
        shadowed(key, sources, good, findings);
    }

    /** A line of the settings file that the broker's own value hides, although it says something else. */
    private <T> void shadowed(Key<T> key, List<Source> sources, Map<Source, T> good, List<Finding> findings) {
        if (sources.isEmpty() || sources.get(0).origin() != Origin.GETTER) {
            return;
        }
        sources.stream().filter(source -> source.origin() == Origin.FILE && good.containsKey(source))
                .filter(source -> !good.get(source).equals(good.get(sources.get(0))))
                .forEach(source -> findings.add(Finding.warning("hidden " + key.name() + " " + source.raw(),
                        key.name() + "=" + source.raw() + " in " + place(Origin.FILE) + " has no effect: this broker "
                                + "declares the key itself and has " + sources.get(0).raw() + ". Change it by: "
                                + "pulsar-admin brokers update-dynamic-config --config " + key.name() + " --value "
                                + source.raw())));
    }

    private <T> String used(Key<T> key, Chosen<T> chosen, boolean kept) {
        String text = key.domain().text().apply(chosen.value());
        if (kept) {
            return text + ", the last good value,";
        }
        return chosen.origin() == Origin.DEFAULT ? "the default, " + text + ","
                : text + " from " + place(chosen.origin());
    }

    private String place(Origin origin) {
        return switch (origin) {
            case GETTER -> "the broker's configuration";
            case FILE -> filePath().map(Path::toString).orElse("the settings file");
            case PROPERTIES -> "broker.conf";
            case DEFAULT -> "the defaults";
        };
    }

    private List<Source> sources(Key<?> key) {
        List<Source> sources = new ArrayList<>();
        Object own = fromBroker[key.index()];
        if (own != null) {
            sources.add(new Source(Origin.GETTER, own));
        }
        String inFile = key == SETTINGS_FILE ? null : file.content().get(key.name());
        if (!isBlank(inFile)) {
            sources.add(new Source(Origin.FILE, inFile));
        }
        String inProperties = fromProperties[key.index()];
        if (!isBlank(inProperties)) {
            sources.add(new Source(Origin.PROPERTIES, inProperties));
        }
        return sources;
    }

    /** A key without a value counts as not written, as it does in the broker. */
    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }

    private void keepThresholdsInOrder(Values next, List<Finding> findings) {
        long low = next.get(LOW_THRESHOLD);
        long high = next.get(HIGH_THRESHOLD);
        if (low <= high) {
            return;
        }
        Chosen<Long> lastLow = values.chosen(LOW_THRESHOLD);
        Chosen<Long> lastHigh = values.chosen(HIGH_THRESHOLD);
        next.put(LOW_THRESHOLD, lastLow);
        next.put(HIGH_THRESHOLD, lastHigh);
        boolean defaults = lastLow.origin() == Origin.DEFAULT && lastHigh.origin() == Origin.DEFAULT;
        findings.add(Finding.error("order " + low + " " + high, LOW_THRESHOLD.name() + " is " + low + ", but must not "
                + "be above " + HIGH_THRESHOLD.name() + ", which is " + high + "; " + lastLow.value() + " and "
                + lastHigh.value() + (defaults ? ", the defaults," : ", the last good values,")
                + " are used instead"));
    }

    private void tellOfFile(List<Finding> findings) {
        String path = place(Origin.FILE);
        file.failure().ifPresent(reason -> findings.add(Finding.error("file " + path + " " + reason,
                SETTINGS_FILE.name() + " is " + path + ", which " + reason + "; " + (file.content().isEmpty()
                        ? "nothing is read from it" : "what was last read from it stays in use"))));
        new TreeMap<>(file.content()).forEach((name, value) -> {
            if (name.equals(SETTINGS_FILE.name())) {
                findings.add(Finding.warning("own name in file",
                        name + " has no effect in " + path + " itself; it belongs into broker.conf"));
            } else if (!KNOWN.contains(name)) {
                findings.add(Finding.warning("unknown in file " + name, name + " in " + path + " is not a setting of "
                        + "this plugin and is ignored; the nearest one is " + NearestKey.to(name)));
            }
        });
    }

    private static boolean counts(Metric metric, Settings settings) {
        return settings.weight(metric) > 0
                && (metric != Metric.MSG_RATE || settings.msgRateCapacity() > 0)
                && (metric != Metric.MSG_THROUGHPUT || settings.msgThroughputCapacity() > 0);
    }

    private static Settings settings(Values values) {
        return Settings.builder()
                .weight(Metric.CPU, values.get(CPU_WEIGHT))
                .weight(Metric.MEMORY, values.get(MEMORY_WEIGHT))
                .weight(Metric.DIRECT_MEMORY, values.get(DIRECT_MEMORY_WEIGHT))
                .weight(Metric.BANDWIDTH_IN, eitherSpelling(values, BANDWIDTH_IN_WEIGHT, BANDWITH_IN_WEIGHT))
                .weight(Metric.BANDWIDTH_OUT, eitherSpelling(values, BANDWIDTH_OUT_WEIGHT, BANDWITH_OUT_WEIGHT))
                .weight(Metric.MSG_RATE, values.get(MSG_RATE_WEIGHT))
                .weight(Metric.MSG_THROUGHPUT, values.get(MSG_THROUGHPUT_WEIGHT))
                .msgRateCapacity(values.get(MSG_RATE_CAPACITY))
                .msgThroughputCapacity(values.get(MSG_THROUGHPUT_CAPACITY))
                .thresholds(values.get(LOW_THRESHOLD), values.get(HIGH_THRESHOLD))
                .hitCounts(values.get(HIT_COUNT_LOW).intValue(), values.get(HIT_COUNT_HIGH).intValue())
                .overloadThreshold(values.get(OVERLOAD_THRESHOLD))
                .maxTopicsPerBroker(values.get(MAX_TOPICS))
                .maxUnloadsPerRound(values.get(MAX_UNLOADS_PER_ROUND).intValue())
                .quietPeriod(values.get(QUIET_PERIOD))
                .placement(values.get(PLACEMENT))
                .excludedNamespaces(values.get(EXCLUDED_NAMESPACES))
                .sheddingIntervalMillis(values.get(SHEDDING_INTERVAL) * MINUTE)
                .gracePeriodMillis(values.get(GRACE_PERIOD) * MINUTE)
                .hostUsageIntervalMillis(values.get(HOST_USAGE_INTERVAL) * MINUTE)
                .longestReportIntervalMillis(Math.max(1, values.get(LONGEST_REPORT_INTERVAL)) * MINUTE)
                .build();
    }

    /** Pulsar's own rule for its two spellings of one weight: the new one unless that is 1, else the old one. */
    private static double eitherSpelling(Values values, Key<Double> spelledRight, Key<Double> spelledWrong) {
        double weight = values.get(spelledRight);
        return weight == 1 ? values.get(spelledWrong) : weight;
    }

    private static <T> Chosen<T> unset(Key<T> key) {
        return new Chosen<>(key.defaultValue(), Origin.DEFAULT);
    }

    private static String runningVersion() {
        try {
            return PulsarVersion.getVersion();
        } catch (RuntimeException | LinkageError e) {
            return "unknown";
        }
    }

    /** What one place has for a key: text, a value that the broker has read already, or a getter's failure. */
    private record Source(Origin origin, Object raw) {

        Optional<String> text() {
            return raw instanceof BrokerGetters.Failure ? Optional.empty() : Optional.of(raw.toString());
        }

        /** The same for one value as the broker holds it and as it is written: -3.0 and "-3". */
        Object comparable() {
            try {
                return Double.valueOf(raw.toString());
            } catch (NumberFormatException e) {
                return raw;
            }
        }

        String complaint(String place) {
            return raw instanceof BrokerGetters.Failure failed
                    ? " cannot be read from " + place + " (" + failed.reason() + ")"
                    : " is \"" + raw + "\" in " + place;
        }
    }

    /** A value in use, and where it was read from. */
    private record Chosen<T>(T value, Origin origin) {
    }

    /** A value for every key. */
    private static final class Values {

        private final Chosen<?>[] chosen = new Chosen<?>[ALL.size()];

        static Values defaults() {
            Values values = new Values();
            ALL.forEach(key -> values.chosen[key.index()] = unset(key));
            return values;
        }

        <T> void put(Key<T> key, Chosen<T> value) {
            chosen[key.index()] = value;
        }

        @SuppressWarnings("unchecked") // put() lets nothing else in
        <T> Chosen<T> chosen(Key<T> key) {
            return (Chosen<T>) chosen[key.index()];
        }

        <T> T get(Key<T> key) {
            return chosen(key).value();
        }
    }
}
