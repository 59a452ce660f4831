package io.avgshedder.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.avgshedder.operations.AlertRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A Prometheus server that scrapes the brokers of a cluster every few seconds, with the rules of {@code conf-examples}
 * loaded; on loopback and a free port.
 */
final class Prometheus {

    /** The programs of Debian's package {@code prometheus}; where they are not on the path, properties say where. */
    private static final String SERVER = System.getProperty("avgshedder.prometheus", "prometheus");
    private static final String PROMTOOL = System.getProperty("avgshedder.promtool", "promtool");
    private static final Duration START = Duration.ofMinutes(2);
    private static final String STEP = "5s";

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI api;
    private final Instant start = Instant.now();

    private Prometheus(URI api) {
        this.api = api;
    }

    /** What a question came to. */
    record Answer(String status, String error, int series) {
    }

    /** Starts it for all brokers that run now; it ends with the cluster. */
    static Prometheus start(DistributionCluster cluster, Path directory) {
        int port = DistributionCluster.freePorts(1).get(0);
        String targets = cluster.brokers().stream().map(broker -> "'" + broker.web().getAuthority() + "'")
                .collect(Collectors.joining(", "));
        Path config = directory.resolve("prometheus.yml");
        try {
            Files.write(config, List.of(
                    "global: {scrape_interval: " + STEP + ", evaluation_interval: " + STEP + "}",
                    "rule_files: ['" + AlertRules.FILE.toAbsolutePath() + "']",
                    "scrape_configs:",
                    "  - job_name: brokers",
                    "    metrics_path: /metrics/",
                    "    static_configs: [{targets: [" + targets + "]}]"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + config, e);
        }
        ServerProcess server = cluster.startProgram("prometheus", List.of(SERVER,
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data/prometheus"),
                "--web.listen-address=" + DistributionCluster.HOST + ":" + port));
        Prometheus prometheus = new Prometheus(URI.create("http://" + DistributionCluster.HOST + ":" + port));
        server.awaitThat("has scraped every broker", START,
                () -> prometheus.ask("up == 1").series() == cluster.brokers().size());
        return prometheus;
    }

    /** Fails, before anything else is started for nothing, where there is no Prometheus. */
    static void requireServer(Path log) {
        run(log, SERVER, "--version");
    }

    /** What promtool, with these arguments, says; it has to succeed. */
    static List<String> promtool(Path log, String... arguments) {
        return run(log, PROMTOOL, arguments);
    }

    private static List<String> run(Path log, String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        ServerProcess process;
        try {
            process = ServerProcess.start(program, log, Map.of(), command);
        } catch (UncheckedIOException e) {
            throw new IllegalStateException("No " + program + " on the path: install Debian's package prometheus, or say "
                    + "where it is with -Dprometheus=FILE -Dpromtool=FILE", e);
        }
        try {
            process.awaitSuccess(START);
            return process.logLines();
        } finally {
            process.close();
        }
    }

    /** Asks at this moment. */
    Answer ask(String query) throws IOException, InterruptedException {
        return answer("/api/v1/query?query=" + encoded(query));
    }

    /** Asks of the whole time since it was started. */
    Answer askOfAllTime(String query) throws IOException, InterruptedException {
        return answer("/api/v1/query_range?query=" + encoded(query) + "&start=" + start.getEpochSecond()
                + "&end=" + Instant.now().getEpochSecond() + "&step=" + STEP);
    }

    private Answer answer(String question) throws IOException, InterruptedException {
        JsonNode answer = get(question);
        return new Answer(answer.path("status").asText(), answer.path("error").asText(),
                answer.at("/data/result").size());
    }

    /** The health of each loaded rule by its name, such as {@code ok}, or what is wrong with it. */
    Map<String, TreeSet<String>> ruleHealth() throws IOException, InterruptedException {
        return get("/api/v1/rules").at("/data/groups").findValues("rules").stream()
                .flatMap(rules -> rules.findParents("health").stream())
                .collect(Collectors.groupingBy(rule -> rule.path("name").asText(), Collectors.mapping(
                        rule -> rule.path("health").asText() + rule.path("lastError").asText(),
                        Collectors.toCollection(TreeSet::new))));
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(api.resolve(path)).timeout(Duration.ofSeconds(30)).build();
        return json.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private static String encoded(String query) {
        return URLEncoder.encode(query, StandardCharsets.UTF_8);
    }
}
