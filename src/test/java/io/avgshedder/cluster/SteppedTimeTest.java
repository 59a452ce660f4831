package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteppedTimeTest {

    private static final long MINUTE = 60_000;

    @Test
    void standsStillUntilItIsMoved() {
        SteppedTime time = new SteppedTime();
        long before = time.millis();
        assertThat(time.millis()).isEqualTo(before);

        time.advance(MINUTE);
        assertThat(time.millis()).isEqualTo(before + MINUTE);
    }

    @Test
    void whatHappenedByTheWallClockHappenedAtWhatThisClockShowed() {
        SteppedTime time = new SteppedTime();
        long made = System.currentTimeMillis();
        long first = time.millis();
        time.advance(MINUTE);

        assertThat(time.fromWall(System.currentTimeMillis())).isEqualTo(first + MINUTE);
        assertThat(time.fromWall(made - 5_000)).isBetween(first - 6_000, first - 4_000);
    }
}
