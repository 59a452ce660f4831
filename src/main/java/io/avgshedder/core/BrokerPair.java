package io.avgshedder.core;

import java.util.ArrayList;
import java.util.List;

/**
 * A hot and a cold broker, compared by the metrics that are known of both.
 *
 * <p>The naive rule compares each broker's own score. If the cold one's CPU is unknown, its score is its bandwidth's,
 * and a hot one at CPU 80, bandwidth 20 would be 60 points above a cold one at bandwidth 20: a gap that nobody
 * measured. So a metric that is unknown on either side is left out of both.
 *
 * @param hot       the donor to be
 * @param cold      the receiver to be
 * @param hotScore  the hot broker's score over the common metrics, or its usage of the one metric that is looked at
 * @param coldScore the cold broker's, with what is on its way to it
 * @param metric    the metric behind the hot score: it decides what is measured and moved
 * @param low       a gap from here on counts a low hit
 * @param high      a gap from here on counts a high hit
 * @param own       whether the metric is looked at by itself, with thresholds of its own
 */
record BrokerPair(BrokerLoad hot, BrokerLoad cold, double hotScore, double coldScore, Metric metric, double low,
                  double high, boolean own) {

    /** Compares the two by score; {@code null} where they have no known metric in common. */
    static BrokerPair of(BrokerLoad hot, BrokerLoad cold, double pointsOnTheWay, Settings settings) {
        double hotScore = Double.NaN;
        double coldScore = Double.NaN;
        Metric metric = null;
        for (Metric candidate : Metric.ALL) {
            double hotPoints = BrokerScore.points(hot, candidate, settings);
            double coldPoints = BrokerScore.points(cold, candidate, settings);
            if (Double.isNaN(hotPoints) || Double.isNaN(coldPoints)) {
                continue;
            }
            if (metric == null || hotPoints > hotScore) {
                hotScore = hotPoints;
                metric = candidate;
            }
            coldScore = Double.isNaN(coldScore) ? coldPoints : Math.max(coldScore, coldPoints);
        }
        return metric == null ? null : new BrokerPair(hot, cold, hotScore, coldScore + pointsOnTheWay, metric,
                settings.lowThreshold(), settings.highThreshold(), false);
    }

    /**
     * All that may trip this pair: its score, and each metric with thresholds of its own that is known of both, by
     * signed usage.
     */
    List<BrokerPair> gauges(double pointsOnTheWay, Settings settings) {
        if (settings.metricThresholds().isEmpty()) {
            return List.of(this);
        }
        List<BrokerPair> gauges = new ArrayList<>();
        gauges.add(this);
        for (Metric candidate : Metric.ALL) {
            MetricThresholds.Threshold threshold = settings.metricThresholds().of(candidate).orElse(null);
            double hotUsage = hot.usage(candidate, settings);
            double coldUsage = cold.usage(candidate, settings);
            if (threshold != null && !Double.isNaN(hotUsage) && !Double.isNaN(coldUsage)) {
                double onTheWay = candidate == metric ? pointsOnTheWay : 0;
                gauges.add(new BrokerPair(hot, cold, hotUsage, coldUsage + onTheWay, candidate, threshold.low(),
                        threshold.high(), true));
            }
        }
        return gauges;
    }

    double gap() {
        return hotScore - coldScore;
    }

    /** What is looked at, as the key under which its hits are counted; {@code null} for the score. */
    Metric gauge() {
        return own ? metric : null;
    }
}
