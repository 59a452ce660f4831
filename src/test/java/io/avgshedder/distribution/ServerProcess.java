package io.avgshedder.distribution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * One process started by a script of the distribution, with its output in a file of its own.
 *
 * <p>The scripts end in {@code exec java}, so the process started here becomes the JVM itself, and stopping it by its
 * handle leaves nothing behind.
 */
final class ServerProcess implements AutoCloseable {

    private static final Duration CLEAN_STOP = Duration.ofSeconds(30);
    private static final int TAIL_LINES = 40;

    private final String name;
    private final Path log;
    private final Process process;

    private ServerProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * @param environment added to this JVM's environment, from which everything that the scripts would take as a
     *                    setting is removed first
     */
    static ServerProcess start(String name, Path log, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> effective = builder.environment();
        effective.keySet().removeIf(ServerProcess::isReadByTheScripts);
        effective.putAll(environment);
        try {
            Files.createDirectories(log.getParent());
            Process process = builder.start();
            process.getOutputStream().close();
            return new ServerProcess(name, log, process);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name + " by " + command, e);
        }
    }

    private static boolean isReadByTheScripts(String variable) {
        return variable.equals("OPTS") || variable.equals("CLASSPATH") || variable.equals("JAVA_MAJOR_VERSION")
                || Stream.of("PULSAR_", "BOOKIE_", "BOOKKEEPER_", "BK_").anyMatch(variable::startsWith);
    }

    /** Waits until the condition holds, and fails at once when the process has ended. */
    void awaitThat(String what, Duration atMost, Callable<Boolean> condition) {
        Awaitility.await(name + ": " + what)
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .failFast(this::assertAlive)
                .until(condition);
    }

    void awaitSuccess(Duration atMost) {
        Awaitility.await(name + " has ended").atMost(atMost).until(() -> !process.isAlive());
        if (process.exitValue() != 0) {
            throw new AssertionError(ended());
        }
    }

    void assertAlive() {
        if (!process.isAlive()) {
            throw new AssertionError(ended());
        }
    }

    private String ended() {
        List<String> lines = logLines();
        List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        return name + " (pid " + process.pid() + ") ended with status " + process.exitValue()
                + ". Its last lines, from " + log + ":" + System.lineSeparator()
                + String.join(System.lineSeparator(), tail);
    }

    String name() {
        return name;
    }

    /** All that the process has written up to now. */
    List<String> logLines() {
        try {
            // Not readAllLines: the last character may be written only in part, which that takes for an error.
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + log, e);
        }
    }

    /** Ends the process, cleanly if it does so in time; may be called again. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(CLEAN_STOP.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    void kill() {
        process.destroyForcibly();
    }
}
