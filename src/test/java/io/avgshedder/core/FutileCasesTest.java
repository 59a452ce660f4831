package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another process keeps a broker hot, whatever leaves it. */
class FutileCasesTest {

    private static final String HOT_BY_ANOTHER = "A 90 20000 {40x500}, B 30 2000, C 60 5000";

    @ParameterizedTest
    @EnumSource
    void aBrokerWhoseUsageDoesNotFollowItsTrafficIsLeftAlone(PlanMode plan) {
        Rounds rounds = Rounds.of("A 90 20000 {40x500}, B 30 2000").with(Settings.builder().plan(plan)).moving(0);

        rounds.run(8);
        assertThat(rounds.reason("A")).isEqualTo(Reason.BACKED_OFF);
        assertThat(rounds.run(28)).isEqualTo("nothing");
        assertThat(rounds.cluster.broker("A").bundles).hasSizeGreaterThan(10);
    }

    @Test
    void theSentenceTellsWhyAndUntilWhen() {
        Rounds rounds = Rounds.of(HOT_BY_ANOTHER).moving(0);

        assertThat(rounds.run(7)).isEqualTo("2: 18 A>B; 5: 11 A>B");
        assertThat(rounds.verdict("A").cold()).isNull();
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A: cpu gap 60.0 to B: the last 2 transfers took traffic "
                + "away and did not lower its cpu, something else uses it, the next try is in 30 min");
    }

    @Test
    void itsPartnerIsFreeForTheNextHottest() {
        Rounds rounds = Rounds.of("A 90 20000 {40x500}, B 30 2000, C 60 5000 {10x500}").moving(0);
        rounds.run(7);

        assertThat(rounds.verdict("C").cold()).isEqualTo("B");
    }

    @Test
    void theWaitGrowsWithEveryTryThatIsFutileAgain() {
        Rounds rounds = Rounds.of("A 90 20000 {400x50}, B 30 2000").moving(0);
        rounds.run(7);

        assertThat(rounds.run(29)).isEqualTo("nothing");
        assertThat(rounds.run(4)).as("37 ends the wait, hits are counted anew").startsWith("38: ");
        assertThat(rounds.verdict("A").sentence()).endsWith("the next try is in 60 min");
    }

    @Test
    void aBrokerThatWasAwayMayTryAtOnce() {
        Rounds rounds = Rounds.of(HOT_BY_ANOTHER).moving(0);
        rounds.run(7);
        Cluster.Broker away = rounds.cluster.leave("A");
        rounds.run(1);
        rounds.cluster.put(away);

        assertThat(rounds.run(3)).isEqualTo("10: 7 A>B");
    }

    /** The wait would end 30 minutes after minute 7, but for ten of them, the memory, all was level. */
    @Test
    void itIsForgottenAfterAGracePeriodInWhichAllIsLevel() {
        Rounds rounds = Rounds.of("A 90 20000 {40x500}, B 30 2000").moving(0)
                .with(Settings.builder().gracePeriodMillis(10 * Rounds.MINUTE));
        rounds.run(7);
        assertThat(rounds.reason("A")).isEqualTo(Reason.BACKED_OFF);
        rounds.cluster.score("A", 40);
        rounds.run(11);
        rounds.cluster.score("A", 90);
        rounds.run(1);

        assertThat(rounds.reason("A")).isEqualTo(Reason.COUNTING);
    }

    @Test
    void whoFollowsIsNeverHeldBack() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 10 2000").moving();

        assertThat(rounds.run(10)).isEqualTo("2: 8 A>B");
        rounds.cluster.score("A", 95);
        assertThat(rounds.run(2)).as("hot again, and as free to give as before").isEqualTo("12: 3 A>B");
    }

    @Test
    void aDryRunTriesNothing() {
        Rounds rounds = Rounds.of(HOT_BY_ANOTHER).with(Settings.builder().dryRun(true));

        for (int i = 0; i < 20; i++) {
            rounds.now += Rounds.MINUTE;
            rounds.cluster.write(rounds.now);
            Round round = rounds.shedder.round(rounds.cluster.snapshot(rounds.unloaded), rounds.settings(), rounds.now);
            assertThat(round.verdicts().get(0).reason()).isEqualTo(i == 0 ? Reason.COUNTING : Reason.DRY_RUN);
        }
    }
}
