package io.avgshedder.telemetry;

import io.avgshedder.core.BudgetUse;
import io.avgshedder.core.Placement;
import java.util.List;

/**
 * One load manager's plugin, as those see it who watch from outside. Answers at any time and to any thread, and never
 * waits for a round. Must not refer to the load manager's data, which would then live as long as whoever watches.
 */
public interface Watched {

    /** Now, in milliseconds of the plugin's clock. */
    long now();

    /** Every effective setting with its origin, such as {@code loadBalancerAvgShedderPlan=pairs (default)}. */
    List<String> settings();

    /** The shed targets that are alive, in the order of planning. */
    List<Placement.LiveTarget> liveTargets();

    /** The refusals that were learnt and still count. */
    List<Placement.LearntRefusal> refusals();

    /** How many bundles are on their way. */
    int inFlight();

    /** What is used of the unload budget. */
    List<BudgetUse> budget();
}
