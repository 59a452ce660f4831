package io.avgshedder.tool;

import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Round;

/** How rounds and placements are shown. */
interface RoundOutput {

    /** A round; a transfer's target is the answer of the placement, its source or {@code null} where it stays. */
    void round(Round round);

    /**
     * An answer of {@code selectBroker}.
     *
     * @param broker {@code null} where there was none
     * @param reason {@code null} where the strategy does not tell
     */
    void placed(long time, String bundle, String broker, PlacementReason reason);

    /** The end of the input. */
    void end();
}
