package io.avgshedder.telemetry;

import io.avgshedder.core.BudgetUse;
import io.avgshedder.core.Placement;
import java.util.List;
import java.util.function.Function;

/** One load manager's plugin over JMX. */
final class ManagedState implements AvgShedderMXBean {

    private final StateTelemetry state;

    ManagedState(StateTelemetry state) {
        this.state = state;
    }

    @Override
    public boolean isLeader() {
        return state.isLeading();
    }

    @Override
    public String[] getSettings() {
        return lines(state.watched().settings(), Function.identity());
    }

    @Override
    public String[] getRounds() {
        return lines(state.recentRounds(), Function.identity());
    }

    @Override
    public String[] getShedTargets() {
        long now = state.watched().now();
        return lines(state.watched().liveTargets(), (Placement.LiveTarget target) -> target.bundle() + " from "
                + target.source() + " to " + target.target() + ", for " + seconds(now - target.since()));
    }

    @Override
    public String[] getBudget() {
        return lines(state.watched().budget(), (BudgetUse use) -> use.scope().label() + " " + use.limit()
                + (use.name().isEmpty() ? "" : " of " + use.name()) + ": " + use.used() + " used");
    }

    @Override
    public String[] getRefusals() {
        long now = state.watched().now();
        return lines(state.watched().refusals(), (Placement.LearntRefusal refusal) -> refusal.target() + " takes nothing"
                + (refusal.namespace() == null ? "" : " of " + refusal.namespace()) + ", for another "
                + seconds(refusal.until() - now));
    }

    @Override
    public int getShedTargetCount() {
        return state.watched().liveTargets().size();
    }

    @Override
    public int getRefusalCount() {
        return state.watched().refusals().size();
    }

    @Override
    public int getInFlightCount() {
        return state.watched().inFlight();
    }

    private static <E> String[] lines(List<E> all, Function<E, String> text) {
        return all.stream().map(text).toArray(String[]::new);
    }

    private static String seconds(long millis) {
        return Math.max(0, (millis + 500) / 1000) + " s";
    }
}
