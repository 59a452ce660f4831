package io.avgshedder.tool;

import io.avgshedder.core.Placed;
import io.avgshedder.core.Round;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.telemetry.PlacementListeners;
import io.avgshedder.telemetry.RoundListeners;

/**
 * The plugin as this process drives it: its clock is replaced, and what it says of its last round and of its last
 * placement is kept. Closing it gives the clock back.
 */
final class Observed implements AutoCloseable {

    private final TimeSource before;
    private final RoundListeners.Subscription rounds;
    private final RoundListeners.Subscription placements;
    private Round round;
    private Placed placed;

    Observed(TimeSource clock) {
        before = PluginClock.use(clock);
        rounds = RoundListeners.subscribe(seen -> round = seen);
        placements = PlacementListeners.subscribe(seen -> placed = seen);
    }

    /** The round since the last call; {@code null} where the plugin published none. */
    Round takeRound() {
        Round taken = round;
        round = null;
        return taken;
    }

    /** The last placement since the last call; {@code null} where there was none. */
    Placed takePlaced() {
        Placed taken = placed;
        placed = null;
        return taken;
    }

    @Override
    public void close() {
        rounds.close();
        placements.close();
        PluginClock.use(before);
    }
}
