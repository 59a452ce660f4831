package io.avgshedder.core;

import java.util.function.DoubleSupplier;

/**
 * How much traffic must leave the hot broker of a pair so that both end level.
 *
 * <p>The naive rule is half of the traffic difference. A slow broker at 85 with 20,000 msg/s beside a fast one at 30
 * with 60,000 has a negative difference, and is never helped. Half of the <em>score</em> difference at the hot
 * broker's points per message is no better: with idle usage of 20 points on both, 80 points at 60,000 msg/s and 20 at
 * 0, a point costs 1,000 messages and not 750, and two rounds are needed for what one could do.
 *
 * <p>Capacity comes first: level means equal traffic for each unit of capacity, where capacity is the metric's reported
 * limit. Idle usage that both have cancels out. Where a slope (traffic per point) of the cold broker is believed, it
 * caps the size. Only where usage contradicts capacity (the size is negative, or lowers the hot broker by less than a
 * quarter of the gap at its own slope, where half is due between equals and less if the cold one is smaller) do the
 * brokers differ in speed rather than in size, and the slopes decide. That branch believes usages that may be a quarter
 * of an hour old, so whoever uses it has to ask for fresh reports first.
 *
 * @param traffic  what should move, in the scale's unit, 0 or more
 * @param forecast how the pair's scores answer
 * @param bySlopes whether the slopes decided
 * @param capped   whether the slopes allowed less than the capacities asked for
 */
record TransferSize(double traffic, Forecast forecast, boolean bySlopes, boolean capped) {

    /**
     * Sizes the transfer of a pair.
     *
     * @param hotTraffic         of the hot broker, above 0
     * @param coldTraffic        of the cold broker, with what is on its way to it
     * @param smallestBelieved   the smallest slope per capacity of the cluster that is believed, asked for only where
     *                           the cold broker's own is not; infinite where there is none
     */
    static TransferSize of(BrokerPair pair, double hotTraffic, double coldTraffic, Settings settings,
                           DoubleSupplier smallestBelieved) {
        double hotCapacity = pair.hot().limit(pair.metric(), settings);
        double coldCapacity = pair.cold().limit(pair.metric(), settings);
        double gap = pair.gap();
        double hotSlope = hotTraffic / pair.hotScore();
        double coldSlope = coldTraffic / pair.coldScore();
        boolean believed = BelievedSlopes.isBelieved(pair.coldScore(), coldTraffic / coldCapacity, hotTraffic / hotCapacity);

        double level = hotTraffic - (hotTraffic + coldTraffic) * (hotCapacity / (hotCapacity + coldCapacity));
        double share = coldCapacity / (hotCapacity + coldCapacity);
        if (level > 0 && level / hotSlope >= gap * Math.min(0.25, share / 2)) {
            double pointsPerTraffic = gap / (hotTraffic / hotCapacity - coldTraffic / coldCapacity);
            double fall = pointsPerTraffic / hotCapacity;
            double rise = pointsPerTraffic / coldCapacity;
            double size = level;
            double most = (gap + pair.low()) / (fall + rise);
            if (believed) {
                most = Math.min(most, coldSlope * gap);
                size = Math.min(level, Math.min(most, (gap + pair.low()) / (1 / hotSlope + 1 / coldSlope)));
            }
            return new TransferSize(size, new Forecast(pair.hotScore(), pair.coldScore(), fall, rise, most), false,
                    size < level);
        }
        double receiving = believed ? coldSlope
                : coldCapacity * Math.min(hotSlope / hotCapacity, smallestBelieved.getAsDouble());
        return new TransferSize(gap * hotSlope * receiving / (hotSlope + receiving),
                new Forecast(pair.hotScore(), pair.coldScore(), 1 / hotSlope, 1 / receiving,
                        (gap + pair.low()) / (1 / hotSlope + 1 / receiving)), true, false);
    }

    /** The same size, where no more than {@code limit} may move. */
    TransferSize atMost(double limit) {
        return limit >= forecast.most() ? this : new TransferSize(Math.min(traffic, limit),
                new Forecast(forecast.hotScore(), forecast.coldScore(), forecast.fall(), forecast.rise(), limit),
                bySlopes, capped);
    }
}
