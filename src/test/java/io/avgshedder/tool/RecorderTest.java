package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of the answers, how it is written, and how names are replaced. */
class RecorderTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pseudonyms PSEUDONYMS = new Pseudonyms(new byte[32]);

    @TempDir
    private Path directory;

    private Path trace() {
        return directory.resolve("trace.jsonl");
    }

    private static ObjectNode report(double cpu, long lastUpdate) {
        return JSON.createObjectNode().put("lastUpdate", lastUpdate).set("cpu", JSON.createObjectNode()
                .put("usage", cpu).put("limit", 100));
    }

    @Test
    void figuresAreKeptFromWhenTheReportWasWrittenAsTheLeaderKeepsThem() throws IOException {
        try (TraceFile file = TraceFile.open(trace())) {
            Recorder recorder = new Recorder(file, null);
            assertThat(recorder.seen("A", report(80, 1))).isTrue();
            assertThat(recorder.seen("A", report(60, 1))).isFalse();
            recorder.round(1000);
            assertThat(recorder.seen("A", report(50, 2))).isTrue();
            recorder.round(61_000);
        }

        assertThat(Files.readAllLines(trace())).containsExactly(
                "{\"time\":1000,\"brokers\":{\"A\":{\"lastUpdate\":1,\"cpu\":{\"usage\":80.0,\"limit\":100}}}}",
                "{\"time\":61000,\"brokers\":{\"A\":{\"lastUpdate\":2,\"cpu\":{\"usage\":50.0,\"limit\":100}}}}");
    }

    @Test
    void aBrokerThatLeftIsForgotten() throws IOException {
        try (TraceFile file = TraceFile.open(trace())) {
            Recorder recorder = new Recorder(file, null);
            recorder.seen("A", report(80, 1));
            recorder.seen("B", report(80, 1));
            recorder.active(List.of("B"));
            recorder.round(1000);
        }

        assertThat(Files.readString(trace())).contains("\"B\"").doesNotContain("\"A\"");
    }

    @Test
    void aClockThatStepsBackWritesNothing() throws IOException {
        try (TraceFile file = TraceFile.open(trace())) {
            assertThat(new Recorder(file, null).round(2000)).isTrue();
        }
        try (TraceFile file = TraceFile.open(trace())) {
            assertThat(file.latest()).isEqualTo(2000);
            Recorder recorder = new Recorder(file, null);
            assertThat(recorder.round(1999)).isFalse();
            assertThat(recorder.round(2000)).isTrue();
        }

        assertThat(Files.readAllLines(trace())).hasSize(2);
    }

    @Test
    void afterTheEndNothingIsWritten() throws IOException {
        TraceFile file = TraceFile.open(trace());
        file.append("{\"time\":1,\"brokers\":{}}", 1);
        file.close();

        assertThat(file.append("{\"time\":2,\"brokers\":{}}", 2)).isFalse();
        assertThat(Files.readAllLines(trace())).hasSize(1);
    }

    @Test
    void twoRecordersDoNotShareAFile() {
        try (TraceFile first = TraceFile.open(trace())) {
            assertThat(first.isEmpty()).isTrue();
            assertThatThrownBy(() -> TraceFile.open(trace())).isInstanceOf(UserError.class)
                    .hasMessageContaining("is being recorded into already");
        }
    }

    @Test
    void aMissingLineEndIsAdded() throws IOException {
        Files.writeString(trace(), "{\"conf\":{}}\n{\"time\":5,\"brokers\":{}}");

        try (TraceFile file = TraceFile.open(trace())) {
            assertThat(file.repair()).isEqualTo("the end of its last line was missing and is added");
            assertThat(file.latest()).isEqualTo(5);
        }

        assertThat(Files.readString(trace())).isEqualTo("{\"conf\":{}}\n{\"time\":5,\"brokers\":{}}\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"ti", "{\"time\":17", "{\"conf\":{\"a"})
    void aTornFirstLineIsRemoved(String torn) throws IOException {
        Files.writeString(trace(), torn);

        try (TraceFile file = TraceFile.open(trace())) {
            assertThat(file.isEmpty()).isTrue();
        }

        assertThat(trace()).isEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "{}\n", "key: value", "{\"name\":1}", "\u0000\u0000\n{\"time\":1"})
    void whatIsNoTraceIsNotTouched(String content) throws IOException {
        Files.writeString(trace(), content);

        assertThatThrownBy(() -> TraceFile.open(trace())).isInstanceOf(UserError.class)
                .hasMessageContaining("is no trace");

        assertThat(Files.readString(trace())).isEqualTo(content);
    }

    @Test
    void theLatestTimeIsFoundBehindSettingsAndLongLines() throws IOException {
        String time = "{\"time\":7,\"brokers\":{\"A\":{\"fromALaterVersion\":\"" + "x".repeat(200_000) + "\"}}}\n";
        Files.writeString(trace(), "{\"time\":3,\"brokers\":{}}\n" + time + "{\"conf\":{}}\n{\"conf\":{}}\n");

        try (TraceFile file = TraceFile.open(trace())) {
            assertThat(file.latest()).isEqualTo(7);
            assertThat(file.repair()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tenant/ns/0x00000000_0x40000000, tenant-[0-9a-f]{10}/ns-[0-9a-f]{10}/0x00000000_0x40000000",
        "tenant/cluster/ns/0x0_0x1, tenant-[0-9a-f]{10}/cluster-[0-9a-f]{10}/ns-[0-9a-f]{10}/0x0_0x1",
        "pulsar/system/0x0_0x1, pulsar/system/0x0_0x1",
        "pulsar/prod/host:8080/0x0_0x1, pulsar/cluster-[0-9a-f]{10}/broker-[0-9a-f]{10}:8080/0x0_0x1",
        "pulsar/host:8080/0x0_0x1, pulsar/broker-[0-9a-f]{10}:8080/0x0_0x1",
        "sla-monitor/prod/host:8080/0x0_0x1, sla-monitor/cluster-[0-9a-f]{10}/broker-[0-9a-f]{10}:8080/0x0_0x1",
    })
    void bundlesKeepTheirRangeAndPulsarsOwnTheirShape(String bundle, String form) {
        assertThat(PSEUDONYMS.bundle(bundle)).matches(form);
    }

    @Test
    void aNameHasOnePseudonymWhereverItIs() {
        assertThat(PSEUDONYMS.broker("http://host:8080")).isEqualTo(PSEUDONYMS.broker("host:8080"));
        assertThat(PSEUDONYMS.bundle("pulsar/host:8080/0x0_0x1"))
                .isEqualTo("pulsar/" + PSEUDONYMS.broker("host:8080") + "/0x0_0x1");
        assertThat(PSEUDONYMS.namespace("t/a").split("/")[0]).isEqualTo(PSEUDONYMS.namespace("t/b").split("/")[0]);
        assertThat(PSEUDONYMS.namespace("t/a").split("/")[1])
                .isNotEqualTo(PSEUDONYMS.namespace("u/a").split("/")[1]);
        assertThat(new Pseudonyms(new byte[32]).broker("x:1")).isEqualTo(PSEUDONYMS.broker("x:1"));
        assertThat(new Pseudonyms(HexFormat.of().parseHex("01".repeat(32))).broker("x:1"))
                .isNotEqualTo(PSEUDONYMS.broker("x:1"));
    }

    @Test
    void aReportKeepsItsFiguresAndNoNames() throws IOException {
        ObjectNode report = (ObjectNode) JSON.readTree("""
                {"webServiceUrl": "http://secret:8080", "pulsarServiceUrl": "pulsar://secret:6650",
                 "advertisedListeners": {"secret": {"brokerServiceUrl": "pulsar://secret:6650"}},
                 "protocols": {"kafka": "PLAINTEXT://secret:9092"}, "someLaterField": {"host": "secret"},
                 "brokerVersionString": "4.0.8", "loadReportType": "LocalBrokerData",
                 "cpu": {"usage": "NaN", "limit": 400.0, "name": "secret"}, "lastUpdate": 5, "numBundles": 1,
                 "persistentTopicsEnabled": true,
                 "lastStats": {"secret/secret/0x0_0x1": {"msgRateIn": 1.5, "owner": "secret"}},
                 "bundles": ["secret/secret/0x0_0x1"], "lastBundleGains": ["secret/secret/0x0_0x1"],
                 "lastBundleLosses": []}""");

        ObjectNode result = PSEUDONYMS.report(report);

        String bundle = PSEUDONYMS.bundle("secret/secret/0x0_0x1");
        assertThat(result).isEqualTo(JSON.readTree("""
                {"brokerVersionString": "4.0.8", "loadReportType": "LocalBrokerData",
                 "cpu": {"usage": "NaN", "limit": 400.0}, "lastUpdate": 5, "numBundles": 1,
                 "persistentTopicsEnabled": true, "lastStats": {"%1$s": {"msgRateIn": 1.5}},
                 "bundles": ["%1$s"], "lastBundleGains": ["%1$s"], "lastBundleLosses": []}""".formatted(bundle)));
        assertThat(result.toString()).doesNotContain("secret");
    }

    @Test
    void settingsThatNameNamespacesAreReplacedOrLeftOut() {
        assertThat(PSEUDONYMS.conf(Map.of("loadBalancerSheddingExcludedNamespaces", "t/a, t/b",
                "loadBalancerAvgShedderDrain", "host:8080", "loadBalancerAvgShedderLowThreshold", "15")))
                .isEqualTo(Map.of("loadBalancerSheddingExcludedNamespaces",
                        PSEUDONYMS.namespace("t/a") + "," + PSEUDONYMS.namespace("t/b"),
                        "loadBalancerAvgShedderLowThreshold", "15"));
    }
}
