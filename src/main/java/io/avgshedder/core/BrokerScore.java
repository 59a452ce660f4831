package io.avgshedder.core;

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

    /** The weighted usage in points; NaN where the metric is unknown or has no weight. */
    static double points(BrokerLoad broker, Metric metric, Settings settings) {
        double weight = settings.weight(metric);
        return weight > 0 ? weight * broker.usage(metric, settings) : Double.NaN;
    }
}
