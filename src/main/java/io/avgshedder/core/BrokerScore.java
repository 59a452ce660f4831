package io.avgshedder.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * How loaded one broker is: the largest weighted usage among its known metrics, in points.
 *
 * @param broker the broker
 * @param score  in points of weighted percent, 0 or more, not capped at 100
 * @param metric the metric that gave the score, the first in order among equals
 */
public record BrokerScore(String broker, double score, Metric metric) {

    /**
     * Scores one report. Returns {@code null} where no metric with a weight is known: such a broker takes no part.
     */
    static BrokerScore of(BrokerLoad broker, Settings settings) {
        double best = Double.NaN;
        Metric metric = null;
        for (Metric candidate : Metric.ALL) {
            double points = points(broker, candidate, settings);
            if (metric == null ? !Double.isNaN(points) : points > best) {
                best = points;
                metric = candidate;
            }
        }
        return metric == null ? null : new BrokerScore(broker.name(), best, metric);
    }

    /** The scores of all brokers that have one, the hottest first. */
    public static List<BrokerScore> hottestFirst(ClusterSnapshot snapshot, Settings settings) {
        return hottestFirst(snapshot.brokers().stream().map(broker -> of(broker, settings)).filter(Objects::nonNull)
                .toList());
    }

    static List<BrokerScore> hottestFirst(Collection<BrokerScore> scores) {
        return scores.stream().sorted(Comparator.comparingDouble(BrokerScore::score)
                .thenComparing(BrokerScore::broker).reversed()).toList();
    }

    /** The weighted usage in points; NaN where the metric is unknown or has no weight, or the product no figure. */
    static double points(BrokerLoad broker, Metric metric, Settings settings) {
        double weight = settings.weight(metric);
        double points = weight * broker.usage(metric, settings);
        return weight > 0 && points < Double.POSITIVE_INFINITY ? points : Double.NaN;
    }
}
