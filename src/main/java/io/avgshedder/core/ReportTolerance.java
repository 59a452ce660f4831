package io.avgshedder.core;

/**
 * How much of a pair's gap is certain, although neither report may have been rewritten for a while.
 *
 * <p>The naive rule believes a contradiction between usage and traffic only from new reports. Four brokers at 80 beside
 * one four times as fast at 24, under constant load: nothing changes, so no report is rewritten for a quarter of an
 * hour, and after each transfer the pair waits as long again: 49 minutes until all were level. But a report that is
 * <em>not</em> rewritten says something too: the largest of the broker's usages is within 10 points of what it was
 * (see {@link Settings#reportThreshold}), else the broker had written. Of 80 against 24 at least 36 points are certain.
 *
 * <p>Only the largest usage is watched by the broker. A hot broker whose direct memory is less than 10 points below its
 * CPU may have lost that CPU unseen, so nothing of its gap is certain; each of a cold one's usages may have come up to its
 * largest. Message and byte rates against a configured capacity are watched by other rules, and nothing of them is certain.
 */
final class ReportTolerance {

    private ReportTolerance() {
    }

    /** The part of the gap that no unwritten change can explain, in points of score; 0 or below where there is none. */
    static double certainGap(BrokerPair pair, Settings settings) {
        double hidden = settings.reportThreshold();
        double usage = pair.hot().usage(pair.metric(), settings);
        if (!isWatched(pair.metric()) || usage - hidden < largestOther(pair.hot(), pair.metric(), settings)) {
            return 0;
        }
        double largest = largestOther(pair.cold(), null, settings);
        double weight = pair.hotScore() / usage;
        double heaviest = weight;
        for (Metric metric : Metric.ALL) {
            if (!pair.own() && isWatched(metric) && !Double.isNaN(pair.cold().usage(metric, settings))) {
                heaviest = Math.max(heaviest, settings.weight(metric));
            }
        }
        double cold = Math.max(pair.coldScore() + weight * hidden, heaviest * (largest + hidden));
        return pair.hotScore() - weight * hidden - cold;
    }

    /** The largest of the usages that a broker compares with what it last wrote, one of them left out. */
    private static double largestOther(BrokerLoad broker, Metric left, Settings settings) {
        double largest = 0;
        for (Metric metric : Metric.ALL) {
            double usage = metric != left && isWatched(metric) ? broker.usage(metric, settings) : 0;
            largest = usage > largest ? usage : largest;
        }
        return largest;
    }

    private static boolean isWatched(Metric metric) {
        return metric != Metric.MSG_RATE && metric != Metric.MSG_THROUGHPUT;
    }
}
