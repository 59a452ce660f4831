package io.avgshedder.pulsar;

import io.avgshedder.core.Ceilings;
import io.avgshedder.core.MetricThresholds;
import io.avgshedder.core.NamespaceRules;
import io.avgshedder.core.PlacementMode;
import io.avgshedder.core.PlanMode;
import io.avgshedder.core.SettingSyntaxException;
import io.avgshedder.core.UnloadLimits;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every key that the plugin reads, with its default and its range. The reader, its messages and the documentation are
 * all made from this table.
 *
 * <p>Keys of Pulsar's own keep Pulsar's type also on brokers that do not declare them: a threshold of 12.5 would work
 * there, and keep a later broker, to which the key is an {@code int}, from starting.
 */
final class SettingKeys {

    /** What all keys start with that Pulsar does not declare anywhere. */
    static final String PREFIX = "loadBalancerAvgShedder";

    private static final long YEAR_IN_MINUTES = 525_600;
    private static final Instant END_OF_9999 = Instant.parse("+10000-01-01T00:00:00Z");
    /** Reading a number takes time that grows with the square of its length. */
    private static final int LONGEST_NUMBER = 400;
    private static final Pattern NAMESPACE = Pattern.compile("[^/\\s]+(/[^/\\s]+){1,2}");
    private static final Pattern BROKER = Pattern.compile("[^/\\s:]+:\\d+");
    private static final List<Key<?>> TABLE = new ArrayList<>();

    static final Key<Double> CPU_WEIGHT = key("loadBalancerCPUResourceWeight", 1.0, decimal(0, 100));
    static final Key<Double> BANDWIDTH_IN_WEIGHT = key("loadBalancerBandwidthInResourceWeight", 1.0, decimal(0, 100));
    static final Key<Double> BANDWITH_IN_WEIGHT = key("loadBalancerBandwithInResourceWeight", 1.0, decimal(0, 100));
    static final Key<Double> BANDWIDTH_OUT_WEIGHT = key("loadBalancerBandwidthOutResourceWeight", 1.0, decimal(0, 100));
    static final Key<Double> BANDWITH_OUT_WEIGHT = key("loadBalancerBandwithOutResourceWeight", 1.0, decimal(0, 100));
    static final Key<Double> MEMORY_WEIGHT = key(PREFIX + "MemoryWeight", 0.0, decimal(0, 100));
    static final Key<Double> DIRECT_MEMORY_WEIGHT = key(PREFIX + "DirectMemoryWeight", 0.0, decimal(0, 100));
    static final Key<Double> MSG_RATE_WEIGHT = key(PREFIX + "MsgRateWeight", 1.0, decimal(0, 100));
    static final Key<Double> MSG_RATE_CAPACITY = key(PREFIX + "MsgRateCapacity", 0.0, capacity());
    static final Key<Double> MSG_THROUGHPUT_WEIGHT = key(PREFIX + "MsgThroughputWeight", 1.0, decimal(0, 100));
    static final Key<Double> MSG_THROUGHPUT_CAPACITY = key(PREFIX + "MsgThroughputCapacity", 0.0, capacity());

