package io.avgshedder.core;

/**
 * A transfer with what it was chosen for.
 *
 * @param transfer     the bundle, its source and target
 * @param load         the bundle's rates at the plan
 * @param metric       the metric that decided
 * @param sourcePoints what the source loses by the pair's forecast, in points
 * @param sourceScore  what the source had by what decided, in points
 * @param targetPoints what the target gains
 * @param capacity     the target's, which is its limit of the metric
 */
record PlannedTransfer(Transfer transfer, BundleLoad load, Metric metric, double sourcePoints, double sourceScore,
                       double targetPoints, double capacity) {

    /** What another broker would gain in the target's place: more if it is smaller. */
    double points(BrokerLoad broker, Settings settings) {
        double limit = broker.limit(metric, settings);
        boolean known = limit > 0 && limit < Double.POSITIVE_INFINITY;
        return known ? targetPoints * (capacity / limit) : targetPoints;
    }
}
