package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recording, and replaying what was recorded. */
class RecordTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final StubCluster cluster = new StubCluster(3);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        cluster.close();
    }

    private Path trace() {
        return directory.resolve("trace.jsonl");
    }

    /** Records one round. */
    private Tool.Result record(String... more) {
        List<String> args = new ArrayList<>(List.of("--interval", "100ms", "--duration", "100ms"));
        args.addAll(List.of(more));
        return recordWith(args.toArray(String[]::new));
    }

    private Tool.Result recordWith(String... more) {
        List<String> args = new ArrayList<>(List.of("record", "--admin-url", cluster.url(), "--out",
                trace().toString()));
        args.addAll(List.of(more));
        return Tool.run(args.toArray(String[]::new));
    }

    private List<JsonNode> lines() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(trace())) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    @Test
    void aRecordingHasTheSettingsAndRoundsAndCanBeReplayed() throws IOException {
        Tool.Result result = recordWith("--interval", "100ms", "--round-interval", "100ms", "--duration", "1s");

        assertThat(result.status()).isZero();
        List<JsonNode> lines = lines();
        assertThat(lines.get(0).path("conf").path("loadBalancerAvgShedderLowThreshold").textValue()).isEqualTo("15");
        assertThat(lines).hasSizeGreaterThanOrEqualTo(3);
        JsonNode report = lines.get(1).path("brokers").path(cluster.name(0));
        assertThat(report).isEqualTo(JSON.readTree(Reports.report(80, 20_000, "t/ns", 11, 900, Reports.START)));
        Tool.Result replay = Tool.run("replay", trace().toString(), "--json");
        assertThat(replay.err()).isEmpty();
        assertThat(replay.lines()).hasSize(lines.size() - 1);
        assertThat(replay.lines().get(1)).contains("\"verdict\":\"MOVED\"");
    }

    @Test
    void passwordsAndOtherSettingsAreNotRecorded() throws IOException {
        record();

        assertThat(Files.readString(trace())).doesNotContain("secret").doesNotContain("Optional");
        lines().get(0).path("conf").fieldNames().forEachRemaining(key ->
                assertThat(key).startsWith("loadBalancer"));
    }

    @Test
    void aFileGivesTheSettingsThatBrokersDoNotTell() throws IOException {
        Path conf = Files.writeString(directory.resolve("broker.conf"), "loadBalancerAvgShedderQuietPeriod=false\n"
                + "loadBalancerAvgShedderSettingsFile=/etc/x\nbrokerClientAuthenticationParameters=token:secret\n");

        record("--conf", conf.toString());

        JsonNode recorded = lines().get(0).path("conf");
        assertThat(recorded.path("loadBalancerAvgShedderQuietPeriod").textValue()).isEqualTo("false");
        assertThat(recorded.has("loadBalancerAvgShedderSettingsFile")).isFalse();
        assertThat(recorded.has("brokerClientAuthenticationParameters")).isFalse();
    }

    @Test
    void aRecordingIsContinuedAndItsPseudonymsStayTheSame() throws IOException {
        record("--anonymize");
        record("--anonymize");

        List<JsonNode> lines = lines();
        assertThat(lines).hasSize(4);
        assertThat(names(lines.get(1))).hasSize(3).isEqualTo(names(lines.get(3)));
        String text = Files.readString(trace());
        for (int i = 0; i < 3; i++) {
            assertThat(text).doesNotContain(cluster.name(i));
        }
        assertThat(text).doesNotContain("t/ns").doesNotContain("t/b").doesNotContain("t/c");
        assertThat(Tool.run("replay", trace().toString()).status()).isZero();
    }

    private static List<String> names(JsonNode line) {
        List<String> names = new ArrayList<>();
        line.path("brokers").fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void realNamesNeverFollowPseudonyms() throws IOException {
        record("--anonymize");
        String before = Files.readString(trace());

        Tool.Result result = record();

        assertThat(result.err()).contains("its names are pseudonyms").contains("--anonymize");
        assertThat(result.status()).isEqualTo(2);
        assertThat(trace()).hasContent(before);
    }

    @Test
    void pseudonymsNeverFollowRealNamesOrALostKey() throws IOException {
        record();

        Tool.Result result = record("--anonymize");

        assertThat(result.err()).contains("trace.jsonl.key, the key of its pseudonyms, is missing");
        assertThat(result.status()).isEqualTo(2);
        assertThat(KeyFile.beside(trace())).doesNotExist();
    }

    @Test
    void aTornLastLineIsRemovedAtTheNextStart() throws IOException {
        record();
        String whole = Files.readString(trace());
        Files.writeString(trace(), whole + "{\"time\":1700000000000,\"brok");

        Tool.Result result = record();

        assertThat(result.err()).contains("its last line was torn (27 bytes) and is removed");
        assertThat(Files.readString(trace())).startsWith(whole);
        assertThat(lines()).hasSize(4);
    }

    @Test
    void aFileThatIsNoTraceIsLeftAlone() throws IOException {
        Files.writeString(trace(), "dear diary\n");

        Tool.Result result = record();

        assertThat(result.err()).contains("is there already and is no trace").contains("it is left as it is");
        assertThat(result.status()).isEqualTo(2);
        assertThat(trace()).hasContent("dear diary");
    }

    @Test
    void oneBrokerThatDoesNotAnswerDoesNotStopTheRecording() throws IOException {
        cluster.stop(2);

        Tool.Result result = record("--request-timeout", "5");

        assertThat(result.err()).contains("Warning: cannot connect to http://" + cluster.name(2));
        assertThat(result.status()).isZero();
        assertThat(names(lines().get(1))).containsExactly(cluster.name(0), cluster.name(1));
    }

    @Test
    void aClusterOfAnotherLoadManagerIsAnError() {
        for (int i = 0; i < 3; i++) {
            cluster.broker(i).report(() -> "{\"loadReportType\":\"LoadReport\"}");
        }

        Tool.Result result = record();

        assertThat(result.err()).contains("does not run the modular load manager")
                .contains("no broker has a load report that can be recorded");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aPlaceThatCannotBeWrittenIsAnError() {
        Tool.Result result = Tool.run("record", "--admin-url", cluster.url(), "--out",
                directory.resolve("no/such/trace.jsonl").toString());

        assertThat(result.err()).contains("trace.jsonl: cannot write: ");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void durationsAreChecked() {
        assertThat(recordWith("--interval", "x").err()).contains("\"x\" is no duration, such as 5s, 10m, 2h or 1d");
        assertThat(recordWith("--interval", "0s").err()).contains("must be above 0");
        assertThat(recordWith("--interval", "2m").err()).contains("--interval: must be from 100ms to --round-interval");
    }
}