    static final Key<Long> LOW_THRESHOLD = key(PREFIX + "LowThreshold", 15L, whole(1, 1000));
    static final Key<Long> HIGH_THRESHOLD = key(PREFIX + "HighThreshold", 40L, whole(1, 1000));
    static final Key<Long> HIT_COUNT_LOW = key(PREFIX + "HitCountLowThreshold", 8L, whole(1, 10_000));
    static final Key<Long> HIT_COUNT_HIGH = key(PREFIX + "HitCountHighThreshold", 2L, whole(1, 10_000));
    static final Key<Long> MAX_UNLOADS_PER_ROUND = key(PREFIX + "MaxUnloadsPerRound", 200L, whole(1, 1_000_000));
    static final Key<Boolean> QUIET_PERIOD = key(PREFIX + "QuietPeriod", true, flag());
    static final Key<PlanMode> PLAN = key(PREFIX + "Plan", PlanMode.PAIRS, oneOf(PlanMode.values()));
    static final Key<PlacementMode> PLACEMENT = key(PREFIX + "Placement", PlacementMode.PREDICTED, oneOf(PlacementMode.values()));
    static final Key<UnloadLimits> MAX_UNLOADS = key(PREFIX + "MaxUnloads", UnloadLimits.NONE,
            written("limits such as cluster=20/10m, source=5/10m, target=5/10m, namespace=2/1h", UnloadLimits::parse));
    static final Key<MetricThresholds> METRIC_THRESHOLDS = key(PREFIX + "MetricThresholds", MetricThresholds.NONE,
            written("low and high thresholds such as cpu=15/40, bandwidthOut=10/30", MetricThresholds::parse));
    static final Key<Ceilings> CEILINGS = key(PREFIX + "Ceilings", Ceilings.NONE,
            written("usages in percent such as cpu=70, bandwidthOut=80", Ceilings::parse));
    static final Key<NamespaceRules> NAMESPACE_RULES = key(PREFIX + "NamespaceRules", NamespaceRules.NONE,
            written("rules such as tenant/ns exempt until 2026-12-24T08:00:00Z; tenant/* max 1/1h; all exempt",
                    NamespaceRules::parse));
    static final Key<Optional<Instant>> HOLD_UNTIL = key(PREFIX + "HoldUntil", Optional.empty(), instant());
    static final Key<Set<String>> DRAIN = key(PREFIX + "Drain", Set.of(), brokers());
    static final Key<Boolean> DRY_RUN = key(PREFIX + "DryRun", false, flag());
    static final Key<Optional<Path>> SETTINGS_FILE = key(PREFIX + "SettingsFile", Optional.empty(), file());

    static final Key<Long> SHEDDING_INTERVAL = key("loadBalancerSheddingIntervalMinutes", 1L, minutes(1));
    static final Key<Long> GRACE_PERIOD = key("loadBalancerSheddingGracePeriodMinutes", 30L, minutes(0));
    static final Key<Long> HOST_USAGE_INTERVAL = key("loadBalancerHostUsageCheckIntervalMinutes", 1L, minutes(1));
    static final Key<Long> LONGEST_REPORT_INTERVAL = key("loadBalancerReportUpdateMaxIntervalMinutes", 15L, minutes(0));
    static final Key<Long> REPORT_THRESHOLD = key("loadBalancerReportUpdateThresholdPercentage", 10L, whole(0, 100));
    static final Key<Long> OVERLOAD_THRESHOLD =
            key("loadBalancerBrokerOverloadedThresholdPercentage", 85L, whole(0, 10_000));
    static final Key<Long> MAX_TOPICS = key("loadBalancerBrokerMaxTopics", 50_000L, whole(0, Integer.MAX_VALUE));
    static final Key<Set<String>> EXCLUDED_NAMESPACES =
            key("loadBalancerSheddingExcludedNamespaces", Set.of(), namespaces());

    static final List<Key<?>> ALL = List.copyOf(TABLE);

    private SettingKeys() {
    }

    /** One line of the table; {@code index} is its place in {@link #ALL}. */
    record Key<T>(int index, String name, T defaultValue, Domain<T> domain) {

        String defaultText() {
            return domain.text().apply(defaultValue);
        }

        /** Nothing where the text is no such value. The default may be written as it is shown, {@code none} or {@code off}. */
        Optional<T> parse(String raw) {
            return raw.trim().equalsIgnoreCase(defaultText()) ? Optional.of(defaultValue) : domain.parse(raw);
        }
    }

    /**
     * The values that a key can have.
     *
     * @param range  completes "must be ..."
     * @param parser gives nothing for text that is out of range or cannot be read at all
     * @param detail what exactly is wrong with such text, as a bracket behind the range; may be empty
     */
    record Domain<T>(String range, Function<String, Optional<T>> parser, Function<T, String> text,
                     Function<String, String> detail) {

        Domain(String range, Function<String, Optional<T>> parser, Function<T, String> text) {
            this(range, parser, text, raw -> "");
        }

        Optional<T> parse(String raw) {
            return parser.apply(raw.trim());
        }
    }

    private static <T> Key<T> key(String name, T defaultValue, Domain<T> domain) {
        Key<T> key = new Key<>(TABLE.size(), name, defaultValue, domain);
        TABLE.add(key);
        return key;
    }

