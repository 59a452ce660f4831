package io.avgshedder.core;

/**
 * A transfer with what it was chosen for.
 *
 * @param transfer     the bundle, its source and target
 * @param load         the bundle's rates at the plan
 * @param metric       the metric that decided
 * @param sourcePoints what the source loses by the pair's forecast, in points
 * @param targetPoints what the target gains
 */
record PlannedTransfer(Transfer transfer, BundleLoad load, Metric metric, double sourcePoints, double targetPoints) {
}
