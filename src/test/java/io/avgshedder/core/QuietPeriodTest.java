package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.QuietPeriod.State.Newcomers;
import io.avgshedder.core.QuietPeriod.State.Open;
import io.avgshedder.core.QuietPeriod.State.RollingRestart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Times are in minutes. A broker is a name, or a name with its start time. */
class QuietPeriodTest {

    private static final long MINUTE = Rounds.MINUTE;

    private final QuietPeriod quietPeriod = new QuietPeriod();

    private QuietPeriod.State observe(long minute, String... brokers) {
        List<BrokerLoad> loads = new ArrayList<>();
        for (String broker : brokers) {
            String[] parts = broker.split("@");
            loads.add(BrokerLoad.named(parts[0]).started(parts.length == 1 ? 0 : Long.parseLong(parts[1]), -1).build());
        }
        quietPeriod.observe(ClusterSnapshot.of(loads), minute * MINUTE);
        return quietPeriod.state();
    }

    private static RollingRestart restart(int returned, long since, long until) {
        return new RollingRestart(returned, since * MINUTE, until * MINUTE);
    }

    @Test
    void theBrokersOfTheFirstRoundAreNotNew() {
        assertThat(observe(1, "A", "B")).isEqualTo(new Open());
    }

    @Test
    void aNewcomerCostsOneRound() {
        observe(1, "A", "B");

        assertThat(observe(2, "A", "B", "C", "D")).isEqualTo(new Newcomers(Set.of("C", "D")));
        assertThat(observe(3, "A", "B", "C", "D")).isEqualTo(new Open());
    }

    @Test
    void oneReturnIsLikeANewcomer() {
        observe(1, "A", "B");
        observe(2, "A");

        assertThat(observe(3, "A", "B")).isEqualTo(new Newcomers(Set.of("B")));
        assertThat(observe(4, "A", "B")).isEqualTo(new Open());
    }

    @Test
    void theSecondReturnOfAnotherBrokerIsARollingRestart() {
        observe(1, "A", "B", "C");
        observe(2, "A", "C");
        observe(3, "A", "B", "C");
        observe(7, "A", "B");

        assertThat(observe(8, "A", "B", "C")).isEqualTo(restart(2, 3, 18));
        assertThat(observe(17, "A", "B", "C")).isEqualTo(restart(2, 3, 18));
        assertThat(observe(18, "A", "B", "C")).isEqualTo(new Open());
    }

    @Test
    void afterAHoldOneMoreReturnIsTheFirstAgain() {
        observe(1, "A", "B", "C");
        observe(2, "A");
        assertThat(observe(3, "A", "B", "C")).isEqualTo(restart(2, 3, 13));
        observe(13, "A", "B", "C");
        observe(14, "A", "B");

        assertThat(observe(15, "A", "B", "C")).isEqualTo(new Newcomers(Set.of("C")));
        assertThat(observe(16, "A", "B", "C")).isEqualTo(new Open());
    }

    @Test
    void whoComesBackAfterFifteenMinutesIsNew() {
        observe(1, "A", "B", "C");
        observe(2, "A");
        observe(18, "A", "B", "C");

        assertThat(observe(19, "A", "B", "C")).isEqualTo(new Open());
    }

    @Test
    void whoComesBackWithinFifteenMinutesReturns() {
        observe(1, "A", "B", "C");
        observe(2, "A");

        assertThat(observe(17, "A", "B", "C")).isEqualTo(restart(2, 17, 27));
    }

    @Test
    void aReturnIsRememberedForFifteenMinutes() {
        observe(1, "A", "B", "C");
        observe(2, "A");
        observe(3, "A", "B");
        observe(14, "A", "B");

        assertThat(observe(17, "A", "B", "C")).as("B's was at minute 3").isEqualTo(restart(2, 3, 27));
    }

    @Test
    void aReturnIsForgottenAfterFifteenMinutes() {
        observe(1, "A", "B", "C");
        observe(2, "A", "C");
        observe(3, "A", "B", "C");
        observe(17, "A", "B");
        assertThat(observe(18, "A", "B", "C")).as("15 minutes after B's").isEqualTo(restart(2, 3, 28));

        QuietPeriodTest later = new QuietPeriodTest();
        later.observe(1, "A", "B", "C");
        later.observe(2, "A", "C");
        later.observe(3, "A", "B", "C");
        later.observe(18, "A", "B");
        assertThat(later.observe(19, "A", "B", "C")).isEqualTo(new Newcomers(Set.of("C")));
    }

