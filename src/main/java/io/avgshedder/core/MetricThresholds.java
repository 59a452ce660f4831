package io.avgshedder.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Thresholds of single metrics, written {@code cpu=15/40, bandwidthOut=10/30}: a metric's own gap from the first number
 * on is a low hit, from the second on a high one. A metric that is not written has no thresholds of its own.
 */
public final class MetricThresholds {

    /** No metric has thresholds of its own. */
    public static final MetricThresholds NONE = new MetricThresholds(Map.of());

    static final int MOST = 1000;

    private static final String FORM = "<metric>=<low>/<high> such as cpu=15/40";

    private final Map<Metric, Threshold> thresholds;

    /**
     * The two thresholds of one metric, in points of its usage.
     *
     * @param low  above 0
     * @param high not below {@code low}
     */
    public record Threshold(double low, double high) {

        /** @throws IllegalArgumentException if low is not above 0, or high is below low or above {@value #MOST} */
        public Threshold {
            if (!(low > 0 && low <= high && high <= MOST)) {
                throw new IllegalArgumentException("the thresholds are " + low + " and " + high
                        + ", but must be 0 < low <= high <= " + MOST);
            }
        }

        @Override
        public String toString() {
            return SettingPart.number(low) + "/" + SettingPart.number(high);
        }
    }

    private MetricThresholds(Map<Metric, Threshold> thresholds) {
        this.thresholds = Collections.unmodifiableMap(thresholds);
    }

    /**
     * Reads a setting; blank text means none.
     *
     * @throws SettingSyntaxException if the text is anything else than such a list, or names a metric twice
     */
    public static MetricThresholds parse(String text) {
        Map<Metric, Threshold> thresholds = new LinkedHashMap<>();
        for (SettingPart part : SettingPart.split(text, ',')) {
            SettingPart.Pair pair = part.halve(part.text(), '=', "threshold", FORM);
            Metric metric = part.metric(pair.left());
            SettingPart.Pair numbers = part.halve(pair.right(), '/', "threshold", FORM);
            double low = part.positive(numbers.left(), MOST, "low threshold");
            double high = part.positive(numbers.right(), MOST, "high threshold");
            if (low > high) {
                throw part.isNot("low threshold", numbers.left(), "at most the high one, " + numbers.right());
            }
            if (thresholds.put(metric, new Threshold(low, high)) != null) {
                throw part.isTwice("threshold for " + metric.label());
            }
        }
        return new MetricThresholds(thresholds);
    }

    public Optional<Threshold> of(Metric metric) {
        return Optional.ofNullable(thresholds.get(metric));
    }

    public boolean isEmpty() {
        return thresholds.isEmpty();
    }

    /** As it is written in a setting, in the order in which it was written; empty without a threshold. */
    @Override
    public String toString() {
        return thresholds.entrySet().stream().map(entry -> entry.getKey().label() + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MetricThresholds that && thresholds.equals(that.thresholds);
    }

    @Override
    public int hashCode() {
        return thresholds.hashCode();
    }
}
