package io.avgshedder.telemetry;

/**
 * What one load manager's plugin knows, under {@code io.avgshedder:type=AvgShedder,name=<n>}. Lists are lines that a
 * person reads. Only the leader takes rounds; on other brokers those lists are empty or old.
 */
public interface AvgShedderMXBean {

    /** Whether this broker has taken a round within the last two and a half shedding intervals. */
    boolean isLeader();

    /** Every effective setting with its origin. */
    String[] getSettings();

    /** The last rounds, the newest first: a line for each, then one for each of its verdicts, indented. */
    String[] getRounds();

    /** The shed targets that are alive: bundle, source, target, and for how long. */
    String[] getShedTargets();

    /** What is used of the unload budget. */
    String[] getBudget();

    /** Which targets the load manager's filters are known to refuse to which namespaces, and for how long. */
    String[] getRefusals();

    int getShedTargetCount();

    int getRefusalCount();

    /** Bundles that were placed and do not show in their broker's report yet. */
    int getInFlightCount();
}
