package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar as a command, beside the jars of the Pulsar that the tests run on, and without them. */
class LauncherIT {

    private static final Path JAR = Path.of(System.getProperty("avgshedder.jar"));
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path directory;

    private Path lib;
    private Path trace;
    private final List<Path> links = new ArrayList<>();

    private record Result(int status, String out, String err) {
    }

    @BeforeEach
    void writeTrace() throws IOException {
        lib = Files.createDirectory(directory.resolve("lib"));
        Files.copy(JAR, lib.resolve(JAR.getFileName()));
        trace = Files.writeString(directory.resolve("trace.jsonl"), Reports.round(0) + "\n" + Reports.round(1) + "\n");
    }

    /** What a broker's lib/ holds: every jar of the tests' class path but the command line's own parser. */
    private void layPulsarsJars() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar") && !jar.equals(JAR) && !entry.contains("picocli")) {
                links.add(Files.createSymbolicLink(lib.resolve(links.size() + "-" + jar.getFileName()),
                        jar.toAbsolutePath()));
            }
        }
    }

    /** Before the directory is cleaned, which would warn of each link. */
    @AfterEach
    void removePulsarsJars() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }

    private Result run(String... command) throws IOException, InterruptedException {
        File out = directory.resolve("out.txt").toFile();
        File err = directory.resolve("err.txt").toFile();
        List<String> line = new ArrayList<>(List.of(JAVA, "-Xshare:auto", "-XX:TieredStopAtLevel=1"));
        line.addAll(List.of(command));
        Process process = new ProcessBuilder(line).directory(directory.toFile()).redirectOutput(out)
                .redirectError(err).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
    }

    private String jar() {
        return lib.resolve(JAR.getFileName()).toString();
    }

    @Test
    void besidePulsarsJarsItReplaysWithoutNoise() throws IOException, InterruptedException {
        layPulsarsJars();

        Result result = run("-jar", jar(), "replay", trace.toString(), "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"round\":"));
        assertThat(result.out()).contains("A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles");
        assertThat(result.status()).isZero();
    }

    @Test
    void theMainClassRunsOnPulsarsClassPathAsWell() throws IOException, InterruptedException {
        layPulsarsJars();

        Result result = run("-cp", lib + File.separator + "*", "io.avgshedder.tool.Main", "replay", trace.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("2 rounds, 1 of them moved 10 bundles in all");
        assertThat(result.status()).isZero();
    }

    @Test
    void anErrorIsItsMessageAndStatusTwo() throws IOException, InterruptedException {
        layPulsarsJars();

        Result result = run("-jar", jar(), "replay", "missing.jsonl");

        assertThat(result.err()).isEqualTo("missing.jsonl: no such file" + System.lineSeparator());
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void anotherStrategyOfTheBrokerRuns() throws IOException, InterruptedException {
        layPulsarsJars();

        Result result = run("-jar", jar(), "replay", trace.toString(), "--json", "--strategy",
                "org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder");

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines()).hasSize(2);
        assertThat(result.status()).isZero();
    }

    @Test
    void aSimulationRunsAndDrawsItsPage() throws IOException, InterruptedException {
        layPulsarsJars();

        Result result = run("-jar", jar(), "simulate", "two-brokers", "--strategies", "level,threshold", "--html",
                "page.html");

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("  level ").contains("  threshold ");
        assertThat(result.status()).as("ThresholdShedder does not do what the scenario expects").isEqualTo(1);
        assertThat(Files.readString(directory.resolve("page.html"))).contains("uPlot=function");
    }

    @Test
    void aRecordingThatIsStoppedHasOnlyWholeLines() throws IOException, InterruptedException {
        layPulsarsJars();
        Path recorded = directory.resolve("recorded.jsonl");
        try (StubCluster cluster = new StubCluster(3)) {
            Process process = new ProcessBuilder(JAVA, "-XX:TieredStopAtLevel=1", "-jar", jar(), "record",
                    "--admin-url", cluster.url(), "--out", recorded.toString(), "--interval", "100ms",
                    "--round-interval", "100ms").redirectErrorStream(true)
                    .redirectOutput(directory.resolve("out.txt").toFile()).start();
            try {
                await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(recorded)
                        && Files.readString(recorded).lines().count() > 5);
                process.destroy();
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends when it is told to").isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).isEqualTo(128 + 15);
        }

        assertThat(Files.readString(recorded)).endsWith("}\n");
        assertThat(Files.readString(directory.resolve("out.txt"))).doesNotContain("\tat ");
        Result replay = run("-jar", jar(), "replay", recorded.toString(), "--json");
        assertThat(replay.err()).isEmpty();
        assertThat(replay.status()).isZero();
    }

    @Test
    void awayFromPulsarsJarsHelpWorksAndCommandsSayWhereTheJarBelongs() throws IOException, InterruptedException {
        Result help = run("-jar", jar(), "--help");
        Result version = run("-jar", jar(), "--version");
        Result replay = run("-jar", jar(), "replay", trace.toString());
        Result check = run("-jar", jar(), "check", "--admin-url", "http://127.0.0.1:1");

        assertThat(help.out()).contains("replay");
        assertThat(help.status()).isZero();
        assertThat(version.out()).contains("pulsar-avg-shedder " + System.getProperty("avgshedder.version"))
                .contains("not beside Pulsar's jars");
        for (Result result : List.of(replay, check)) {
            assertThat(result.err()).contains("belongs into the lib/ directory of a Pulsar broker")
                    .doesNotContain("\tat ");
            assertThat(result.out()).isEmpty();
            assertThat(result.status()).isEqualTo(2);
        }
    }
}