    @Test
    void aReturnAtTheEndOfAHoldIsTheFirstAgain() {
        observe(1, "A", "B", "C");
        observe(2, "C");
        assertThat(observe(3, "A", "B", "C")).isEqualTo(restart(2, 3, 13));
        observe(12, "A", "B");

        assertThat(observe(13, "A", "B", "C")).isEqualTo(new Newcomers(Set.of("C")));
    }

    @Test
    void twoReturnsFarApartAreNoRollingRestart() {
        observe(1, "A", "B", "C");
        observe(2, "A", "B");
        observe(3, "A", "B", "C");
        observe(20, "A", "C");

        assertThat(observe(21, "A", "B", "C")).isEqualTo(new Newcomers(Set.of("B")));
    }

    @Test
    void aChangedStartTimeIsAReturn() {
        observe(1, "A@5", "B@5", "C@5");
        assertThat(observe(2, "A@5", "B@90", "C@5")).isEqualTo(new Newcomers(Set.of("B")));

        assertThat(observe(3, "A@5", "B@90", "C@91")).isEqualTo(restart(2, 2, 13));
    }

    @Test
    void anUnknownStartTimeIsNone() {
        observe(1, "A", "B@5");

        assertThat(observe(2, "A@9", "B")).isEqualTo(new Open());
    }

    @Test
    void whoReturnsTwiceIsLeftOutForAHold() {
        observe(1, "A", "B");
        observe(2, "A");
        observe(3, "A", "B");
        observe(4, "A");
        assertThat(quietPeriod.leavesOut("B")).isFalse();

        assertThat(observe(5, "A", "B")).isEqualTo(new Open());
        assertThat(quietPeriod.leavesOut("B")).isTrue();
        assertThat(quietPeriod.leavesOut("A")).isFalse();
        observe(14, "A", "B");
        assertThat(quietPeriod.leavesOut("B")).isTrue();
        observe(15, "A", "B");
        assertThat(quietPeriod.leavesOut("B")).isFalse();
    }

    @Test
    void aBrokerWithoutAReportIsThere() {
        observe(1, "A", "B");
        quietPeriod.observe(new ClusterSnapshot(List.of(Cluster.report("A 1 1")), Set.of("B"), Map.of()), 2 * MINUTE);

        assertThat(observe(3, "A", "B")).isEqualTo(new Open());
    }

    /** A broker that started in this minute by its own clock, and was up for so long when it last wrote a report. */
    private static BrokerLoad reported(String name, long start, long up) {
        return BrokerLoad.named(name).started(start * MINUTE, up * MINUTE).build();
    }

    private QuietPeriod.State observe(long minute, BrokerLoad... brokers) {
        quietPeriod.observe(ClusterSnapshot.of(List.of(brokers)), minute * MINUTE);
        return quietPeriod.state();
    }

    /** An idle broker writes no report for a quarter of an hour: its last one is from its start. */
    @Test
    void aClusterThatWasStartedIsOneToANewLeaderToo() {
        assertThat(observe(100, reported("A", 95, 5), reported("B", 96, 0), reported("C", 95, 4))).isEqualTo(new Open());
    }

    @Test
    void brokersThatStartedOneAfterAnotherAreARollingRestartToANewLeader() {
        assertThat(observe(100, reported("A", 92, 8), reported("B", 95, 5), reported("C", 98, 2)))
                .isEqualTo(restart(3, 92, 108));
    }

    @Test
    void brokersThatStartedWithinTwoMinutesStartedTogether() {
        assertThat(observe(100, reported("A", 93, 7), reported("B", 95, 5))).isEqualTo(new Open());
    }

    @Test
    void whoHasBeenUpForTenMinutesHasNotReturned() {
        assertThat(observe(100, reported("A", 90, 10), reported("B", 90, 10), reported("C", 10, 90)))
                .isEqualTo(new Open());
    }

    @Test
    void clocksThatAreWrongHideNoClusterThatWasStarted() {
        assertThat(observe(100, reported("A", 7_000, 5), reported("B", 96, 4))).isEqualTo(new Open());
    }
}
