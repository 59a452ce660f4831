package io.avgshedder.pulsar;

import static io.avgshedder.pulsar.SettingKeys.*;

import io.avgshedder.core.Metric;
import io.avgshedder.core.Settings;
import io.avgshedder.pulsar.ConfigurationSource.Written;
import io.avgshedder.pulsar.EffectiveSetting.Origin;
import io.avgshedder.pulsar.SettingKeys.Key;
import io.avgshedder.pulsar.SettingValues.Chosen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
 * {@value ConfigurationSource#CHECK_INTERVAL_MILLIS} ms. Safe for use by several threads; nothing is thrown.
 */
final class SettingsReader {

    private static final long MINUTE = 60_000;
    private static final int MOST_UNKNOWN = 20;
    private static final int LONGEST_SAID = 1_000;

    private final ConfigurationSource source;
    private final String brokerVersion;
    private String failure;

    private SettingValues values = SettingValues.defaults();
    private Reading quiet = new Reading(Settings.defaults(), List.of());
    private Set<String> told = Set.of();
    private final List<Problem> untold = new ArrayList<>();

    SettingsReader() {
        this(() -> PluginClock.current().millis(), runningVersion());
    }

    SettingsReader(LongSupplier clock, String brokerVersion) {
        source = new ConfigurationSource(clock);
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

    /** Whether the setting has the value that it has where nobody sets it. */
    static boolean isAsByDefault(EffectiveSetting setting) {
        return ALL.stream().anyMatch(key -> key.name().equals(setting.key())
                && key.defaultText().equals(setting.value()));
    }

    private <T> EffectiveSetting effective(Key<T> key) {
        Chosen<T> chosen = values.chosen(key);
        return new EffectiveSetting(key.name(), key.domain().text().apply(chosen.value()), chosen.origin());
    }

    private void refresh(ServiceConfiguration conf) {
        try {
            if (source.look(conf)) {
                evaluate();
                source.settled();
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

    private void evaluate() {
        List<Finding> findings = new ArrayList<>();
        SettingValues next = new SettingValues();
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
        tellOfUnknown(source.unknownKeys(), "unknown ", "broker.conf", findings);
        findings.addAll(SetupAdvice.of(source::broker, brokerVersion));

        findings.stream().filter(finding -> !told.contains(finding.identity()))
                .forEach(finding -> untold.add(finding.problem()));
        told = findings.stream().map(Finding::identity).collect(Collectors.toCollection(HashSet::new));
        quiet = new Reading(settings, List.of());
    }

    /** Takes the first place that has the key, if its value is good; tells of every wrong one. */
    private <T> void choose(Key<T> key, SettingValues next, List<Finding> findings) {
        List<Written> all = source.written(key);
        Map<Written, T> good = new LinkedHashMap<>();
        all.forEach(written -> written.text()
                .flatMap(text -> key.parse(text)).ifPresent(value -> good.put(written, value)));

        Chosen<T> before = values.chosen(key);
        boolean firstIsGood = all.isEmpty() || good.containsKey(all.get(0));
        boolean kept = !firstIsGood && !before.isDefault();
        Chosen<T> chosen = kept ? before : good.entrySet().stream().findFirst()
                .map(entry -> new Chosen<>(entry.getValue(), entry.getKey().origin()))
                .orElseGet(() -> Chosen.byDefault(key));
        next.put(key, chosen);

        Set<Object> said = new HashSet<>();
        all.stream().filter(written -> !good.containsKey(written))
                .filter(written -> written.origin() != Origin.GETTER || !source.answersForOldSpelling(key))
                .filter(written -> said.add(written.comparable()))
                .forEach(written -> findings.add(Finding.error(
                        key.name() + " " + written.origin() + " " + written.raw(),
                        key.name() + shortened(written.complaint(source.name(written.origin())))
                                + ", but must be " + key.domain().range() + shortened(
                                written.text().map(text -> key.domain().detail().apply(text.trim())).orElse(""))
                                + "; " + used(key, chosen, kept) + " is used instead")));
        good.forEach((written, value) -> {
            if (written.origin() == Origin.FILE && chosen.origin() == Origin.GETTER && !value.equals(chosen.value())) {
                findings.add(hiddenLine(key, written, chosen));
            }
        });
    }

    private <T> String used(Key<T> key, Chosen<T> chosen, boolean kept) {
        String text = key.domain().text().apply(chosen.value());
        if (kept) {
            return text + ", the last good value,";
        }
        return chosen.isDefault() ? "the default, " + text + "," : text + " from " + source.name(chosen.origin());
    }

    /** A line of the settings file without effect, because the broker's own value counts and is another. */
    private <T> Finding hiddenLine(Key<T> key, Written line, Chosen<T> chosen) {
        return Finding.warning("hidden " + key.name() + " " + line.raw(),
                key.name() + "=" + line.raw() + " in " + source.name(Origin.FILE) + " has no effect: this broker "
                        + "declares the key itself and has " + key.domain().text().apply(chosen.value())
                        + ". Change it by: pulsar-admin brokers update-dynamic-config --config " + key.name()
                        + " --value " + line.raw());
    }

    private void keepThresholdsInOrder(SettingValues next, List<Finding> findings) {
        long low = next.get(LOW_THRESHOLD);
        long high = next.get(HIGH_THRESHOLD);
        if (low <= high) {
            return;
        }
        Chosen<Long> lastLow = values.chosen(LOW_THRESHOLD);
        Chosen<Long> lastHigh = values.chosen(HIGH_THRESHOLD);
        next.put(LOW_THRESHOLD, lastLow);
        next.put(HIGH_THRESHOLD, lastHigh);
        boolean defaults = lastLow.isDefault() && lastHigh.isDefault();
        findings.add(Finding.error("order " + low + " " + high, LOW_THRESHOLD.name() + " is " + low + ", but must not "
                + "be above " + HIGH_THRESHOLD.name() + ", which is " + high + "; " + lastLow.value() + " and "
                + lastHigh.value() + (defaults ? ", the defaults," : ", the last good values,")
                + " are used instead"));
    }

    private void tellOfFile(List<Finding> findings) {
        String path = source.name(Origin.FILE);
        Map<String, String> content = source.fileContent();
        source.fileFailure().ifPresent(reason -> findings.add(Finding.error("file " + path + " " + reason,
                SETTINGS_FILE.name() + " is " + path + ", which " + reason + "; " + (content.isEmpty()
                        ? "nothing is read from it" : "what was last read from it stays in use"))));
        if (content.containsKey(SETTINGS_FILE.name())) {
            findings.add(Finding.warning("own name in file", SETTINGS_FILE.name() + " has no effect in " + path
                    + " itself; it belongs into broker.conf"));
        }
        tellOfUnknown(content.keySet().stream().filter(name -> !ConfigurationSource.isKnown(name)).sorted().toList(),
                "unknown in file ", path, findings);
    }

    /** Names the first of them only: a file that is something else altogether can have very many. */
    private static void tellOfUnknown(Collection<String> names, String identity, String place,
                                      List<Finding> findings) {
        names.stream().limit(MOST_UNKNOWN).forEach(name -> findings.add(Finding.warning(identity + name,
                shortened(name) + " in " + place + " is not a setting of this plugin and is ignored; the nearest one "
                        + "is " + NearestKey.to(name))));
        int more = names.size() - MOST_UNKNOWN;
        if (more > 0) {
            findings.add(Finding.warning(identity + "and " + more, more + " more keys in " + place
                    + " are not settings of this plugin and are ignored"));
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_SAID ? text : text.substring(0, LONGEST_SAID) + "...";
    }

    private static boolean counts(Metric metric, Settings settings) {
        return settings.weight(metric) > 0
                && (metric != Metric.MSG_RATE || settings.msgRateCapacity() > 0)
                && (metric != Metric.MSG_THROUGHPUT || settings.msgThroughputCapacity() > 0);
    }

    private static Settings settings(SettingValues values) {
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
                .plan(values.get(PLAN))
                .placement(values.get(PLACEMENT))
                .unloadLimits(values.get(MAX_UNLOADS))
                .metricThresholds(values.get(METRIC_THRESHOLDS))
                .ceilings(values.get(CEILINGS))
                .namespaceRules(values.get(NAMESPACE_RULES))
                .holdUntil(values.get(HOLD_UNTIL).map(Instant::toEpochMilli).orElse(Long.MIN_VALUE))
                .draining(values.get(DRAIN))
                .dryRun(values.get(DRY_RUN))
                .excludedNamespaces(values.get(EXCLUDED_NAMESPACES))
                .sheddingIntervalMillis(values.get(SHEDDING_INTERVAL) * MINUTE)
                .gracePeriodMillis(values.get(GRACE_PERIOD) * MINUTE)
                .hostUsageIntervalMillis(values.get(HOST_USAGE_INTERVAL) * MINUTE)
                .longestReportIntervalMillis(Math.max(1, values.get(LONGEST_REPORT_INTERVAL)) * MINUTE)
                .reportThreshold(values.get(REPORT_THRESHOLD))
                .build();
    }

    /** Pulsar's own rule for its two spellings of one weight: the new one unless that is 1, else the old one. */
    private static double eitherSpelling(SettingValues values, Key<Double> spelledRight, Key<Double> spelledWrong) {
        double weight = values.get(spelledRight);
        return weight == 1 ? values.get(spelledWrong) : weight;
    }

    private static String runningVersion() {
        try {
            return PulsarVersion.getVersion();
        } catch (RuntimeException | LinkageError e) {
            return "unknown";
        }
    }
}
