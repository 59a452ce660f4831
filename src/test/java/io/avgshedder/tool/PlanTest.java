package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import io.avgshedder.tool.StubCluster.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code plan} says of a cluster's reports. */
class PlanTest {

    private final StubCluster cluster = new StubCluster(3);

    @AfterEach
    void close() {
        cluster.close();
    }

    private Tool.Result plan(String... more) {
        List<String> args = new ArrayList<>(List.of("plan", "--admin-url", cluster.url()));
        args.addAll(List.of(more));
        return Tool.run(args.toArray(String[]::new));
    }

    @Test
    void aSingleLookTellsTheFirstRoundAndWhatWouldMoveIfTheFiguresLasted() {
        Tool.Result result = plan();

        String hot = cluster.name(0);
        String cold = cluster.name(1);
        String text = result.out().replaceAll("\\s+", " ");
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(text).startsWith("3 brokers at ").contains("Nothing is changed.")
                .contains("These figures are newer than the leader's")
                .contains("The first round, as a leader without any history would take it: COUNTING " + hot + " -> "
                        + cold + ": cpu gap 50.0 >= 40, hits 1/2: counting")
                .contains("If these figures last: 8 rounds on a virtual clock, one every 1 minute")
                .contains("Round 2, in 1 minute MOVED " + hot + " -> " + cold
                        + ": cpu gap 50.0 >= 40, hits 2/2: 10 bundles");
        assertThat(result.lines()).filteredOn(line -> line.startsWith("  bundle")).hasSize(10);
        assertThat(result.lines()).filteredOn(line -> line.startsWith(hot + " ")).first().asString()
                .matches("\\S+ +80\\.0 +cpu +20,000 +10\\.2 +10\\.2 +11");
        assertThat(result.lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void nothingIsAskedOfABrokerButToRead() {
        plan();

        for (int i = 0; i < 3; i++) {
            assertThat(cluster.broker(i).asked()).isNotEmpty().extracting(HttpExchange::getRequestMethod)
                    .containsOnly("GET");
        }
    }

    @Test
    void aLevelClusterMovesNothing() {
        for (int i = 0; i < 3; i++) {
            cluster.broker(i).report(() -> Reports.report(50, 10_000, "t/c", 10, 1_000, Reports.START));
        }

        Tool.Result result = plan();

        assertThat(result.out().replaceAll("\\s+", " ")).contains("Nothing would move: Round 8, of the others BELOW_THRESHOLD ");
        assertThat(result.status()).isZero();
    }

    @Test
    void aPairThatNeedsTheLowHitCountIsReachedToo() {
        cluster.broker(0).report(() -> Reports.report(55, 20_000, "t/ns", 11, 900, Reports.START));

        Tool.Result result = plan();

        assertThat(result.out().replaceAll("\\s+", " ")).contains("Round 8, in 7 minutes MOVED")
                .contains("cpu gap 25.0 >= 15, hits 8/8");
    }

    @Test
    void whatWouldNotMoveEvenThenIsSaidWithItsReason() throws IOException {
        cluster.broker(0).report(() -> Reports.report(80, 20_000, "t/ns", 1, 20_000, Reports.START));
        cluster.broker(2).report(() -> Reports.report(35, 10_000, "t/c", 10, 1_000, Reports.START));

        Tool.Result result = plan();

        assertThat(result.out().replaceAll("\\s+", " ")).contains("Nothing would move: Round 8, of the others")
                .contains("NOTHING_MOVABLE " + cluster.name(0)).contains("is never moved: split it");
        assertThat(new ObjectMapper().readTree(plan("--json").out()).path("otherwise").findValuesAsText("verdict"))
                .contains("NOTHING_MOVABLE");
    }

    @Test
    void machinesGetTheRoundAndWhatWouldFollow() throws IOException {
        JsonNode json = new ObjectMapper().readTree(plan("--json").out());

        assertThat(json.path("round").intValue()).isEqualTo(1);
        assertThat(json.path("pairs").path(0).path("verdict").textValue()).isEqualTo("COUNTING");
        assertThat(json.path("ifTheseFiguresLast")).hasSize(1);
        assertThat(json.path("ifTheseFiguresLast").path(0).path("round").intValue()).isEqualTo(2);
        assertThat(json.path("ifTheseFiguresLast").path(0).path("transfers")).hasSize(10);
        assertThat(json.path("note").textValue()).contains("newer than the leader's");
    }

    @Test
    void theClustersSettingsHoldUnlessAFileOrTheCommandLineSaysOtherwise(@TempDir Path directory)
            throws IOException {
        cluster.broker(0).conf.put("loadBalancerAvgShedderHighThreshold", "60");
        Path conf = Files.writeString(directory.resolve("broker.conf"), "loadBalancerAvgShedderHighThreshold=45\n");

        assertThat(plan().out()).contains("cpu gap 50.0 >= 15, hits 1/8: counting");
        assertThat(plan("--conf", conf.toString()).out()).contains("cpu gap 50.0 >= 45, hits 1/2: counting");
        assertThat(plan("--conf", conf.toString(), "--set", "loadBalancerAvgShedderHighThreshold=50").out())
                .contains("cpu gap 50.0 >= 50, hits 1/2: counting");
    }

    @Test
    void aWrongLineOfAFileIsAnErrorThatNamesFileAndKey(@TempDir Path directory) throws IOException {
        Path conf = Files.writeString(directory.resolve("broker.conf"), "loadBalancerAvgShedderPlacement=there\n");

        Tool.Result wrong = plan("--conf", conf.toString());
        Tool.Result missing = plan("--conf", directory.resolve("none.conf").toString());

        assertThat(wrong.err()).startsWith(conf + ": loadBalancerAvgShedderPlacement is \"there\"");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(missing.err()).isEqualToIgnoringNewLines(directory.resolve("none.conf") + ": no such file");
        assertThat(missing.status()).isEqualTo(2);
    }

    @Test
    void brokersThatDoNotTellThePluginsSettingsAreSaid() {
        cluster.broker(0).conf.remove("loadBalancerAvgShedderLowThreshold");

        Tool.Result result = plan();

        assertThat(result.err()).contains("do not tell this plugin's settings, so defaults are used")
                .contains("--conf");
        assertThat(result.status()).isZero();
    }

    @Test
    void aBrokerThatCannotBeAskedIsNotTakenForIdle() {
        cluster.stop(1);

        Tool.Result result = plan("--request-timeout", "5");

        assertThat(result.err()).contains("Warning: cannot connect to http://" + cluster.name(1));
        assertThat(result.out()).contains("NO_LOAD_DATA");
        assertThat(result.status()).isZero();
    }

    @Test
    void anotherLoadManagerIsAnError() {
        for (int i = 0; i < 3; i++) {
            cluster.broker(i).report(() -> "{\"loadReportType\":\"LoadReport\"}");
        }

        Tool.Result result = plan();

        assertThat(result.err()).contains(cluster.name(0) + " does not run the modular load manager: its load report "
                + "is a \"LoadReport\"").contains("no broker has a load report that can be used");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aReportThatCannotBeReadNamesBrokerAndField() {
        cluster.broker(2).report(() -> Reports.report(50, 10_000, "t/c", 10, 1_000, Reports.START)
                .replaceFirst("\"usage\":50.0", "\"usage\":{}"));

        Tool.Result result = plan();

        assertThat(result.err()).contains("Warning: " + cluster.name(2)
                + ": its load report cannot be read: cpu.usage: ");
        assertThat(result.status()).isZero();
    }

    @Test
    void watchingBuildsHitsUpWhereReportsAreRewritten() throws IOException {
        for (int i = 0; i < 3; i++) {
            AtomicLong written = new AtomicLong(Reports.START);
            double usage = List.of(80.0, 30.0, 50.0).get(i);
            int rate = List.of(20_000, 2_000, 10_000).get(i);
            cluster.broker(i).report(() -> Reports.report(usage, rate, "t/" + rate, 11, 0.045 * rate,
                    written.addAndGet(1_000)));
        }

        Tool.Result result = plan("--json", "--watch", "--interval", "100ms", "--duration", "1s");

        List<JsonNode> rounds = new ArrayList<>();
        for (String line : result.lines()) {
            rounds.add(new ObjectMapper().readTree(line));
        }
        assertThat(rounds).hasSizeGreaterThanOrEqualTo(3);
        assertThat(rounds.get(0).path("pairs").path(0).path("verdict").textValue()).isEqualTo("COUNTING");
        assertThat(rounds.get(1).path("pairs").path(0).path("verdict").textValue()).isEqualTo("MOVED");
        assertThat(rounds.get(2).path("pairs").path(0).path("verdict").textValue()).isEqualTo("COUNTING");
        assertThat(result.err()).contains("That plan is not carried out; counting starts again.");
        assertThat(result.status()).isZero();
    }

    @Test
    void watchingGoesOnWhenTheClusterDoesNotAnswerForAWhile() {
        AtomicLong looks = new AtomicLong();
        cluster.broker(0).answer("/admin/v2/brokers", () -> looks.incrementAndGet() == 3
                ? new Answer(503, "") : new Answer(200, "[\"" + cluster.name(0) + "\",\"" + cluster.name(1) + "\"]"));

        Tool.Result result = plan("--json", "--watch", "--interval", "100ms", "--duration", "1s");

        assertThat(result.err()).contains("/admin/v2/brokers answered 503");
        assertThat(result.lines()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(result.status()).isZero();
    }
}
