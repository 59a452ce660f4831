package io.avgshedder.core;

/** One bundle that leaves its source for its target. All three are names. */
public record Transfer(String bundle, String source, String target) {
}
