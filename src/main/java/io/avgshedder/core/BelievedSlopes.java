package io.avgshedder.core;

import java.util.Comparator;
import java.util.List;

/**
 * How much traffic per point and unit of capacity the brokers of a cluster bear, where their reports tell.
 *
 * <p>A broker that is nearly idle shows its idle usage and little else: 2 points at 20 msg/s are no 10 msg/s a point. So
 * its slope is believed only from some score on, and from some part of the traffic of the hot broker beside it. Where
 * that of a receiver is not, the worst of the cluster that is stands in for it.
 *
 * <p>To look at every broker for every pair costs a thousand brokers half a million scores. What is asked for is the
 * smallest slope among those with a traffic of so much and more, so the brokers are measured once and ordered by
 * traffic, each with the smallest slope from it on.
 */
final class BelievedSlopes {

    /** A broker's slope is believed from this score on: below it, idle usage is most of what is seen. */
    private static final double BELIEVED_SCORE = 10;
    /** ... and from this part of the hot broker's traffic per capacity on. */
    private static final double BELIEVED_TRAFFIC = 1 / 8.0;

    /** A broker's traffic for each unit of its capacity, and that for each point of its score. */
    private record Slope(double traffic, double perPoint) {
    }

    private final double[] traffic;
    private final double[] smallestFrom;

    private BelievedSlopes(List<Slope> byTraffic) {
        traffic = byTraffic.stream().mapToDouble(Slope::traffic).toArray();
        smallestFrom = byTraffic.stream().mapToDouble(Slope::perPoint).toArray();
        for (int i = smallestFrom.length - 2; i >= 0; i--) {
            smallestFrom[i] = Math.min(smallestFrom[i], smallestFrom[i + 1]);
        }
    }

    static BelievedSlopes of(List<BrokerLoad> brokers, Metric metric, TrafficScale scale, Settings settings) {
        return new BelievedSlopes(brokers.stream().map(broker -> slope(broker, metric, scale, settings))
                .filter(slope -> slope.perPoint >= 0).sorted(Comparator.comparingDouble(Slope::traffic)).toList());
    }

    /** The slope of one broker, no figure where it is not believed. */
    private static Slope slope(BrokerLoad broker, Metric metric, TrafficScale scale, Settings settings) {
        BrokerScore score = BrokerScore.of(broker, settings);
        double traffic = scale.of(broker) / broker.limit(metric, settings);
        return new Slope(traffic, score == null || score.score() < BELIEVED_SCORE ? Double.NaN : traffic / score.score());
    }

    /** The smallest that is believed beside a hot broker with this traffic per capacity; infinite where none is. */
    double smallest(double hotTraffic) {
        double least = leastBelieved(hotTraffic);
        int from = 0;
        int to = traffic.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (traffic[middle] >= least) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from < smallestFrom.length ? smallestFrom[from] : Double.POSITIVE_INFINITY;
    }

    /** Whether a broker's traffic per point says how fast it is, beside a hot broker. */
    static boolean isBelieved(double score, double traffic, double hotTraffic) {
        return score >= BELIEVED_SCORE && traffic >= leastBelieved(hotTraffic);
    }

    private static double leastBelieved(double hotTraffic) {
        return BELIEVED_TRAFFIC * hotTraffic;
    }
}
