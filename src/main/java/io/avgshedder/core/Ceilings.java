package io.avgshedder.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Usages that no transfer may take its receiver past, written {@code cpu=70, bandwidthOut=60}. A metric that is not
 * written has no ceiling.
 */
public final class Ceilings {

    /** No metric has a ceiling. */
    public static final Ceilings NONE = new Ceilings(Map.of());

    static final int MOST = 10_000;

    private static final String FORM = "<metric>=<ceiling> such as cpu=70";

    private final Map<Metric, Double> ceilings;

    private Ceilings(Map<Metric, Double> ceilings) {
        this.ceilings = Collections.unmodifiableMap(ceilings);
    }

    /**
     * Reads a setting; blank text means none.
     *
     * @throws SettingSyntaxException if the text is anything else than such a list, or names a metric twice
     */
    public static Ceilings parse(String text) {
        Map<Metric, Double> ceilings = new LinkedHashMap<>();
        for (SettingPart part : SettingPart.split(text, ',')) {
            SettingPart.Pair pair = part.halve(part.text(), '=', "ceiling", FORM);
            Metric metric = part.metric(pair.left());
            if (ceilings.put(metric, part.positive(pair.right(), MOST, "ceiling")) != null) {
                throw part.isTwice("ceiling for " + metric.label());
            }
        }
        return new Ceilings(ceilings);
    }

    /** In percent of the metric's limit; an infinity for a metric without a ceiling. */
    public double of(Metric metric) {
        return ceilings.getOrDefault(metric, Double.POSITIVE_INFINITY);
    }

    /** Whether a receiver with this forecast usage stays at or below the ceiling; not known is not below. */
    public boolean allows(Metric metric, double forecast) {
        return !ceilings.containsKey(metric) || forecast <= ceilings.get(metric);
    }

    public boolean isEmpty() {
        return ceilings.isEmpty();
    }

    /** As it is written in a setting, in the order in which it was written; empty without a ceiling. */
    @Override
    public String toString() {
        return ceilings.entrySet().stream()
                .map(entry -> entry.getKey().label() + "=" + SettingPart.number(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ceilings that && ceilings.equals(that.ceilings);
    }

    @Override
    public int hashCode() {
        return ceilings.hashCode();
    }
}
