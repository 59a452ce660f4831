package io.avgshedder.sim;

import java.util.function.ToDoubleFunction;

/** What a run is measured by, on the hidden truth. Less is better in all of them. */
public enum Measure {
    /** Minutes until the true spread stays within the low threshold; infinite where it never does. */
    MINUTES_TO_LEVEL("minutesToLevel", run -> run.minutesToLevel() == null ? Double.POSITIVE_INFINITY
            : run.minutesToLevel()),
    /** Rounds that unloaded something. */
    SHEDDING_ROUNDS("sheddingRounds", Run::sheddingRounds),
    /** Bundles that were unloaded. */
    UNLOADS("unloads", Run::unloads),
    /** Bytes per second of the bundles that were unloaded. */
    DISTURBED("disturbedBytesPerSecond", Run::disturbedBytesPerSecond),
    /** Moves that left the receiver hotter than the donor had been, or turned the two round. */
    HARMFUL_MOVES("harmfulMoves", Run::harmfulMoves),
    /** Bundles shed back to a broker that they had just been shed from. */
    RETURNS("returns", Run::returns),
    /** Unloads divided by the fewest that reach the same; infinite where none were needed. */
    REGRET("regret", Run::regret),
    /** Points between the hottest and the coolest broker at the end. */
    FINAL_SPREAD("finalSpread", Run::finalSpread);

    private final String key;
    private final ToDoubleFunction<Run> value;

    Measure(String key, ToDoubleFunction<Run> value) {
        this.key = key;
        this.value = value;
    }

    /** The name in JSON. */
    public String key() {
        return key;
    }

    /** The value for one run. */
    public double of(Run run) {
        return value.applyAsDouble(run);
    }
}
