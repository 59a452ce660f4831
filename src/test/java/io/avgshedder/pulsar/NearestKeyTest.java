package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestKeyTest {

    @ParameterizedTest
    @CsvSource({"'', '', 0", "'', abc, 3", "abc, '', 3", "kitten, sitting, 3", "flaw, lawn, 2", "same, same, 0"})
    void theDistanceIsTheNumberOfLettersToChange(String a, String b, int distance) {
        assertThat(NearestKey.distance(a, b)).isEqualTo(distance);
        assertThat(NearestKey.distance(b, a)).isEqualTo(distance);
    }
}