    private static Domain<Double> decimal(double least, double most) {
        return new Domain<>("a number from " + text(least) + " to " + text(most),
                raw -> decimal(raw).filter(value -> value >= least && value <= most), SettingKeys::text);
    }

    private static Domain<Double> capacity() {
        return new Domain<>("a number above 0",
                raw -> decimal(raw).filter(value -> value > 0 && value < Double.POSITIVE_INFINITY),
                value -> value == 0 ? "off" : text(value));
    }

    private static Domain<Long> whole(long least, long most) {
        return new Domain<>("a whole number from " + least + " to " + most,
                raw -> whole(raw).filter(value -> value >= least && value <= most), String::valueOf);
    }

    private static Domain<Long> minutes(long least) {
        return whole(least, YEAR_IN_MINUTES);
    }

    private static Domain<Boolean> flag() {
        return new Domain<>("true or false", raw -> switch (raw.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        }, String::valueOf);
    }

    private static <E extends Enum<E>> Domain<E> oneOf(E[] modes) {
        Function<E, String> text = mode -> mode.name().toLowerCase(Locale.ROOT);
        String range = Arrays.stream(modes).map(text).collect(Collectors.joining(" or "));
        return new Domain<>(range, raw -> Arrays.stream(modes)
                .filter(mode -> mode.name().equalsIgnoreCase(raw)).findFirst(), text);
    }

    /** A value with a grammar of its own; what its parser complains of becomes part of the message. */
    private static <T> Domain<T> written(String range, Function<String, T> parser) {
        return new Domain<>(range, raw -> {
            try {
                return Optional.of(parser.apply(raw));
            } catch (SettingSyntaxException e) {
                return Optional.empty();
            }
        }, value -> value.toString().isEmpty() ? "none" : value.toString(), raw -> {
            try {
                parser.apply(raw);
                return "";
            } catch (SettingSyntaxException e) {
                return " (" + e.getMessage() + ")";
            }
        });
    }

    private static Domain<Optional<Instant>> instant() {
        return new Domain<>("an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z", raw -> {
            try {
                return Optional.of(Instant.parse(raw)).filter(SettingKeys::isInRange).map(Optional::of);
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }, instant -> instant.map(Instant::toString).orElse("none"));
    }

    /** What lies far outside has no milliseconds since the epoch. */
    private static boolean isInRange(Instant instant) {
        return !instant.isBefore(Instant.EPOCH) && instant.isBefore(END_OF_9999);
    }

    private static Domain<Set<String>> brokers() {
        return new Domain<>("a list of brokers as the load manager names them, such as broker-1:8080,broker-2:8080",
                raw -> {
                    Set<String> names = Arrays.stream(raw.split(",")).map(String::trim).filter(s -> !s.isEmpty())
                            .collect(Collectors.toSet());
                    return names.stream().allMatch(name -> BROKER.matcher(name).matches())
                            ? Optional.of(Set.copyOf(names)) : Optional.empty();
                }, names -> names.isEmpty() ? "none" : String.join(",", new TreeSet<>(names)));
    }

    private static Domain<Optional<Path>> file() {
        return new Domain<>("the path of a file", raw -> {
            try {
                return Optional.of(Optional.of(Path.of(raw)));
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        }, path -> path.map(Path::toString).orElse("none"));
    }

    private static Domain<Set<String>> namespaces() {
        return new Domain<>("a list such as tenant/namespace,tenant/other", raw -> {
            List<String> names = Arrays.stream(raw.split(",")).map(String::trim).filter(s -> !s.isEmpty()).toList();
            return names.stream().allMatch(name -> NAMESPACE.matcher(name).matches())
                    ? Optional.of(Set.copyOf(names)) : Optional.empty();
        }, names -> names.isEmpty() ? "none" : String.join(",", new TreeSet<>(names)));
    }

    /** As {@link Double#valueOf} reads it, but not NaN, not an infinity, no type suffix and no hexadecimal. */
    private static Optional<Double> decimal(String raw) {
        if (raw.length() > LONGEST_NUMBER) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(raw).doubleValue());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> whole(String raw) {
        try {
            return Optional.of(Long.valueOf(raw));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
