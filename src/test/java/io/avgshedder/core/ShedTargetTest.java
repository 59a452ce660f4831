package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** x was planned from A to B at 1,000 s, when B's report was number 7 and A's number 3. */
class ShedTargetTest {

    private static final long PLAN = 1_000_000;
    private static final long MINUTE = Rounds.MINUTE;
    private static final Settings SETTINGS = Settings.defaults();

    private final ShedTarget target = target(null);

    private static ShedTarget target(Long unloadedBefore) {
        return new ShedTarget(new PlannedTransfer(new Transfer("t/n/x", "A", "B"), Cluster.load("x", 1000), Metric.CPU,
                4, 80, 4, 100), PLAN, 3, 7, unloadedBefore);
    }

    private static BrokerLoad broker(String name, long report, String... bundles) {
        return BrokerLoad.named(name).reportTime(report).bundles(bundles.length, BundleReport.of(
                java.util.Arrays.stream(bundles).map(bundle -> Cluster.load(bundle, 1)).toList())).build();
    }

    @Test
    void anUnloadSinceThePlanMakesItHappen() {
        assertThat(target.resolve(PLAN + 5, false, SETTINGS, PLAN + MINUTE)).isTrue();
        assertThat(target.unloadedAt()).isEqualTo(PLAN + 5);
    }

    @Test
    void withoutAnUnloadItDidNotHappen() {
        assertThat(target.resolve(null, false, SETTINGS, PLAN + MINUTE)).isFalse();
        assertThat(target(9L).resolve(9L, false, SETTINGS, PLAN + MINUTE)).as("an unload before the plan").isFalse();
    }

    @Test
    void withoutAGracePeriodAQuestionMakesItHappen() {
        Settings noGrace = Settings.builder().gracePeriodMillis(0).build();
        assertThat(target(null).resolve(null, false, noGrace, PLAN + MINUTE)).isFalse();

        target.answer("B", PlacementReason.PLANNED, 7, PLAN + 5);
        assertThat(target.resolve(null, false, noGrace, PLAN + MINUTE)).isTrue();
        assertThat(target.unloadedAt()).isEqualTo(PLAN + 5);
    }

    /** The manager forgot the unload of one minute and a second ago; the client's lookup is 59 seconds old. */
    @Test
    void aLaterLookupDoesNotMakeAForgottenUnloadUndone() {
        Settings aMinute = Settings.builder().gracePeriodMillis(MINUTE).build();
        target.answer("B", PlacementReason.PLANNED, 7, PLAN + 100);
        target.answer("B", PlacementReason.PLANNED, 7, PLAN + 2_000);

        assertThat(target.resolve(null, false, aMinute, PLAN + MINUTE + 99)).as("could be known still").isFalse();
        assertThat(target.resolve(null, false, aMinute, PLAN + MINUTE + 100)).isTrue();
        assertThat(target.unloadedAt()).isEqualTo(PLAN + 2_000);
    }

    @Test
    void aSourceThatDiedHasLostTheBundle() {
        assertThat(target.resolve(null, true, SETTINGS, PLAN + MINUTE)).as("nobody asked where it goes").isFalse();

        target.answer("B", PlacementReason.PLANNED, 7, PLAN + 5);
        assertThat(target.resolve(null, false, SETTINGS, PLAN + MINUTE)).isFalse();
        assertThat(target.resolve(null, true, SETTINGS, PLAN + MINUTE)).isTrue();
        assertThat(target.unloadedAt()).isEqualTo(PLAN + 5);
    }

    @Test
    void aBundleThatStayedDidNotHappenWhateverTheGracePeriod() {
        target.answer("A", PlacementReason.STAYED, 3, PLAN + 5);

        assertThat(target.resolve(null, true, SETTINGS, PLAN + MINUTE)).isFalse();
        assertThat(target.resolve(null, false, Settings.builder().gracePeriodMillis(0).build(), PLAN + MINUTE)).isFalse();
    }

    @Test
    void itLivesForFiveMinutesAfterItsRoundsUnloads() {
        target.resolve(PLAN + 5, false, SETTINGS, PLAN + MINUTE);

        assertThat(target.isAlive(PLAN + 6 * MINUTE - 1)).isTrue();
        assertThat(target.isAlive(PLAN + 6 * MINUTE)).isFalse();
    }

    @Test
    void itLivesWhileItsRoundsUnloadsRunButNotForEver() {
        assertThat(target.isAlive(PLAN + 30 * MINUTE - 1)).isTrue();
        assertThat(target.isAlive(PLAN + 30 * MINUTE)).as("a former leader sees no further round").isFalse();

        target.answer("B", PlacementReason.PLANNED, 7, PLAN + 20 * MINUTE);
        assertThat(target.isAlive(PLAN + 50 * MINUTE - 1)).isTrue();
    }

    @Test
    void itIsProvedByTheTargetsNextReport() {
        assertThat(target.isProved(null)).isFalse();
        assertThat(target.isProved(broker("B", 7, "x"))).as("not rewritten since the plan").isFalse();
        assertThat(target.isProved(broker("B", 8, "y"))).isFalse();
        assertThat(target.isProved(broker("B", 8, "x", "y"))).isTrue();
    }

    @Test
    void anotherAnswerIsProvedByThatBrokersReport() {
        target.answer("C", PlacementReason.PREDICTED, 40, PLAN + 5);

        assertThat(target.target()).isEqualTo("C");
        assertThat(target.reason()).isEqualTo(PlacementReason.PREDICTED);
        assertThat(target.isProved(broker("C", 40, "x"))).isFalse();
        assertThat(target.isProved(broker("C", 41, "x"))).isTrue();
    }

    @Test
    void theSourcesNextReportTellsThatNothingCameOfIt() {
        assertThat(target.isStillAt(broker("A", 3, "x"))).isFalse();
        assertThat(target.isStillAt(broker("A", 4, "y"))).isFalse();
        assertThat(target.isStillAt(broker("A", 4, "x"))).isTrue();
    }
}
