package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class PerfLogTest {

    private static final String PRODUCER = "INFO  org.apache.pulsar.testclient.PerformanceProducer - ";
    private static final String PRODUCED = PRODUCER + "Throughput produced:    5400 msg ---    120.0 msg/s ---"
            + "      0.2 Mbit/s  --- failure      %s msg/s --- Latency: mean:   7.5 ms - med:   3.3";

    @Test
    void aRateOfFailuresAboveZeroIsAFailure() {
        String good = PRODUCED.formatted("0.0");
        String bad = PRODUCED.formatted("0.2");

        assertThat(PerfLog.of(List.of(good, bad)).failures()).containsExactly(bad);
    }

    @Test
    void aMessageThatCouldNotBeWrittenIsAFailure() {
        String bad = PRODUCER + "Write message error with exception";

        assertThat(PerfLog.of(List.of(bad)).failures()).containsExactly(bad);
    }

    @Test
    void countsWhatWasSentWhenTheProducerHasEnded() {
        String end = PRODUCER + "Aggregated throughput stats --- 30624 records sent --- 118.634 msg/s --- 0.181 Mbit/s";

        assertThat(PerfLog.of(List.of(end)).sentInAll()).isEqualTo(30_624);
        assertThatIllegalStateException().isThrownBy(() -> PerfLog.of(List.of(PRODUCED.formatted("0.0"))).sentInAll());
    }

    @Test
    void countsWhatWasReceivedUpToTheLastLine() {
        String line = "INFO  org.apache.pulsar.testclient.PerformanceConsumer - Throughput received:"
                + "   %s msg --- 118.2  msg/s --- 0.2 Mbit/s  --- Latency: mean: 11.4 ms";

        assertThat(PerfLog.of(List.of(line.formatted("600"), line.formatted("1200"))).received()).isEqualTo(1_200);
        assertThat(PerfLog.of(List.of()).received()).isZero();
    }
}
