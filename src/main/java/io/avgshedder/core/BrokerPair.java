package io.avgshedder.core;

/**
 * A hot and a cold broker, compared by the metrics that are known of both.
 *
 * <p>The naive rule compares each broker's own score. If the cold one's CPU is unknown, its score is its bandwidth's,
 * and a hot one at CPU 80, bandwidth 20 would be 60 points above a cold one at bandwidth 20: a gap that nobody
 * measured. So a metric that is unknown on either side is left out of both.
 *
 * @param hot       the donor to be
 * @param cold      the receiver to be
 * @param hotScore  the hot broker's score over the common metrics
 * @param coldScore the cold broker's, with what is on its way to it
 * @param metric    the metric behind the hot score: it decides what is measured and moved
 */
record BrokerPair(BrokerLoad hot, BrokerLoad cold, double hotScore, double coldScore, Metric metric) {

    /** Compares the two; {@code null} where they have no known metric in common. */
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
        return metric == null ? null : new BrokerPair(hot, cold, hotScore, coldScore + pointsOnTheWay, metric);
    }

    double gap() {
        return hotScore - coldScore;
    }
}
