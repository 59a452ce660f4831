package io.avgshedder.core;

/** How pairs that fire are served. */
public enum PlanMode {
    /** Each pair ends level, as PIP-217 has it. */
    PAIRS,
    /** Several donors serve one receiver, and none goes beyond the mean. */
    LEVEL
}
