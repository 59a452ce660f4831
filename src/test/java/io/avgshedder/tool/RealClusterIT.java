package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.avgshedder.AvgShedder;
import io.avgshedder.cluster.EmbeddedBroker;
import io.avgshedder.cluster.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.PulsarVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against the admin API of real brokers. */
class RealClusterIT {

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void startCluster() throws Exception {
        Map<String, String> settings = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        settings.put("loadBalancerDistributeBundlesEvenlyEnabled", "false");
        settings.put("loadBalancerAvgShedderMsgRateCapacity", "1000");
        cluster = EmbeddedCluster.startWithoutBookie(2, settings);
        cluster.report();
    }

    @AfterAll
    static void stopCluster() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static String url() {
        return "http://" + cluster.brokers().get(0).id();
    }

    private static List<String> ids() {
        return cluster.brokers().stream().map(EmbeddedBroker::id).sorted().toList();
    }

    @Test
    void aClusterThatIsSetUpIsWell() {
        Tool.Result result = Tool.run("check", "--admin-url", url());

        assertThat(result.err()).isEmpty();
        assertThat(result.lines()).filteredOn(line -> line.startsWith("ok ")).hasSize(2)
                .allMatch(line -> line.endsWith(", Pulsar " + PulsarVersion.getVersion()));
        assertThat(result.status()).isZero();
    }

    @Test
    void aBrokerWithAnotherStrategyIsFound() throws Exception {
        EmbeddedBroker other = cluster.addBroker(Map.of(
                "loadBalancerLoadSheddingStrategy", "org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder",
                "loadBalancerLoadPlacementStrategy", Strategies.USUAL_PLACEMENT,
                "loadBalancerPlacementStrategy", Strategies.USUAL_PLACEMENT));
        try {
            Tool.Result result = Tool.run("check", "--admin-url", url(), "--json");

            JsonNode brokers = new ObjectMapper().readTree(result.out()).path("brokers");
            assertThat(brokers).hasSize(3).allSatisfy(broker -> assertThat(broker.path("problems").isEmpty())
                    .isEqualTo(!broker.path("name").textValue().equals(other.id())));
            assertThat(result.out()).contains("loadBalancerLoadSheddingStrategy=io.avgshedder.AvgShedder");
            assertThat(result.status()).isEqualTo(1);
        } finally {
            cluster.stop(other);
        }
    }

    @Test
    void aPlanReadsAllBrokersReports() throws IOException {
        Tool.Result result = Tool.run("plan", "--admin-url", url(), "--json",
                "--set", "loadBalancerAvgShedderMsgRateCapacity=1000");

        JsonNode round = new ObjectMapper().readTree(result.out());
        assertThat(round.path("brokers").findValuesAsText("name")).containsExactlyInAnyOrderElementsOf(ids());
        assertThat(round.path("pairs").path(0).path("verdict").textValue()).isEqualTo("BELOW_THRESHOLD");
        assertThat(result.status()).isZero();
    }

    @Test
    void aRecordingCanBeReplayed(@TempDir Path directory) throws IOException {
        Path trace = directory.resolve("trace.jsonl");
        Path conf = Files.writeString(directory.resolve("broker.conf"),
                "loadBalancerAvgShedderMsgRateCapacity=1000\n");

        Tool.Result recorded = Tool.run("record", "--admin-url", url(), "--out", trace.toString(), "--anonymize",
                "--conf", conf.toString(),
                "--interval", "100ms", "--round-interval", "100ms", "--duration", "1s");
        Tool.Result replayed = Tool.run("replay", trace.toString(), "--json");

        assertThat(recorded.status()).isZero();
        assertThat(Files.readString(trace)).doesNotContain("127.0.0.1").doesNotContain("localhost");
        assertThat(replayed.err()).isEmpty();
        assertThat(replayed.lines()).hasSizeGreaterThanOrEqualTo(2)
                .allMatch(line -> line.contains("\"name\":\"broker-"));
        assertThat(replayed.status()).isZero();
    }
}
