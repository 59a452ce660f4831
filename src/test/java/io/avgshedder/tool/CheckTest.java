package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.avgshedder.tool.StubCluster.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code check} says of clusters that are well and of those that are not. */
class CheckTest {

    private static final String REPORT = "/admin/v2/broker-stats/load-report";
    private static final String CONFIGURATION = "/admin/v2/brokers/configuration/runtime";

    private final StubCluster cluster = new StubCluster(3);

    @AfterEach
    void close() {
        cluster.close();
    }

    /** What is said, with its wrapping undone. */
    private static String flat(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private Tool.Result check(String... more) {
        String[] args = new String[3 + more.length];
        args[0] = "check";
        args[1] = "--admin-url";
        args[2] = cluster.url();
        System.arraycopy(more, 0, args, 3, more.length);
        return Tool.run(args);
    }

    @Test
    void aClusterThatIsSetUpIsWell() {
        Tool.Result result = check();

        assertThat(result.err()).isEmpty();
        assertThat(result.lines()).contains("ok     " + cluster.name(0) + ", Pulsar 4.0.8",
                "  load report type   LocalBrokerData", "  shedding           io.avgshedder.AvgShedder",
                "  even distribution  false");
        assertThat(result.lines()).last()
                .isEqualTo("3 brokers: all are set up for the plugin and run the modular load manager");
        assertThat(result.status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "loadBalancerLoadSheddingStrategy, org.apache.pulsar.broker.loadbalance.impl.AvgShedder, "
                + "io.avgshedder.AvgShedder",
        "loadBalancerLoadPlacementStrategy, org.apache.pulsar.broker.loadbalance.impl.AvgShedder, "
                + "io.avgshedder.AvgShedder",
        "loadBalancerDistributeBundlesEvenlyEnabled, true, false",
        "loadBalancerSheddingEnabled, false, true",
        "loadBalancerEnabled, false, true",
        "loadManagerClassName, org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl, "
                + "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl",
    })
    void aWrongKeyIsSaidWithTheLineToWrite(String key, String wrong, String right) {
        cluster.broker(1).conf.put(key, wrong);

        Tool.Result result = check();

        assertThat(flat(result.out())).contains("WRONG " + cluster.name(1) + ", Pulsar 4.0.8")
                .contains("Write into broker.conf: " + key + "=" + right)
                .contains("ok " + cluster.name(0)).contains("ok " + cluster.name(2));
        assertThat(result.lines()).allMatch(line -> line.length() <= 100 || line.contains(right));
        assertThat(result.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"3.0.6, true", "3.0.7, true", "3.0.5, false", "3.1.0, false", "4.0.8, false"})
    void theThirdKeyIsAskedForWhereTheBrokerNeedsIt(String version, boolean needed) {
        cluster.broker(0).version(version);
        cluster.broker(0).conf.put("loadBalancerPlacementStrategy", "leastLoadedServer");

        Tool.Result result = check();

        assertThat(flat(result.out()).contains(
                "Write into broker.conf: loadBalancerPlacementStrategy=io.avgshedder.AvgShedder")).isEqualTo(needed);
    }

    @Test
    void aSilentFallbackIsSaid() {
        cluster.broker(2).report(() -> "{\"loadReportType\":\"LoadReport\",\"name\":\"x\"}");

        Tool.Result result = check();

        assertThat(flat(result.out())).contains("WRONG " + cluster.name(2))
                .contains("(load report type \"LoadReport\")")
                .contains("See that the plugin's jar is in its lib/");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void brokersThatDifferInSettingsAreSaid() {
        cluster.broker(1).conf.put("loadBalancerAvgShedderLowThreshold", "20");

        Tool.Result result = check();

        assertThat(flat(result.out())).contains("loadBalancerAvgShedderLowThreshold differs: 15 on " + cluster.name(0)
                + " and " + cluster.name(2) + ", 20 on " + cluster.name(1) + ".");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void aBrokerThatIsListedAndDoesNotAnswerIsWrong() {
        cluster.stop(1);

        Tool.Result result = check("--request-timeout", "5");

        assertThat(flat(result.out())).contains("WRONG " + cluster.name(1) + ", Pulsar (unknown)")
                .contains("cannot connect to http://" + cluster.name(1) + ": nothing listens there");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void missingRightsAreSaidAndNotTakenForAWrongConfiguration() {
        cluster.broker(0).answer(CONFIGURATION, () -> new Answer(401, "{\"reason\":\"not superuser\"}"));

        Tool.Result result = check();

        assertThat(flat(result.out())).contains("its configuration cannot be read: http://" + cluster.name(0)
                + CONFIGURATION + " answered 401: not allowed: not superuser (load reports and configuration need a "
                + "superuser");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void aFailedLoadReportIsSaidWithTheBrokersReason() {
        cluster.broker(0).answer(REPORT, () -> new Answer(500, "{\"reason\":\"java.lang.X: no\\nat y\"}"));

        Tool.Result result = check();

        assertThat(flat(result.out())).contains("its load report cannot be read: http://" + cluster.name(0) + REPORT
                + " answered 500: java.lang.X: no");
        assertThat(result.out()).doesNotContain("at y\"");
        assertThat(result.status()).isEqualTo(1);
    }

    @Test
    void machinesGetOneObject() throws IOException {
        cluster.broker(1).conf.put("loadBalancerDistributeBundlesEvenlyEnabled", "true");

        Tool.Result result = check("--json");

        JsonNode json = new ObjectMapper().readTree(result.out());
        assertThat(json.path("brokers")).hasSize(3);
        assertThat(json.path("brokers").path(0).path("problems")).isEmpty();
        assertThat(json.path("brokers").path(0).path("version").textValue()).isEqualTo("4.0.8");
        assertThat(json.path("brokers").path(1).path("name").textValue()).isEqualTo(cluster.name(1));
        assertThat(json.path("brokers").path(1).path("problems")).hasSize(1);
        assertThat(json.path("differences")).hasSize(1);
        assertThat(result.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "200 | <html>welcome</html> | answered with HTML; is this the web service of a Pulsar broker?",
        "200 | hello | answered with something that is no JSON",
        "200 | {} | did not answer with a list of brokers",
        "200 | [1] | did not answer with a list of brokers",
        "200 | [] | the cluster lists no broker",
        "404 | <html>no</html> | answered 404: no such path (is this the web service of a Pulsar broker?)",
        "500 | oops | answered 500",
        "403 | {\"reason\":\"no\"} | answered 403: not allowed: no",
    })
    void anAnswerThatIsNoPulsarBrokersIsAnError(int status, String body, String complaint) {
        cluster.broker(0).answer("/admin/v2/brokers", () -> new Answer(status, body));

        Tool.Result result = check();

        assertThat(result.err()).contains(complaint).doesNotContain("\tat ");
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aRedirectIsNotFollowed() {
        cluster.broker(0).answer("/admin/v2/brokers",
                () -> new Answer(307, "", Map.of("Location", cluster.broker(1).url() + "/admin/v2/brokers")));

        Tool.Result result = check();

        assertThat(result.err()).contains("answered 307: it redirects to " + cluster.broker(1).url());
        assertThat(cluster.broker(1).asked()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aServerThatDoesNotAnswerIsWaitedForNoLongerThanAsked() {
        cluster.broker(0).answer("/admin/v2/brokers", cluster.never());

        Tool.Result result = check("--request-timeout", "1");

        assertThat(result.err()).contains("/admin/v2/brokers did not answer within 1 s");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aServerThatIsNoHttpServerIsAnError() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (var connection = silent.accept()) {
                    connection.getOutputStream().write("binary\n\n".getBytes());
                } catch (IOException e) {
                    return;
                }
            });
            server.start();

            Tool.Result result = Tool.run("check", "--admin-url", "http://127.0.0.1:" + silent.getLocalPort(),
                    "--request-timeout", "5");

            assertThat(result.err()).contains("does not answer as an HTTP server does");
            assertThat(result.status()).isEqualTo(2);
        }
    }

    @Test
    void credentialsOfThePluginAreSent() {
        Tool.Result result = check("--auth-plugin", "org.apache.pulsar.client.impl.auth.AuthenticationToken",
                "--auth-params", "token:abc.def.ghi");

        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(cluster.broker(1).asked()).isNotEmpty().allMatch(exchange -> "Bearer abc.def.ghi"
                .equals(exchange.getRequestHeaders().getFirst("Authorization")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "check | Missing required option: '--admin-url=URL'",
        "check --admin-url pulsar://localhost:6650 | --admin-url: must be such as http://broker:8080, but is "
                + "\"pulsar://localhost:6650\"",
        "check --admin-url localhost:8080 | --admin-url: must be such as",
        "check --admin-url http:// | --admin-url: must be such as",
        "check --admin-url http://localhost:8080 --request-timeout 0 | --request-timeout: must be from 1 to 600",
        "check --admin-url http://localhost:8080 --request-timeout x | 'x' is not an int",
        "check --admin-url http://localhost:8080 --broker-port 0 | --broker-port: must be from 1 to 65535",
        "check --admin-url http://localhost:8080 --auth-params x | --auth-params: needs --auth-plugin",
        "check --admin-url http://localhost:8080 --auth-plugin no.Such | --auth-plugin: cannot use no.Such",
        "check --admin-url https://localhost:8443 --tls-trust-cert-path no.pem | --tls-trust-cert-path: cannot read",
        "nonsense | Unmatched argument at index 0: 'nonsense'",
    })
    void badArgumentsAreErrorsThatNameThem(String line, String complaint) {
        Tool.Result result = Tool.run(line.split(" "));

        assertThat(result.err()).contains(complaint).doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void withoutACommandTheCommandsAreNamed() {
        Tool.Result result = Tool.run();

        assertThat(result.err()).contains("Missing required subcommand");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void helpAndVersionAreNoErrors() {
        Tool.Result help = Tool.run("--help");
        Tool.Result version = Tool.run("--version");

        assertThat(help.out()).contains("check", "plan", "record", "replay", "Exit status:");
        assertThat(help.status()).isZero();
        assertThat(version.out()).startsWith("pulsar-avg-shedder ").contains("with the classes of Pulsar ");
        assertThat(version.status()).isZero();
    }
}
