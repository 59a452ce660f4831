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
 * <p>Only the largest usage is watched by the broker. A hot broker whose direct memory is above its CPU may have lost
 * that CPU unseen, so nothing of its gap is certain; a cold one's usage may have come up to its largest.
 */
final class ReportTolerance {

    private ReportTolerance() {
    }

    /** The part of the gap that no unwritten change can explain, in points of score; 0 or below where there is none. */
    static double certainGap(BrokerPair pair, Settings settings) {
        double usage = pair.hot().usage(pair.metric(), settings);
        if (usage < largest(pair.hot(), settings)) {
            return 0;
        }
        double weight = pair.hotScore() / usage;
        double cold = Math.max(pair.coldScore(), weight * largest(pair.cold(), settings));
        return pair.hotScore() - cold - 2 * settings.reportThreshold() * weight;
    }

    /** The largest of the usages that a broker compares with what it last wrote. */
    private static double largest(BrokerLoad broker, Settings settings) {
        double largest = 0;
        for (Metric metric : Metric.ALL) {
            if (metric != Metric.MSG_RATE && metric != Metric.MSG_THROUGHPUT) {
                double usage = broker.usage(metric, settings);
                largest = usage > largest ? usage : largest;
            }
        }
        return largest;
    }
}
