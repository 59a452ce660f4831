package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WayBackTest {

    private final WayBack wayBack = new WayBack();

    @Test
    void theWayBackIsClosedUntilItsInstantAndEveryOtherIsOpen() {
        wayBack.close("t/n/x", "A", 100);

        assertThat(wayBack.isClosed("t/n/x", "A", 99)).isTrue();
        assertThat(wayBack.isClosed("t/n/x", "A", 100)).isFalse();
        assertThat(wayBack.isClosed("t/n/x", "C", 99)).isFalse();
        assertThat(wayBack.isClosed("t/n/y", "A", 99)).isFalse();
    }

    @Test
    void aBundleMayHaveLeftSeveralBrokers() {
        wayBack.close("t/n/x", "A", 100);
        wayBack.close("t/n/x", "B", 200);

        assertThat(wayBack.isClosed("t/n/x", "A", 50)).isTrue();
        assertThat(wayBack.isClosed("t/n/x", "B", 50)).isTrue();
    }

    @Test
    void theLatestUnloadCounts() {
        wayBack.close("t/n/x", "A", 100);
        wayBack.close("t/n/x", "A", 200);

        assertThat(wayBack.isClosed("t/n/x", "A", 150)).isTrue();
    }

    @Test
    void whatIsOpenAgainIsForgotten() {
        wayBack.close("t/n/x", "A", 100);
        wayBack.close("t/n/y", "A", 200);
        wayBack.expire(100);
        assertThat(wayBack.isEmpty()).isFalse();
        wayBack.expire(200);
        assertThat(wayBack.isEmpty()).isTrue();
    }

    @Test
    void aClockNearItsEndTurnsNothingRound() {
        wayBack.close("t/n/x", "A", Long.MIN_VALUE + 10);

        assertThat(wayBack.isClosed("t/n/x", "A", Long.MAX_VALUE)).isTrue();
        assertThat(wayBack.isClosed("t/n/x", "A", Long.MIN_VALUE + 11)).isFalse();
    }

    /** A gives x to B and, 40 minutes later, is the cold one: z, of the same size, goes there in place of x. */
    @Test
    void anotherBundleOfTheSameSizeGoesInItsPlace() {
        Rounds rounds = Rounds.of("A 90 18000 {x:8000, a:10000}, B 10 2000 {y:2000}");
        assertThat(rounds.run(2)).isEqualTo("2: 1 A>B");
        assertThat(rounds.bundles()).containsExactly("x");
        Cluster.Broker a = rounds.cluster.broker("A");
        Cluster.Broker b = rounds.cluster.broker("B");
        a.bundles.remove("t/n/x");
        b.bundles.put("t/n/x", 8_000.0);
        a.score = 65;
        b.score = 50;
        rounds.run(40);

        b.bundles.put("t/n/z", 8_000.0);
        b.score = 84;
        b.rate = 18_000;
        a.bundles.put("t/n/a", 2_000.0);
        a.score = 10;
        a.rate = 2_000;
        rounds.run(2);

        assertThat(rounds.bundles()).containsExactly("z");
    }

    /** A gives x to B. 40 minutes later B is the hot one, and x is the only bundle that would level the two. */
    private static Rounds xWouldGoBack(double between, double hot) {
        Rounds rounds = Rounds.of("A 90 18000 {x:8000, a:10000}, B 10 2000 {y:2000}");
        assertThat(rounds.run(2)).isEqualTo("2: 1 A>B");
        Cluster.Broker a = rounds.cluster.broker("A");
        Cluster.Broker b = rounds.cluster.broker("B");
        b.bundles.put("t/n/x", a.bundles.remove("t/n/x"));
        b.bundles.put("t/n/y", 10_000.0);
        a.score = between;
        b.score = 50;
        rounds.run(40);
        b.score = hot;
        b.rate = 18_000;
        a.bundles.put("t/n/a", 2_000.0);
        a.score = 10;
        a.rate = 2_000;
        rounds.run(2);
        return rounds;
    }

    @Test
    void theSentenceTellsWhereItMayNotGo() {
        Rounds rounds = xWouldGoBack(65, 84);

        assertThat(rounds.last().transfers()).isEmpty();
        assertThat(rounds.verdict("B").sentence()).isEqualTo("B: cpu gap 74.0 to A: what would bring the two nearer was "
                + "shed by A within two grace periods, and does not go back");
    }

    /** Of a broker above the threshold of 85 it is not asked where a bundle came from; 85 is not above. */
    @Test
    void anOverloadedBrokerShedsBackToo() {
        assertThat(xWouldGoBack(65, 85).last().transfers()).isEmpty();
        assertThat(xWouldGoBack(65, 85.1).bundles()).containsExactly("x");
    }

    @Test
    void afterAGracePeriodInWhichAllIsLevelEveryWayIsOpen() {
        assertThat(xWouldGoBack(60, 84).bundles()).containsExactly("x");
    }

    /** All that B has came from A; C is as good a receiver. */
    @Test
    void whereTheWayBackIsClosedTheNextColdBrokerTakesItsPlace() {
        Rounds rounds = Rounds.of("A 84 18000 {18x1000}, B 10 2000, C 50 10000 {10x1000}").moving();
        rounds.run(2);
        Cluster.Broker a = rounds.cluster.broker("A");
        Cluster.Broker b = rounds.cluster.broker("B");
        Cluster.Broker c = rounds.cluster.broker("C");
        rounds.run(28);
        a.score = 5;
        b.score = 84;
        c.score = 10;

        assertThat(rounds.run(4)).contains("B>C").doesNotContain("B>A");
    }
}
