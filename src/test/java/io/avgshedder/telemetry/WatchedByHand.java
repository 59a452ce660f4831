package io.avgshedder.telemetry;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.BudgetUse;
import io.avgshedder.core.Metric;
import io.avgshedder.core.Placement;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.UnloadLimits;
import io.avgshedder.core.UnloadScope;
import io.avgshedder.core.Verdict;
import java.util.ArrayList;
import java.util.List;

/** A load manager's plugin whose answers a test sets; one round a minute. */
final class WatchedByHand implements Watched {

    static final long MINUTE = 60_000;
    static final UnloadLimits LIMITS = UnloadLimits.parse("cluster=20/10m, source=5/10m, namespace=2/1h");

    long now = 1_000 * MINUTE;
    List<BudgetUse> budget = List.of();
    private long number;

    @Override
    public long now() {
        return now;
    }

    @Override
    public List<String> settings() {
        return List.of("one=1 (default)", "two=2 (getter)");
    }

    @Override
    public List<Placement.LiveTarget> liveTargets() {
        return List.of(new Placement.LiveTarget("t/n/x", "A", "B", now - 90_000));
    }

    @Override
    public List<Placement.LearntRefusal> refusals() {
        return List.of(new Placement.LearntRefusal(null, "B", now + 1_000),
                new Placement.LearntRefusal("t/n", "C", now + 60_400));
    }

    @Override
    public int inFlight() {
        return 3;
    }

    @Override
    public List<BudgetUse> budget() {
        return budget;
    }

    static BudgetUse use(UnloadScope scope, String name, int used) {
        return new BudgetUse(scope, name, used, LIMITS.of(scope).orElseThrow());
    }

    /** A round now that moves one bundle from A to B; the oldest report was 30 seconds old, and it took 2 ms. */
    RoundReport round(boolean dryRun, Verdict... further) {
        List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(new Verdict(dryRun ? Reason.DRY_RUN : Reason.MOVED, "A", "B", 50, 2, 1, "A -> B: moves"));
        verdicts.addAll(List.of(further));
        Round round = new Round(++number, now, dryRun,
                List.of(new BrokerScore("A", 80, Metric.CPU), new BrokerScore("B", 30.5, Metric.BANDWIDTH_IN)), verdicts,
                List.of(new Transfer("t/n/x", "A", "B")), List.of());
        return new RoundReport(round, LIMITS, MINUTE, 30_000, 2_000_000);
    }

    static Verdict level(String hot, String cold) {
        return new Verdict(Reason.BELOW_THRESHOLD, hot, cold, 4, 0, 0, hot + " -> " + cold + ": level");
    }
}
