package io.avgshedder.pulsar;

import io.avgshedder.core.PlacementMode;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

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
    private static final Pattern NAMESPACE = Pattern.compile("[^/\\s]+(/[^/\\s]+){1,2}");
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
    static final Key<PlacementMode> PLACEMENT = key(PREFIX + "Placement", PlacementMode.PREDICTED, placement());
    static final Key<Optional<Path>> SETTINGS_FILE = key(PREFIX + "SettingsFile", Optional.empty(), file());

    static final Key<Long> SHEDDING_INTERVAL = key("loadBalancerSheddingIntervalMinutes", 1L, minutes(1));
    static final Key<Long> GRACE_PERIOD = key("loadBalancerSheddingGracePeriodMinutes", 30L, minutes(0));
    static final Key<Long> HOST_USAGE_INTERVAL = key("loadBalancerHostUsageCheckIntervalMinutes", 1L, minutes(1));
    static final Key<Long> LONGEST_REPORT_INTERVAL = key("loadBalancerReportUpdateMaxIntervalMinutes", 15L, minutes(0));
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
    }

    /**
     * The values that a key can have.
     *
     * @param range  completes "must be ..."
     * @param parser gives nothing for text that is out of range or cannot be read at all
     */
    record Domain<T>(String range, Function<String, Optional<T>> parser, Function<T, String> text) {

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

    private static Domain<PlacementMode> placement() {
        Function<PlacementMode, String> text = mode -> mode.name().toLowerCase(Locale.ROOT);
        return new Domain<>("predicted or random", raw -> Arrays.stream(PlacementMode.values())
                .filter(mode -> mode.name().equalsIgnoreCase(raw)).findFirst(), text);
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
