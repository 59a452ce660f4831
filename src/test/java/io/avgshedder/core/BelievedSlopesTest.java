package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traffic is in msg/s; each broker has one unit of capacity. */
class BelievedSlopesTest {

    private static final TrafficScale MESSAGES = TrafficScale.of(Metric.MSG_RATE, new TrafficScale.Totals(1, 1, 1));

    private static double smallest(double hotTraffic, String... brokers) {
        return BelievedSlopes.of(Stream.of(brokers).map(Cluster::report).toList(), Metric.CPU, MESSAGES,
                Settings.defaults()).smallest(hotTraffic);
    }

    @ParameterizedTest(name = "score {0}, {1} msg/s beside 8000: {2}")
    @CsvSource({"10, 1000, true", "9.9, 1000, false", "10, 999, false", "50, 0, false", "0, 8000, false"})
    void aSlopeIsBelievedFromTenPointsAndAnEighthOfTheTrafficOn(double score, double traffic, boolean believed) {
        assertThat(BelievedSlopes.isBelieved(score, traffic, 8000)).isEqualTo(believed);
    }

    @ParameterizedTest(name = "beside {0} msg/s: {1}")
    @CsvSource({"0, 5", "720, 5", "800, 5", "808, 20", "12800, 20", "12808, 40", "16000, 40", "16008, 100", "40000, 100",
            "40008, Infinity"})
    void theSmallestOfThoseThatCarryAnEighth(double hotTraffic, double perPoint) {
        assertThat(smallest(hotTraffic, "a 50@1 2000", "b 20@1 100", "c 50@1 5000", "d 80@1 1600", "e 10@1 1500",
                "f 40@1 2000", "least 10@1 90", "idle 9@1 80")).isEqualTo(perPoint);
    }

    @Test
    void tenPointsAreEnough() {
        assertThat(smallest(8, "a 10@1 100")).isEqualTo(10);
    }

    @Test
    void nobodyIsBelieved() {
        assertThat(smallest(1000)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(smallest(1000, "idle 9@1 9000", "unknown ?@1 1000")).isEqualTo(Double.POSITIVE_INFINITY);
    }
}
