package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentTimesTest {

    // ---- the window

    @Test
    void ofFiveInASecondThreePassAndAgainOneSecondLater() {
        RecentTimes times = new RecentTimes(3, 1000);
        for (long second = 0; second < 4; second++) {
            long now = second * 1000;
            assertThat(List.of(times.admit(now), times.admit(now), times.admit(now), times.admit(now),
                    times.admit(now))).as("second %d", second).containsExactly(true, true, true, false, false);
        }
    }

    @Test
    void theEndOfAWindowIsNotTheStartOfAFreshOne() {
        RecentTimes times = new RecentTimes(3, 1000);
        times.admit(0);
        times.admit(900);
        times.admit(900);

        assertThat(times.admit(1000)).as("only the one at 0 has expired").isTrue();
        assertThat(times.admit(1000)).isFalse();
        assertThat(times.admit(1899)).isFalse();
        assertThat(times.admit(1900)).isTrue();
        assertThat(times.admit(1900)).isTrue();
        assertThat(times.admit(1900)).isFalse();
    }

    @Test
    void anInstantExactlyAWindowOldHasExpired() {
        RecentTimes times = new RecentTimes(1, 1000);
        times.admit(5);

        assertThat(times.used(1004)).isEqualTo(1);
        assertThat(times.untilFree(1004)).isEqualTo(1);
        assertThat(times.admit(1004)).isFalse();
        assertThat(times.used(1005)).isZero();
        assertThat(times.untilFree(1005)).isZero();
        assertThat(times.admit(1005)).isTrue();
    }

    @Test
    void whatIsRefusedDoesNotCount() {
        RecentTimes times = new RecentTimes(1, 1000);
        times.admit(0);
        times.admit(999);

        assertThat(times.used(999)).isEqualTo(1);
        assertThat(times.admit(1000)).isTrue();
    }

    @Test
    void countsAndWaitsWithoutEffect() {
        RecentTimes times = new RecentTimes(3, 1000);
        assertThat(times.used(0)).isZero();
        assertThat(times.untilFree(0)).isZero();
        times.admit(0);
        times.admit(10);
        assertThat(times.untilFree(10)).isZero();
        times.admit(30);

        assertThat(times.used(30)).isEqualTo(3);
        assertThat(times.untilFree(30)).isEqualTo(970);
        assertThat(times.used(1009)).isEqualTo(2);
        assertThat(times.used(1010)).isEqualTo(1);
        assertThat(times.used(1030)).isZero();
        assertThat(times.used(30)).as("asking about later has changed nothing").isEqualTo(3);
    }

    @Test
    void theRingGoesRoundManyTimes() {
        RecentTimes times = new RecentTimes(3, 10);
        for (long now = 0; now < 100; now += 4) {
            times.admit(now);
            times.admit(now);
        }
        assertThat(times.used(96)).isEqualTo(3);
        assertThat(times.capacity()).isEqualTo(3);
    }

    // ---- clocks

    @ParameterizedTest(name = "from {0}")
    @ValueSource(longs = {0, 1, -1, -500, -1_000_000, Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE,
            Long.MAX_VALUE - 1, Long.MAX_VALUE - 500, Long.MAX_VALUE - 1000, Long.MAX_VALUE - 1500})
    void aClockMayStartAnywhereAndRunOverItsEnd(long origin) {
        RecentTimes times = new RecentTimes(2, 1000);
        assertThat(times.used(origin)).isZero();
        assertThat(times.admit(origin)).isTrue();
        assertThat(times.admit(origin + 400)).isTrue();

        assertThat(times.admit(origin + 999)).isFalse();
        assertThat(times.used(origin + 999)).isEqualTo(2);
        assertThat(times.untilFree(origin + 600)).isEqualTo(400);
        assertThat(times.used(origin + 1000)).isEqualTo(1);
        assertThat(times.admit(origin + 1000)).isTrue();
        assertThat(times.untilFree(origin + 1000)).isEqualTo(400);
        assertThat(times.admit(origin + 1399)).isFalse();
        assertThat(times.admit(origin + 1400)).isTrue();
        assertThat(times.postpone(origin + 1000, origin + 1500)).isTrue();
        assertThat(times.untilFree(origin + 1500)).isEqualTo(900);
    }

    @Test
    void aClockThatStepsBackStandsStillUntilItHasCaughtUp() {
        RecentTimes times = new RecentTimes(2, 1000);
        times.admit(5000);
        assertThat(times.admit(4000)).as("taken as 5000").isTrue();

        assertThat(times.used(4000)).isEqualTo(2);
        assertThat(times.untilFree(4000)).as("1000 to catch up, 1000 in the window").isEqualTo(2000);
        assertThat(times.admit(4000)).isFalse();
        assertThat(times.used(Long.MIN_VALUE / 4)).isEqualTo(2);
        assertThat(times.admit(5999)).isFalse();
        assertThat(times.admit(6000)).isTrue();
        assertThat(times.admit(6000)).isTrue();
    }

    @Test
    void whatIsAdmittedAfterAStepBackExpiresWithTheNewest() {
        RecentTimes times = new RecentTimes(3, 1000);
        times.admit(5000);
        times.admit(4000);

        assertThat(times.used(5500)).isEqualTo(2);
        assertThat(times.used(5999)).isEqualTo(2);
        assertThat(times.used(6000)).isZero();
        assertThat(times.remove(4000)).isFalse();
    }

    @Test
    void anInstantThatHasExpiredBeforeAStepBackDoesNotReturn() {
        RecentTimes times = new RecentTimes(2, 1000);
        times.admit(0);
        times.admit(1000);

        assertThat(times.used(500)).isEqualTo(1);
        assertThat(times.admit(500)).isTrue();
        assertThat(times.untilFree(500)).isEqualTo(1500);
    }

    // ---- limits

    @Test
    void aLimitOfZeroIsNone() {
        RecentTimes times = new RecentTimes(0, 1000);

        assertThat(times.admit(0)).isFalse();
        assertThat(times.admit(1_000_000)).isFalse();
        assertThat(times.used(0)).isZero();
        assertThat(times.untilFree(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aLimitMayGoToZeroAndComeBack() {
        RecentTimes times = new RecentTimes(2, 1000);
        times.admit(0);
        times.admit(100);
        times.change(0, 1000);
        assertThat(times.admit(5000)).isFalse();
        assertThat(times.used(500)).isEqualTo(2);

        times.change(2, 1000);
        assertThat(times.admit(999)).as("two are in this window, whatever the limit was meanwhile").isFalse();
        assertThat(times.admit(1000)).isTrue();
    }

    @Test
    void aLowerLimitIsDecidedByTheNewestThatFit() {
        RecentTimes times = new RecentTimes(5, 1000);
        List.of(0, 100, 200, 300, 400).forEach(times::admit);
        times.change(2, 1000);

        assertThat(times.used(400)).isEqualTo(5);
        assertThat(times.untilFree(400)).as("300 and 400 fit, and 300 goes first").isEqualTo(900);
        assertThat(times.admit(1299)).isFalse();
        assertThat(times.admit(1300)).isTrue();
        assertThat(times.used(1300)).isEqualTo(2);
        assertThat(times.capacity()).isEqualTo(2);
        assertThat(times.admit(1399)).isFalse();
        assertThat(times.admit(1400)).isTrue();
    }

    @Test
    void aHigherLimitGivesRoomAtOnceAndForgetsNothing() {
        RecentTimes times = new RecentTimes(2, 1000);
        times.admit(0);
        times.admit(100);
        times.admit(1050);
        times.change(3, 1000);

        assertThat(times.used(1050)).isEqualTo(2);
        assertThat(times.admit(1060)).isTrue();
        assertThat(times.admit(1099)).isFalse();
        assertThat(times.untilFree(1099)).isEqualTo(1);
        assertThat(times.admit(1100)).isTrue();
    }

    @Test
    void aLimitThatIsLoweredAndRaisedWithinAWindowStillHolds() {
        RecentTimes times = new RecentTimes(4, 1000);
        List.of(0, 100, 200, 300).forEach(times::admit);
        times.change(1, 1000);
        times.change(4, 1000);

        assertThat(times.admit(999)).isFalse();
        assertThat(times.admit(1000)).isTrue();
        assertThat(times.admit(1000)).isFalse();
    }

    @Test
    void aWindowMayBecomeShorterAndLonger() {
        RecentTimes times = new RecentTimes(2, 1000);
        times.admit(0);
        times.admit(100);
        times.change(2, 150);
        assertThat(times.used(200)).isEqualTo(1);

        times.change(2, 2000);
        assertThat(times.used(1500)).as("both are still in the ring").isEqualTo(2);
        assertThat(times.untilFree(1500)).isEqualTo(500);
        times.change(2, 500);
        assertThat(times.admit(1500)).isTrue();
        assertThat(times.used(1500)).isEqualTo(1);
    }

    @Test
    void limitsAndWindowsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RecentTimes(-1, 1000))
                .withMessage("the limit is -1, but must be 0 to 100000");
        assertThatIllegalArgumentException().isThrownBy(() -> new RecentTimes(100_001, 1000))
                .withMessage("the limit is 100001, but must be 0 to 100000");
        assertThatIllegalArgumentException().isThrownBy(() -> new RecentTimes(1, 0))
                .withMessage("the window is 0 ms, but must be 1 or more");
        RecentTimes times = new RecentTimes(1, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> times.change(100_001, 1));
        assertThat(times.admit(0)).as("as before").isTrue();
        assertThat(times.admit(0)).isFalse();
        assertThat(times.admit(1)).isTrue();
    }

    // ---- memory

    @Test
    void memoryGrowsWithWhatIsUsedUpToTheLimit() {
        RecentTimes times = new RecentTimes(100_000, 1_000_000);
        assertThat(times.capacity()).isZero();
        List<Integer> capacities = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            assertThat(times.admit(i)).isTrue();
            if (capacities.isEmpty() || capacities.get(capacities.size() - 1) != times.capacity()) {
                capacities.add(times.capacity());
            }
        }
        assertThat(capacities).startsWith(8, 16, 32, 64).endsWith(65_536, 100_000).hasSize(15);
        assertThat(times.admit(100_000)).isFalse();
        assertThat(times.used(100_000)).isEqualTo(100_000);
        assertThat(times.untilFree(100_000)).isEqualTo(900_000);
        assertThat(times.used(1_050_000)).isEqualTo(49_999);
    }

    @Test
    void memoryIsGivenBackOnceALowerLimitAdmits() {
        RecentTimes times = new RecentTimes(1000, 1000);
        for (int i = 0; i < 1000; i++) {
            times.admit(0);
        }
        assertThat(times.capacity()).isEqualTo(1000);
        times.change(20, 1000);
        assertThat(times.admit(1000)).isTrue();
        assertThat(times.capacity()).isEqualTo(20);
        assertThat(times.used(1000)).isEqualTo(1);
    }

    @Test
    void aRingThatHasGoneRoundGrowsInOrder() {
        RecentTimes times = new RecentTimes(3, 10);
        List.of(0, 1, 2, 11, 12).forEach(times::admit);
        times.change(5, 10);
        times.admit(13);
        times.admit(14);

        assertThat(times.used(14)).isEqualTo(4);
        assertThat(times.used(21)).isEqualTo(3);
        assertThat(times.used(22)).isEqualTo(2);
        assertThat(times.used(23)).isEqualTo(1);
        assertThat(times.used(24)).isZero();
    }

    // ---- what happened later, or not at all

    @Test
    void anInstantIsMovedToWhenItHappened() {
        RecentTimes times = new RecentTimes(3, 1000);
        times.admit(0);
        times.admit(0);
        times.admit(0);
        assertThat(times.postpone(0, 50)).isTrue();
        assertThat(times.postpone(0, 30)).isTrue();

        assertThat(times.used(999)).isEqualTo(3);
        assertThat(times.used(1000)).isEqualTo(2);
        assertThat(times.used(1029)).isEqualTo(2);
        assertThat(times.used(1030)).isEqualTo(1);
        assertThat(times.used(1050)).isZero();
        assertThat(times.untilFree(60)).isEqualTo(940);
    }

    @Test
    void anInstantIsNeverMovedToAnEarlierOne() {
        RecentTimes times = new RecentTimes(2, 1000);
        times.admit(100);
        assertThat(times.postpone(100, 40)).isTrue();
        assertThat(times.postpone(100, 100)).isTrue();

        assertThat(times.used(1099)).isEqualTo(1);
        assertThat(times.used(1100)).isZero();
    }

    @Test
    void anInstantIsTakenBack() {
        RecentTimes times = new RecentTimes(3, 1000);
        List.of(0, 10, 20).forEach(times::admit);
        assertThat(times.remove(10)).isTrue();

        assertThat(times.used(20)).isEqualTo(2);
        assertThat(times.used(1000)).isEqualTo(1);
        assertThat(times.used(1020)).isZero();
        assertThat(times.admit(25)).isTrue();
        assertThat(times.admit(25)).isFalse();
        assertThat(times.untilFree(25)).isEqualTo(975);
    }

    @Test
    void anInstantThatIsNotThereIsNeitherMovedNorTakenBack() {
        RecentTimes times = new RecentTimes(3, 1000);
        assertThat(times.remove(0)).isFalse();
        assertThat(times.postpone(0, 1)).isFalse();
        times.admit(0);
        times.admit(20);

        assertThat(times.remove(10)).isFalse();
        assertThat(times.remove(21)).isFalse();
        assertThat(times.remove(-1)).isFalse();
        assertThat(times.postpone(10, 500)).isFalse();
        assertThat(times.postpone(21, 500)).isFalse();
        assertThat(times.used(20)).isEqualTo(2);
        assertThat(times.used(1019)).isEqualTo(1);
        assertThat(times.used(1020)).isZero();
    }

    @Test
    void aCopyGoesItsOwnWay() {
        RecentTimes times = new RecentTimes(3, 10);
        List.of(0, 1, 2, 11).forEach(times::admit);
        RecentTimes copy = times.copy();

        assertThat(copy.used(11)).isEqualTo(2);
        assertThat(copy.admit(11)).isTrue();
        assertThat(copy.admit(11)).isFalse();
        assertThat(copy.untilFree(11)).isEqualTo(1);
        assertThat(times.used(11)).isEqualTo(2);
        copy.change(0, 1);
        assertThat(times.admit(11)).isTrue();
        assertThat(times.admit(11)).isFalse();
    }
}
