package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What holds transfers back while brokers come and go. A is the hot broker, B the cold one. */
class QuietPeriodCasesTest {

    private static final String LEVEL = "A 55 20000 {20x1000}, B 50 2000, C 52 10000, D 52 10000, E 52 10000, F 52 10000";

    private final Rounds rounds = Rounds.of(LEVEL);

    /** Round n is the first that misses the broker, round n + 1 the one that sees it again. */
    private void restart(String broker) {
        Cluster.Broker gone = rounds.cluster.leave(broker);
        rounds.next();
        rounds.cluster.put(gone);
        gone.restart(rounds.now);
        rounds.next();
    }

    private void unbalance(double hot) {
        rounds.cluster.score("A", hot);
        rounds.cluster.score("B", 30);
    }

    @Test
    void aRollingRestartHoldsUntilTenMinutesAfterTheLastReturn() {
        rounds.run(3);
        restart("C");
        rounds.run(3);
        restart("D");
        unbalance(80);
        assertThat(rounds.run(4)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: 2 brokers returned "
                + "in the last 9 min, rolling restart assumed, nothing moves for another 6 min");

        restart("E");
        assertThat(rounds.run(10)).as("ten minutes after round 16").isEqualTo("26: 9 A>B");
    }

    @Test
    void oneReturnHoldsNothingBut() {
        rounds.run(3);
        restart("C");
        unbalance(80);

        assertThat(rounds.run(2)).isEqualTo("7: 9 A>B");
    }

    @Test
    void anOverloadedDonorIsExempt() {
        rounds.run(3);
        restart("C");
        rounds.run(3);
        restart("D");
        unbalance(86);

        assertThat(rounds.run(2)).isEqualTo("12: 9 A>B");
    }

    @Test
    void aDonorAtTheOverloadThresholdIsNotExempt() {
        rounds.run(3);
        restart("C");
        rounds.run(3);
        restart("D");
        unbalance(85);

        assertThat(rounds.run(2)).isEqualTo("nothing");
        assertThat(rounds.reason("A")).isEqualTo(Reason.QUIET_PERIOD);
    }

    @Test
    void newBrokersHoldTheirFirstRoundOnly() {
        Rounds growing = Rounds.of("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}");
        assertThat(growing.run(20)).isEqualTo("nothing");
        growing.cluster.join("V 0 0, W 0 0, X 0 0, Y 0 0, Z 0 0");

        assertThat(growing.run(2)).isEqualTo("22: 10 A>X, 10 B>W, 10 C>V");
    }

    @Test
    void aNewBrokerHoldsPairsThatWereReady() {
        rounds.run(3);
        unbalance(80);
        rounds.run(1);
        rounds.cluster.join("Z 52 10000");

        assertThat(rounds.run(1)).isEqualTo("nothing");
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: "
                + "new in this round: Z, nothing moves before the next round");
        assertThat(rounds.run(1)).isEqualTo("6: 9 A>B");
    }

    @Test
    void aBrokerThatCrashesAgainAndAgainIsOnlyLeftOutItself() {
        rounds.run(3);
        restart("C");
        restart("C");
        restart("C");
        unbalance(80);

        assertThat(rounds.run(2)).isEqualTo("11: 9 A>B");
        assertThat(rounds.verdict("C").sentence())
                .isEqualTo("C: returned again and again: takes no part until it has stayed for 10 min");
    }

    @Test
    void aRestartBetweenTwoRoundsIsSeenByItsStartTime() {
        rounds.run(3);
        rounds.cluster.broker("C").restart(rounds.now);
        rounds.run(4);
        rounds.cluster.broker("D").restart(rounds.now);
        rounds.run(1);
        unbalance(80);

        assertThat(rounds.run(10)).as("ten minutes after round 8").isEqualTo("18: 9 A>B");
    }

    @Test
    void aNewLeaderSeesRecentStarts() {
        unbalance(80);
        rounds.cluster.broker("C").restart(rounds.now - 8 * Rounds.MINUTE);
        rounds.cluster.broker("D").restart(rounds.now - 3 * Rounds.MINUTE);

        assertThat(rounds.run(7)).as("ten minutes after D's start").isEqualTo("7: 9 A>B");
    }

    @Test
    void aClusterThatWasStartedIsNotARollingRestart() {
        unbalance(80);
        rounds.cluster.brokers().forEach(broker -> broker.restart(rounds.now));

        assertThat(rounds.run(2)).isEqualTo("2: 9 A>B");
    }

    @Test
    void theQuietPeriodCanBeSwitchedOff() {
        rounds.with(Settings.builder().quietPeriod(false)).run(3);
        restart("C");
        restart("D");
        unbalance(80);

        assertThat(rounds.run(2)).isEqualTo("9: 9 A>B");
    }
}
