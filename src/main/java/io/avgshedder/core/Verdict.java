package io.avgshedder.core;

import java.util.Objects;

/**
 * What one round says of one pair.
 *
 * @param reason   the rule that decided
 * @param hot      the pair's hot broker, or the broker that has no place in a pair
 * @param cold     the pair's cold broker; {@code null} for a broker that takes no part or no hot place
 * @param gap      hot score minus cold score in points, load on its way to the cold one included; NaN without a pair
 * @param hitsLow  rounds in a row at or above the low threshold, as counted in this round, before they are spent
 * @param hitsHigh the same for the high threshold
 * @param sentence the verdict in one sentence that a person can read
 */
public record Verdict(Reason reason, String hot, String cold, double gap, int hitsLow, int hitsHigh, String sentence) {

    public Verdict {
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(hot, "hot");
        Objects.requireNonNull(sentence, "sentence");
    }
}
