package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundleSelectorTest {

    private static final double ANY = Double.POSITIVE_INFINITY;

    private static List<Donor.Candidate> candidates(double... traffic) {
        List<Donor.Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < traffic.length; i++) {
            candidates.add(new Donor.Candidate(Cluster.load(String.format("b%03d", i), traffic[i]), traffic[i]));
        }
        candidates.sort(Donor.Candidate.LARGEST_FIRST);
        return candidates;
    }

    /** A pair of 100 and 0 points that is level once {@code size} has moved. */
    private static Forecast levelAt(double size) {
        return new Forecast(100, 0, 50 / size, 50 / size, ANY);
    }

    @ParameterizedTest(name = "{0} for {1}: {2}")
    @CsvSource({
            "9 9 9 9, 18, 9 9",
            "1000 1000 1000 1000, 2400, 1000 1000",
            "1000 1000 1000 1000, 2600, 1000 1000 1000",
            "4500 4500 1000, 4000, 4500",
            "9000 1000, 4000, 1000",
            "4 3 1, 4, 4",
            "6 5 5, 10, 5 5",
            "8 7 3 2, 10, 8 2",
            "11 9 7, 15, 9 7",
            "10 9 7 6, 14, 9 6",
            "30 30, 10, ''",
            "0.1 0.1, 10, ''",
            "19, 10, 19",
            "19.1, 10, ''"})
    void comesNearestWithTheFewest(String traffic, double size, String expected) {
        double[] rates = Arrays.stream(traffic.split(" ")).mapToDouble(Double::parseDouble).toArray();

        assertThat(BundleSelector.choose(candidates(rates), size, levelAt(size))).extracting(Donor.Candidate::traffic)
                .containsExactly(Arrays.stream(expected.split(" ")).filter(one -> !one.isEmpty())
                        .map(Double::valueOf).toArray(Double[]::new));
    }

    @Test
    void theFirstOfEqualBundlesAreChosen() {
        assertThat(BundleSelector.choose(candidates(9, 9, 9, 9), 18, levelAt(18)))
                .extracting(candidate -> candidate.bundle().name()).containsExactly("t/n/b000", "t/n/b001");
    }

    @Test
    void ofNothingNothingIsChosen() {
        assertThat(BundleSelector.choose(List.of(), 10, levelAt(10))).isEmpty();
    }

    @Test
    void anOvershootThatTheForecastForbidsIsNotTaken() {
        Forecast capped = new Forecast(100, 0, 5, 5, 11);

        assertThat(BundleSelector.choose(candidates(12, 4), 10, capped)).extracting(Donor.Candidate::traffic)
                .containsExactly(4.0);
    }

    @Test
    void aRemainderBelowATenthOfAPointIsLeft() {
        double[] thousand = new double[1000];
        Arrays.fill(thousand, 1);

        assertThat(BundleSelector.choose(candidates(thousand), 500.9, levelAt(500))).as("a point is 10").hasSize(500);
        assertThat(BundleSelector.choose(candidates(thousand), 501, levelAt(500))).as("a tenth of one").hasSize(500);
    }

    @Test
    void whereTheDonorLosesNothingEveryRemainderCounts() {
        assertThat(BundleSelector.choose(candidates(60, 40), 100, new Forecast(100, 0, 0, 0.5, ANY))).hasSize(2);
    }

    /** 90 would close 9 of 100 points, and a tenth is the least; 110 closes 11. */
    @Test
    void whereWhatFitsIsTooLittleTheOvershootIsTaken() {
        assertThat(BundleSelector.choose(candidates(110, 90), 90, new Forecast(100, 0, 0.05, 0.05, ANY)))
                .extracting(Donor.Candidate::traffic).containsExactly(110.0);
    }

    /** Against every subset of small random sets; rerun one with its seed. */
    @Test
    void isNeverWorseThanGreedyAndAlwaysAllowed() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            double[] traffic = random.doubles(1 + random.nextInt(10)).map(value -> 1 + 99 * value * value).toArray();
            double size = Arrays.stream(traffic).sum() * (0.1 + 0.5 * random.nextDouble());
            double level = size * (1 + random.nextInt(2) * random.nextDouble());
            Forecast forecast = new Forecast(100, 0, 50 / level, 50 / level, random.nextInt(3) == 0 ? 1.1 * size : ANY);
            List<Donor.Candidate> candidates = candidates(traffic);

            List<Donor.Candidate> chosen = BundleSelector.choose(candidates, size, forecast);

            double sum = sum(chosen);
            assertThat(new HashSet<>(chosen)).as("seed %d: %s", seed, chosen).hasSameSizeAs(chosen);
            assertThat(candidates).as("seed %d: %s", seed, chosen).containsAll(chosen);
            double greedy = sum(greedy(candidates, size));
            double nearest = nearest(candidates, size, forecast);
            if (chosen.isEmpty()) {
                assertThat(forecast.allows(greedy)).as("seed %d: %s", seed, chosen).isFalse();
                assertThat(nearest).as("seed %d: no set at all would be allowed", seed).isInfinite();
            } else {
                assertThat(forecast.allows(sum)).as("seed %d: %s", seed, chosen).isTrue();
                assertThat(Math.abs(size - sum)).as("seed %d: %s", seed, chosen).isGreaterThanOrEqualTo(nearest - 1e-9);
                if (forecast.allows(greedy)) {
                    assertThat(Math.abs(size - sum)).as("seed %d: %s", seed, chosen)
                            .isLessThanOrEqualTo(Math.max(size - greedy, 0.1 / forecast.fall()) + 1e-9);
                }
            }
        }
    }

    private static double sum(List<Donor.Candidate> candidates) {
        return candidates.stream().mapToDouble(Donor.Candidate::traffic).sum();
    }

    /** The plain rule: the largest that still fits, until nothing fits. */
    private static List<Donor.Candidate> greedy(List<Donor.Candidate> candidates, double size) {
        List<Donor.Candidate> taken = new ArrayList<>();
        for (Donor.Candidate candidate : candidates) {
            if (sum(taken) + candidate.traffic() <= size) {
                taken.add(candidate);
            }
        }
        return taken;
    }

    /** How near any allowed subset comes to the size. */
    private static double nearest(List<Donor.Candidate> candidates, double size, Forecast forecast) {
        double nearest = Double.POSITIVE_INFINITY;
        for (int subset = 1; subset < 1 << candidates.size(); subset++) {
            double sum = 0;
            for (int i = 0; i < candidates.size(); i++) {
                sum += (subset >> i & 1) * candidates.get(i).traffic();
            }
            if (forecast.allows(sum)) {
                nearest = Math.min(nearest, Math.abs(size - sum));
            }
        }
        return nearest;
    }
}
