package io.avgshedder.core;

/**
 * The target remembered for one bundle from the plan until its placement is proved.
 *
 * <p>Reading it does not consume it: the load manager asks twice for one move, and brokers before 3.0.2 ask again at
 * the lookup. It lives while its round's unloads run, and then until the target's report, rewritten since, lists the
 * bundle, or for five minutes. That neither broker lists the bundle for a minute is normal.
 */
final class ShedTarget {

    /** How long a target lives after its round's unloads. */
    static final long LIFE_MILLIS = 5 * 60_000;
    /** How long it waits for the round after its own, which comes late where unloads hang, or never to a former leader. */
    static final long UNRESOLVED_LIFE_MILLIS = 30 * 60_000;

    private final PlannedTransfer planned;
    private final long planTime;
    private final long sourceReport;
    private final Long unloadedBefore;
    private String target;
    private PlacementReason reason = PlacementReason.PLANNED;
    private long targetReport;
    private boolean asked;
    private long firstAskedAt;
    private long askedAt;
    private boolean happened;
    private long resolvedAt;
    private long unloadedAt;

    ShedTarget(PlannedTransfer planned, long planTime, long sourceReport, long targetReport, Long unloadedBefore) {
        this.planned = planned;
        this.planTime = planTime;
        this.sourceReport = sourceReport;
        this.targetReport = targetReport;
        this.unloadedBefore = unloadedBefore;
        this.target = planned.transfer().target();
    }

    PlannedTransfer planned() {
        return planned;
    }

    String bundle() {
        return planned.transfer().bundle();
    }

    String source() {
        return planned.transfer().source();
    }

    /** Where the bundle goes: the planned target, or what was answered in its place; {@code null} after a refusal. */
    String target() {
        return target;
    }

    PlacementReason reason() {
        return reason;
    }

    long planTime() {
        return planTime;
    }

    /** The planned target cannot be had. */
    void refuse() {
        target = null;
    }

    /** An answer was given; it is given again as long as it can be. */
    void answer(String broker, PlacementReason reason, long report, long now) {
        if (!broker.equals(target)) {
            target = broker;
            targetReport = report;
            this.reason = reason;
        }
        firstAskedAt = asked ? firstAskedAt : now;
        asked = true;
        askedAt = now;
    }

    /**
     * Decides, once the round's unloads are over, whether the transfer happened: the manager noted an unload since the
     * plan, or first asked so long ago that it would have forgotten the unload again. Later questions, of lookups, do not
     * count: they follow the unload, and with a grace period of one interval it is forgotten before they are that old.
     *
     * <p>Of a source that died in between the manager notes no unload, and yet the bundle has left it: whoever asks for
     * it is sent to the broker that was answered.
     *
     * @param unloaded   when the manager unloaded the bundle; {@code null} where it does not know of it
     * @param sourceLeft the source is no longer there
     */
    boolean resolve(Long unloaded, boolean sourceLeft, Settings settings, long now) {
        if (unloaded != null && !unloaded.equals(unloadedBefore)) {
            happened = true;
            resolvedAt = now;
            unloadedAt = unloaded;
        } else if (asked && target != null && !target.equals(source())
                && (sourceLeft || now - firstAskedAt >= settings.gracePeriodMillis())) {
            happened = true;
            resolvedAt = now;
            unloadedAt = askedAt;
        }
        return happened;
    }

    long unloadedAt() {
        return unloadedAt;
    }

    boolean hasHappened() {
        return happened;
    }

    /** Whether the target still stands, for a broker that sees no more rounds too. */
    boolean isAlive(long now) {
        return happened ? now - resolvedAt < LIFE_MILLIS
                : now - (asked ? askedAt : planTime) < UNRESOLVED_LIFE_MILLIS;
    }

    /** Whether the target's report, rewritten since, lists the bundle. */
    boolean isProved(BrokerLoad targetLoad) {
        return targetLoad != null && targetLoad.reportTime() != targetReport
                && targetLoad.bundles().contains(bundle());
    }

    /** Whether the source, rewritten since the plan, still lists the bundle: nothing came of an unload. */
    boolean isStillAt(BrokerLoad sourceLoad) {
        return sourceLoad != null && sourceLoad.reportTime() != sourceReport
                && sourceLoad.bundles().contains(bundle());
    }
}
