package io.avgshedder.core;

import java.util.Collection;

/**
 * Turns rates into one figure of traffic, of the kind that drives a metric.
 *
 * <p>The naive rule sizes by messages or by bytes, whichever is larger as a number. Of a broker with 10,000 small
 * messages a second and one with 100 large ones, either kind alone sees only one. Bandwidth is driven by the bytes of
 * its direction; CPU and memory by both kinds, so there a bundle's traffic is the mean of its share of the cluster's
 * messages and its share of the cluster's bytes. A kind of which the cluster has none is left out.
 *
 * <p>The unit differs by metric (messages/s, bytes/s, or a share of the cluster), so figures of two scales must not
 * meet. All of one scale add up.
 */
final class TrafficScale {

    private final double perMessage;
    private final double perByteIn;
    private final double perByteOut;

    private TrafficScale(double perMessage, double perByteIn, double perByteOut) {
        this.perMessage = perMessage;
        this.perByteIn = perByteIn;
        this.perByteOut = perByteOut;
    }

    /** The scale for a metric, given the traffic of all brokers. */
    static TrafficScale of(Metric metric, Totals cluster) {
        return switch (metric) {
            case BANDWIDTH_IN -> new TrafficScale(0, cluster.bytesIn > 0 ? 1 : 0, 0);
            case BANDWIDTH_OUT -> new TrafficScale(0, 0, cluster.bytesOut > 0 ? 1 : 0);
            case MSG_RATE -> new TrafficScale(cluster.messages > 0 ? 1 : 0, 0, 0);
            case MSG_THROUGHPUT -> bytes(cluster.bytes() > 0 ? 1 : 0);
            case CPU, MEMORY, DIRECT_MEMORY -> shares(cluster);
        };
    }

    private static TrafficScale shares(Totals cluster) {
        double bytes = cluster.bytes();
        if (cluster.messages > 0 && bytes > 0) {
            return new TrafficScale(0.5 / cluster.messages, 0.5 / bytes, 0.5 / bytes);
        }
        return cluster.messages > 0 ? new TrafficScale(1 / cluster.messages, 0, 0) : bytes(bytes > 0 ? 1 / bytes : 0);
    }

    private static TrafficScale bytes(double perByte) {
        return new TrafficScale(0, perByte, perByte);
    }

    /** Whether the cluster has no traffic of this kind at all. */
    boolean isEmpty() {
        return perMessage == 0 && perByteIn == 0 && perByteOut == 0;
    }

    double of(double messages, double bytesIn, double bytesOut) {
        return messages * perMessage + bytesIn * perByteIn + bytesOut * perByteOut;
    }

    double of(BundleLoad bundle) {
        return of(bundle.messages(), bundle.bytesIn(), bundle.bytesOut());
    }

    double of(BrokerLoad broker) {
        return of(broker.messages(), broker.bytesIn(), broker.bytesOut());
    }

    double of(Totals totals) {
        return of(totals.messages, totals.bytesIn, totals.bytesOut);
    }

    /** Sums of rates. */
    record Totals(double messages, double bytesIn, double bytesOut) {

        static final Totals NONE = new Totals(0, 0, 0);

        static Totals of(Collection<BrokerLoad> brokers) {
            double messages = 0;
            double bytesIn = 0;
            double bytesOut = 0;
            for (BrokerLoad broker : brokers) {
                messages += broker.messages();
                bytesIn += broker.bytesIn();
                bytesOut += broker.bytesOut();
            }
            return new Totals(messages, bytesIn, bytesOut);
        }

        double bytes() {
            return bytesIn + bytesOut;
        }

        Totals plus(BundleLoad bundle) {
            return new Totals(messages + bundle.messages(), bytesIn + bundle.bytesIn(), bytesOut + bundle.bytesOut());
        }

        Totals times(double factor) {
            return new Totals(messages * factor, bytesIn * factor, bytesOut * factor);
        }

        Totals minus(BundleLoad bundle) {
            return new Totals(messages - bundle.messages(), bytesIn - bundle.bytesIn(), bytesOut - bundle.bytesOut());
        }
    }
}
