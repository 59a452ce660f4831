package io.avgshedder.core;

/** What a round says of a pair, or of a broker that has no place in one. The list is closed: traces name these. */
public enum Reason {
    /** At least one bundle was given a target. */
    MOVED,
    /** The gap is below the low threshold. */
    BELOW_THRESHOLD,
    /** The gap is large enough, but not yet for enough rounds in a row. */
    COUNTING,
    /** One of the two gave or took a bundle whose effect its report cannot show yet. */
    SETTLING,
    /** Usage and traffic contradict each other, and the reports are too old to believe the usage. */
    WAITING_FOR_REPORTS,
    /** The broker's report has not changed for longer than a healthy broker waits. */
    STALE_REPORT,
    /** The broker has no report, or none with a known metric. */
    NO_LOAD_DATA,
    /** Nothing in the cluster carries traffic of the kind that decides. */
    NO_TRAFFIC,
    /** Every bundle with traffic is the only one, excluded, resting, or dust. */
    NOTHING_MOVABLE,
    /** No bundle or set of bundles would bring the two nearer. */
    NOTHING_FITS,
    /** The bundles' figures add up to less than a tenth of their broker's. */
    BUNDLE_STATS_UNRELIABLE,
    /** The candidate filters are known to refuse every colder broker to these bundles. */
    REFUSED,
    /** The transfers that would help have failed repeatedly. */
    BACKED_OFF,
    /** The operator holds transfers until an instant. */
    HOLD,
    /** Brokers have just joined or are being restarted one after another. */
    QUIET_PERIOD,
    /** The round's share of bundles went to more urgent pairs. */
    ROUND_CAP,
    /** The unload budget is spent. */
    BUDGET,
    /** A rule for the namespace holds its bundles back. */
    NAMESPACE_RULE,
    /** The round would have moved these bundles. */
    DRY_RUN
}
