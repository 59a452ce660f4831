package io.avgshedder.core;

/** Why a bundle was placed where it was. */
public enum PlacementReason {
    /** The bundle has a shed target, and that broker can take it. */
    PLANNED,
    /** The broker has the lowest predicted score. */
    PREDICTED,
    /** The broker was drawn. */
    RANDOM,
    /** The bundle's planned target cannot be had, and nobody else would end below its source. */
    STAYED
}
