package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CeilingsTest {

    @Test
    void aForecastMayReachTheCeilingAndNotPassIt() {
        Ceilings ceilings = Ceilings.parse("cpu=70, bandwidthOut=60.5");

        assertThat(ceilings.allows(Metric.CPU, 70)).isTrue();
        assertThat(ceilings.allows(Metric.CPU, 70.001)).isFalse();
        assertThat(ceilings.allows(Metric.BANDWIDTH_OUT, 60.5)).isTrue();
        assertThat(ceilings.allows(Metric.BANDWIDTH_OUT, 61)).isFalse();
        assertThat(ceilings.of(Metric.CPU)).isEqualTo(70);
        assertThat(ceilings.of(Metric.BANDWIDTH_OUT)).isEqualTo(60.5);
        assertThat(ceilings.isEmpty()).isFalse();
    }

    @Test
    void aMetricThatIsNotWrittenHasNoCeiling() {
        Ceilings ceilings = Ceilings.parse("cpu=70");

        assertThat(ceilings.of(Metric.MSG_RATE)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(ceilings.allows(Metric.MSG_RATE, 250)).isTrue();
        assertThat(ceilings.allows(Metric.MSG_RATE, Double.NaN)).isTrue();
    }

    @Test
    void aForecastThatIsNotKnownIsNotBelowACeiling() {
        assertThat(Ceilings.parse("cpu=70").allows(Metric.CPU, Double.NaN)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void blankIsNone(String text) {
        assertThat(Ceilings.parse(text)).isEqualTo(Ceilings.NONE).hasToString("");
        assertThat(Ceilings.parse(text).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu=70", "bandwidthOut=60, cpu=70.25", "msgRate=10000"})
    void isWrittenAsItWasRead(String text) {
        assertThat(Ceilings.parse(text)).hasToString(text);
    }

    @Test
    void blanksAndTheCaseOfAMetricDoNotMatter() {
        assertThat(Ceilings.parse(" Cpu = 70.0 ,msgrate=50"))
                .isEqualTo(Ceilings.parse("cpu=70, msgRate=50"))
                .hasSameHashCodeAs(Ceilings.parse("cpu=70, msgRate=50"))
                .isNotEqualTo(Ceilings.parse("cpu=71, msgRate=50"))
                .isNotEqualTo("cpu=70, msgRate=50");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "cpu=70, disc=80 | part 2 \"disc=80\": the metric is \"disc\", but must be cpu, memory, directMemory, bandwidthIn, bandwidthOut, msgRate or msgThroughput",
        "cpu 70 | part 1 \"cpu 70\": the ceiling is \"cpu 70\", but must be <metric>=<ceiling> such as cpu=70",
        "cpu=0 | part 1 \"cpu=0\": the ceiling is \"0\", but must be a number above 0, up to 10000",
        "cpu=0.0 | part 1 \"cpu=0.0\": the ceiling is \"0.0\", but must be a number above 0, up to 10000",
        "cpu=10001 | part 1 \"cpu=10001\": the ceiling is \"10001\", but must be a number above 0, up to 10000",
        "cpu=70% | part 1 \"cpu=70%\": the ceiling is \"70%\", but must be a number above 0, up to 10000",
        "cpu=70, cpu=80 | part 2 \"cpu=80\": the ceiling for cpu is given for the second time, but must be given once at most"})
    void whatIsWrongIsNamed(String text, String message) {
        assertThatExceptionOfType(SettingSyntaxException.class).isThrownBy(() -> Ceilings.parse(text))
                .withMessage(message);
    }
}
