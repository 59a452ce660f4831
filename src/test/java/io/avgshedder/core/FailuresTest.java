package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailuresTest {

    private static final Transfer X = new Transfer("t/n/x", "A", "B");

    private final Failures failures = new Failures();

    @Test
    void theFirstTwoFailuresCostNothing() {
        failures.add(X, 10, 0);
        failures.add(X, 10, 1);

        assertThat(failures.isBackedOff(X, 1)).isFalse();
        assertThat(failures.count(X)).isEqualTo(2);
    }

    @Test
    void fromTheThirdOnTheWaitDoublesUpToSixteenTimes() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            failures.add(X, 10, 0);
            waits.add(failures.nextRetry(0));
        }

        assertThat(waits).containsExactly(0L, 0L, 10L, 20L, 40L, 80L, 160L, 160L, 160L);
        assertThat(failures.isBackedOff(X, 159)).isTrue();
        assertThat(failures.isBackedOff(X, 160)).isFalse();
    }

    @Test
    void theNextTryIsTheEarliestThatIsStillToCome() {
        for (int i = 0; i < 3; i++) {
            failures.add(X, 10, 0);
            failures.add(new Transfer("t/n/y", "A", "B"), 30, 0);
        }
        failures.add(new Transfer("t/n/z", "A", "B"), 10, 0);

        assertThat(failures.nextRetry(9)).isEqualTo(10);
        assertThat(failures.nextRetry(10)).isEqualTo(30);
        assertThat(failures.nextRetry(30)).as("none").isEqualTo(30);
    }

    @Test
    void anotherTargetIsAnotherTransfer() {
        for (int i = 0; i < 3; i++) {
            failures.add(X, 10, 0);
        }

        assertThat(failures.isBackedOff(new Transfer("t/n/x", "A", "C"), 5)).isFalse();
        assertThat(failures.count(new Transfer("t/n/x", "A", "C"))).isZero();
    }

    @Test
    void aTransferThatComesAboutStartsAgain() {
        for (int i = 0; i < 3; i++) {
            failures.add(X, 10, 0);
        }
        failures.clear(X);

        assertThat(failures.isBackedOff(X, 5)).isFalse();
        assertThat(failures.isEmpty()).isTrue();
    }

    @Test
    void failuresAreForgottenAfterTheirWait() {
        for (int i = 0; i < 3; i++) {
            failures.add(X, 10, 0);
        }
        failures.expire(30, 40);
        assertThat(failures.count(X)).isEqualTo(3);

        failures.expire(30, 41);
        assertThat(failures.isEmpty()).isTrue();
    }
}
