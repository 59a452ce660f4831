package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class ServerProcessTest {

    private static final Duration LONGER_THAN_THE_TEST = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void waitingEndsAtOnceWithTheLastLinesWhenTheProcessHasEnded() {
        try (ServerProcess process = start("echo port 6650 is in use >&2; exit 3")) {
            assertThatThrownBy(() -> process.awaitThat("is ready", LONGER_THAN_THE_TEST, () -> false))
                    .hasStackTraceContaining("broker-1 (pid ")
                    .hasStackTraceContaining("ended with status 3")
                    .hasStackTraceContaining("port 6650 is in use");
        }
    }

    @Test
    void waitingGoesOnWhileTheConditionCannotBeAsked() {
        try (ServerProcess process = start("echo one; echo two; exec tail -f /dev/null")) {
            process.awaitThat("has written two lines", LONGER_THAN_THE_TEST,
                    () -> process.logLines().get(1).equals("two"));
        }
    }

    @Test
    void closingEndsTheProcessAndMayBeRepeated() {
        ServerProcess process = start("exec tail -f /dev/null");
        process.assertAlive();

        process.close();
        process.close();

        assertThatThrownBy(process::assertAlive).isInstanceOf(AssertionError.class);
    }

    @Test
    void theProcessGetsItsOwnSettingsAndNoneOfThisOnes() {
        try (ServerProcess process = start("echo ${PULSAR_MEM}${PULSAR_GC}; exec tail -f /dev/null")) {
            process.awaitThat("has written", LONGER_THAN_THE_TEST, () -> !process.logLines().isEmpty());

            assertThat(process.logLines()).containsExactly("-Xmx256m");
        }
    }

    private ServerProcess start(String script) {
        return ServerProcess.start("broker-1", folder.resolve("log/broker-1.log"), Map.of("PULSAR_MEM", "-Xmx256m"),
                List.of("/bin/sh", "-c", script));
    }
}
