package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.AvgShedder;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The plugin's figures in a real broker's own {@code /metrics}. */
class MetricsIT {

    private static final long MINUTE = 60_000;

    @Test
    void aScrapeOfTheBrokerShowsThePlugin() throws Exception {
        SteppedTime time = new SteppedTime();
        // later than in any other test of this process, whose load managers may not be collected yet
        time.advance(Duration.ofDays(100).toMillis());
        TimeSource clockBefore = PluginClock.use(time);
        Map<String, String> lines = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        lines.put("loadBalancerAvgShedderMsgRateCapacity", "1000");
        lines.put("loadBalancerAvgShedderMaxUnloads", "cluster=20/10m");
        try (EmbeddedCluster cluster = EmbeddedCluster.startWithoutBookie(2, lines)) {
            time.advance(MINUTE);
            cluster.round();

            List<String> scraped = scrape(cluster.leader());
            assertThat(scraped).contains("leader 1.0", "pairs reason=\"BELOW_THRESHOLD\" 1.0", "gap rank=\"1\" 0.0",
                    "budget_used scope=\"cluster\" 0.0", "budget_limit scope=\"cluster\" 20.0", "shed_targets 0.0",
                    "transfers_total reason=\"DRY_RUN\" 0.0");
            for (EmbeddedBroker broker : cluster.brokers()) {
                assertThat(scraped).contains("score broker=\"" + broker.id() + "\",metric=\"msgRate\" 0.0");
            }
            time.advance(3 * MINUTE);
            assertThat(scrape(cluster.leader())).contains("leader 0.0").noneMatch(line -> line.startsWith("score "));
        } finally {
            PluginClock.use(clockBefore);
        }
    }

    /** The plugin's samples as {@code name labels value}, without the cluster's label, which the broker adds. */
    private static List<String> scrape(EmbeddedBroker broker) throws IOException, InterruptedException {
        String body = HttpClient.newHttpClient().send(HttpRequest.newBuilder(
                URI.create(broker.service().getWebServiceAddress() + "/metrics/")).build(),
                HttpResponse.BodyHandlers.ofString()).body();
        return body.lines().filter(line -> line.startsWith("pulsar_avg_shedder_"))
                .map(line -> line.substring("pulsar_avg_shedder_".length())
                        .replaceFirst("cluster=\"" + EmbeddedCluster.CLUSTER_NAME + "\",? ?", "")
                        .replaceFirst("\\{(.*)} ", " $1 ").replace("  ", " ")).toList();
    }
}
