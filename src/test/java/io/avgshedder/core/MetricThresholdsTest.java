package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.avgshedder.core.MetricThresholds.Threshold;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricThresholdsTest {

    @Test
    void aMetricHasALowAndAHighThreshold() {
        MetricThresholds thresholds = MetricThresholds.parse("cpu=15/40, bandwidthOut=10.5/30");

        assertThat(thresholds.of(Metric.CPU)).contains(new Threshold(15, 40));
        assertThat(thresholds.of(Metric.BANDWIDTH_OUT)).contains(new Threshold(10.5, 30));
        assertThat(thresholds.of(Metric.BANDWIDTH_IN)).isEmpty();
        assertThat(thresholds.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void blankIsNone(String text) {
        assertThat(MetricThresholds.parse(text)).isEqualTo(MetricThresholds.NONE).hasToString("");
        assertThat(MetricThresholds.parse(text).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu=15/40, bandwidthOut=10/30", "msgThroughput=0.001/1000, directMemory=12.345/12.345",
            "memory=20/100"})
    void isWrittenAsItWasRead(String text) {
        assertThat(MetricThresholds.parse(text)).hasToString(text);
    }

    @Test
    void blanksAndTheCaseOfAMetricDoNotMatter() {
        assertThat(MetricThresholds.parse(" CPU = 15 / 40.0,bandwidthout=10/30"))
                .isEqualTo(MetricThresholds.parse("cpu=15/40, bandwidthOut=10/30"))
                .hasSameHashCodeAs(MetricThresholds.parse("cpu=15/40, bandwidthOut=10/30"))
                .hasToString("cpu=15/40, bandwidthOut=10/30")
                .isNotEqualTo(MetricThresholds.parse("cpu=15/41, bandwidthOut=10/30"))
                .isNotEqualTo("cpu=15/40, bandwidthOut=10/30");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "cpu=15/40, disk=1/2 | part 2 \"disk=1/2\": the metric is \"disk\", but must be cpu, memory, directMemory, bandwidthIn, bandwidthOut, msgRate or msgThroughput",
        "cpu | part 1 \"cpu\": the threshold is \"cpu\", but must be <metric>=<low>/<high> such as cpu=15/40",
        "cpu=15 | part 1 \"cpu=15\": the threshold is \"15\", but must be <metric>=<low>/<high> such as cpu=15/40",
        "cpu=15/40, | part 2 \"\": the threshold is \"\", but must be <metric>=<low>/<high> such as cpu=15/40",
        "cpu=0/40 | part 1 \"cpu=0/40\": the low threshold is \"0\", but must be a number above 0, up to 1000",
        "cpu=-5/40 | part 1 \"cpu=-5/40\": the low threshold is \"-5\", but must be a number above 0, up to 1000",
        "cpu=x/40 | part 1 \"cpu=x/40\": the low threshold is \"x\", but must be a number above 0, up to 1000",
        "cpu=15/1000.1 | part 1 \"cpu=15/1000.1\": the high threshold is \"1000.1\", but must be a number above 0, up to 1000",
        "cpu=15/NaN | part 1 \"cpu=15/NaN\": the high threshold is \"NaN\", but must be a number above 0, up to 1000",
        "cpu=15/40f | part 1 \"cpu=15/40f\": the high threshold is \"40f\", but must be a number above 0, up to 1000",
        "cpu=15/4e1 | part 1 \"cpu=15/4e1\": the high threshold is \"4e1\", but must be a number above 0, up to 1000",
        "cpu=15/40/50 | part 1 \"cpu=15/40/50\": the high threshold is \"40/50\", but must be a number above 0, up to 1000",
        "cpu=40/15 | part 1 \"cpu=40/15\": the low threshold is \"40\", but must be at most the high one, 15",
        "cpu=15/40, CPU=15/40 | part 2 \"CPU=15/40\": the threshold for cpu is given for the second time, but must be given once at most"})
    void whatIsWrongIsNamed(String text, String message) {
        assertThatExceptionOfType(SettingSyntaxException.class).isThrownBy(() -> MetricThresholds.parse(text))
                .withMessage(message);
    }

    @Test
    void aThresholdIsNeverOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Threshold(0, 40))
                .withMessage("the thresholds are 0.0 and 40.0, but must be 0 < low <= high <= 1000");
        assertThatIllegalArgumentException().isThrownBy(() -> new Threshold(41, 40));
        assertThatIllegalArgumentException().isThrownBy(() -> new Threshold(40, 1000.5));
        assertThatIllegalArgumentException().isThrownBy(() -> new Threshold(Double.NaN, 40));
        assertThatIllegalArgumentException().isThrownBy(() -> new Threshold(15, Double.NaN));
        assertThat(new Threshold(1000, 1000)).hasToString("1000/1000");
    }
}
