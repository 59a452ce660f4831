package io.avgshedder.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.cluster.Tally;
import org.junit.jupiter.api.Test;

class SummaryTest {

    private static final Tally ALL_ARRIVED = new Tally(100, 100, 0, 100, 1, 0);

    private static Summary summary(long moved, double spreadAfter, Tally messages) {
        return new Summary(70, 55, moved, 61.7, spreadAfter, 15, messages);
    }

    @Test
    void isASuccessWhenTheClusterIsLevelAndNothingWasLost() {
        Summary summary = summary(12, 12.6, ALL_ARRIVED);

        assertThat(summary.success()).isTrue();
        assertThat(summary.sentence()).isEqualTo("Level after 55 rounds in 70 s: 12 bundles moved, spread 61.7 points "
                + "before and 12.6 after; 100 messages sent, 0 lost, 0 not accepted.");
    }

    @Test
    void isNoSuccessAtTheThreshold() {
        Summary summary = summary(12, 15, ALL_ARRIVED);

        assertThat(summary.success()).isFalse();
        assertThat(summary.sentence()).startsWith("NOT level after 55 rounds");
    }

    @Test
    void isNoSuccessWhenAMessageIsLostOrNotAccepted() {
        assertThat(summary(12, 5, new Tally(100, 100, 0, 99, 0, 1)).success()).isFalse();
        assertThat(summary(12, 5, new Tally(100, 99, 1, 99, 0, 0)).success()).isFalse();
    }

    @Test
    void isNoSuccessWhenNothingWasMoved() {
        assertThat(summary(0, 5, ALL_ARRIVED).success()).isFalse();
    }
}
