package io.avgshedder.core;

/** How a bundle without a live shed target is placed. */
public enum PlacementMode {
    /** On the candidate with the lowest predicted score. */
    PREDICTED,
    /** On any candidate with equal chances, as PIP-217 describes it. */
    RANDOM
}
