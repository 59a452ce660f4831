package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Input that is huge, endless or deep, given to the command line in a JVM of its own with 64 MiB: a line that says what
 * is wrong and where, status 2, no trace.
 */
class HostileInputTest {

    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory;

    private record Ended(int status, String out, String err) {
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        Path out = directory.resolve("out.txt");
        Path err = directory.resolve("err.txt");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                "io.avgshedder.tool.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static void assertRefused(Ended ended, String... complaints) {
        assertThat(ended.err()).contains(complaints).doesNotContain("\tat ");
        assertThat(ended.status()).as(ended.err()).isEqualTo(2);
    }

    /** A file that takes no place on the disk. */
    private Path sparse(String name) throws IOException {
        Path file = directory.resolve(name);
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(3 * GIB);
        }
        return file;
    }

    @Test
    void aTraceOfGigabytesWithoutALineEnd() throws Exception {
        assertRefused(run("replay", sparse("trace.jsonl").toString()), "trace.jsonl:1: ", "memory for this line");
    }

    @Test
    void aLineOfAHundredMegabytes() throws Exception {
        Path trace = directory.resolve("trace.jsonl");
        try (Writer writer = Files.newBufferedWriter(trace)) {
            writer.write("{\"conf\":{}}\n{\"time\":1,\"brokers\":{");
            String broker = "\"%08d\":null";
            for (int i = 0; i < 6_000_000; i++) {
                writer.write((i == 0 ? "" : ",") + String.format(broker, i));
            }
            writer.write("}}\n");
        }
        assertThat(Files.size(trace)).isGreaterThan(90_000_000);

        assertRefused(run("replay", trace.toString()), "trace.jsonl:2: ", "memory for this line");
    }

    @Test
    void aScenarioOfGigabytes() throws Exception {
        assertRefused(run("simulate", sparse("scenario.yaml").toString()), "scenario.yaml: is larger than 1 MiB");
    }

    @Test
    void aBrokerConfOfGigabytes() throws IOException {
        Path conf = sparse("broker.conf");

        assertThatThrownBy(() -> BrokerConf.read(conf)).isInstanceOf(UserError.class)
                .hasMessageContaining("broker.conf: is larger than 1 MiB");
    }

    /** Nine levels of nine aliases each would be 400 million values. */
    @Test
    void aYamlBomb() throws Exception {
        StringBuilder bomb = new StringBuilder("title: bomb\nminutes: 10\nl0: &l0 [x]\n");
        for (int level = 1; level <= 9; level++) {
            bomb.append("l").append(level).append(": &l").append(level).append(" [");
            bomb.append(("*l" + (level - 1) + ", ").repeat(9)).append("x]\n");
        }
        Path scenario = Files.writeString(directory.resolve("bomb.yaml"), bomb);

        assertRefused(run("simulate", scenario.toString()), "bomb.yaml:3: a value may be used in one place only");
    }

    @Test
    void yamlAndJsonOfAHundredThousandLevels() throws Exception {
        String deep = "[".repeat(100_000);
        Path scenario = Files.writeString(directory.resolve("deep.yaml"), "title: " + deep);
        Path trace = Files.writeString(directory.resolve("deep.jsonl"), "{\"conf\":" + deep);

        assertRefused(run("simulate", scenario.toString()), "deep.yaml: ", "Nesting Depth exceeded");
        assertRefused(run("replay", trace.toString()), "deep.jsonl:1: nested deeper than 32 levels at column");
    }

    @Test
    void anAnswerThatNeverEnds() throws Exception {
        byte[] chunk = "[".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        try (Server server = new Server(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(chunk);
                }
            }
        })) {
            assertRefused(run("check", "--admin-url", server.url(), "--request-timeout", "20"), server.url());
        }
    }

    @Test
    void anAnswerThatBeginsAndDoesNotGoOn() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        try (Server server = new Server(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('[');
            exchange.getResponseBody().flush();
            try {
                closing.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })) {
            assertRefused(run("check", "--admin-url", server.url(), "--request-timeout", "2"),
                    "/admin/v2/brokers did not answer within 2 s");
            closing.countDown();
        }
    }

    private interface Handler {
        void answer(HttpExchange exchange) throws IOException;
    }

    private static final class Server implements AutoCloseable {

        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final HttpServer server;

        private Server(Handler handler) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", handler::answer);
            server.start();
        }

        private String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
