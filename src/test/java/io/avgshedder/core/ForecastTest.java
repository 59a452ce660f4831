package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForecastTest {

    private static final double ANY = Double.POSITIVE_INFINITY;

    @Test
    void scoresAnswerInAStraightLine() {
        Forecast forecast = new Forecast(80, 30, 0.005, 0.0025, ANY);

        assertThat(forecast.hotAfter(4000)).isEqualTo(60);
        assertThat(forecast.coldAfter(4000)).isEqualTo(40);
        assertThat(forecast.gapAfter(4000)).isEqualTo(20);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"0, false", "499, false", "501, true", "5000, true", "9499, true", "9501, false"})
    void aMoveMustShrinkTheGapByATenthInEitherDirection(double traffic, boolean allowed) {
        assertThat(new Forecast(80, 30, 0.005, 0.005, ANY).allows(traffic)).isEqualTo(allowed);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"2500, true", "2501, false"})
    void aReceiverDoesNotEndAboveTheDonorsStart(double traffic, boolean allowed) {
        assertThat(new Forecast(80, 30, 0.001, 0.02, ANY).allows(traffic)).isEqualTo(allowed);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"6000, true", "6001, false"})
    void nothingPassesTheMost(double traffic, boolean allowed) {
        assertThat(new Forecast(80, 30, 0.005, 0.005, 6000).allows(traffic)).isEqualTo(allowed);
    }
}
