package io.avgshedder.core;

/** An answer to the question where a bundle goes. */
public record Placed(String broker, PlacementReason reason) {
}
