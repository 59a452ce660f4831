package io.avgshedder.tool;

import static io.avgshedder.tool.Reports.START;
import static io.avgshedder.tool.Reports.bundle;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays of traces through the real plugin class. */
class ReplayTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String THRESHOLD_SHEDDER = "org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder";
    private static final String OVERLOAD_SHEDDER = "org.apache.pulsar.broker.loadbalance.impl.OverloadShedder";

    @TempDir
    private Path directory;

    private Path trace(String... lines) throws IOException {
        return Files.writeString(directory.resolve("trace.jsonl"), String.join("\n", lines) + "\n");
    }

    private Tool.Result replay(Path trace, String... more) {
        List<String> args = new ArrayList<>(List.of("replay", trace.toString()));
        args.addAll(List.of(more));
        return Tool.run(args.toArray(String[]::new));
    }

    private List<JsonNode> json(Path trace, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("--json"));
        args.addAll(List.of(more));
        Tool.Result result = replay(trace, args.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        List<JsonNode> nodes = new ArrayList<>();
        for (String line : result.lines()) {
            nodes.add(JSON.readTree(line));
        }
        return nodes;
    }

    @Test
    void theFirstRoundCountsAndTheSecondMovesTenBundlesFromTheHottestToTheColdest() throws IOException {
        List<JsonNode> rounds = json(trace(Reports.round(0), Reports.round(1)));

        assertThat(rounds).hasSize(2);
        assertThat(rounds.get(0)).isEqualTo(JSON.readTree("""
                {"round": 1, "time": 1700000000000,
                 "brokers": [{"name": "A", "score": 80.0, "metric": "cpu"},
                             {"name": "C", "score": 50.0, "metric": "cpu"},
                             {"name": "B", "score": 30.0, "metric": "cpu"}],
                 "pairs": [{"hot": "A", "cold": "B", "gap": 50.0, "hitsLow": 1, "hitsHigh": 1, "verdict": "COUNTING",
                            "sentence": "A -> B: cpu gap 50.0 >= 40, hits 1/2: counting"}],
                 "transfers": []}"""));
        assertThat(rounds.get(1).path("round").intValue()).isEqualTo(2);
        assertThat(rounds.get(1).path("time").longValue()).isEqualTo(1_700_000_060_000L);
        JsonNode pair = rounds.get(1).path("pairs").path(0);
        assertThat(pair.path("verdict").textValue()).isEqualTo("MOVED");
        assertThat(pair.path("hitsLow").intValue()).isEqualTo(2);
        assertThat(pair.path("hitsHigh").intValue()).isEqualTo(2);
        assertThat(pair.path("sentence").textValue())
                .startsWith("A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles");
        List<String> moved = texts(rounds.get(1).path("transfers"), "bundle");
        assertThat(moved).hasSize(10).doesNotHaveDuplicates()
                .isSubsetOf(IntStream.range(0, 11).mapToObj(i -> bundle("t/ns", i)).toList());
        assertThat(texts(rounds.get(1).path("transfers"), "source")).containsOnly("A");
        assertThat(texts(rounds.get(1).path("transfers"), "target")).containsOnly("B");
    }

    private static List<String> texts(JsonNode array, String field) {
        return StreamSupport.stream(array.spliterator(), false).map(node -> node.path(field).textValue()).toList();
    }

    @Test
    void aPersonGetsATableOfAtMostAHundredColumns() throws IOException {
        Tool.Result result = replay(trace(Reports.round(0), Reports.round(1)));

        assertThat(result.status()).isZero();
        assertThat(result.lines()).startsWith(
                "Round 1, 2023-11-14 22:13:20 UTC: 3 brokers, spread 50.0 points",
                "  scores               A 80.0 cpu, C 50.0 cpu, B 30.0 cpu",
                "  COUNTING             A -> B: cpu gap 50.0 >= 40, hits 1/2: counting",
                "");
        assertThat(result.lines()).filteredOn(line -> line.startsWith("  bundle")).hasSize(10)
                .allMatch(line -> line.endsWith("  A -> B"));
        assertThat(result.lines()).last().isEqualTo("2 rounds, 1 of them moved 10 bundles in all; 0 placements");
        assertThat(result.lines()).allMatch(line -> line.length() <= 100);
    }

    @Test
    void aDryRunMovesNothingThatItSums() throws IOException {
        Tool.Result result = replay(trace(Reports.round(0), Reports.round(1)), "--set",
                "loadBalancerAvgShedderDryRun=true");

        assertThat(result.lines()).last()
                .isEqualTo("2 rounds, 1 of them would have moved 10 bundles in all; 0 placements");
    }

    @Test
    void plannedBundlesArePlacedAsPlannedAndOthersByPrediction() throws IOException {
        JsonNode planned = json(trace(Reports.round(0), Reports.round(1))).get(1).path("transfers").path(0);
        String bundle = planned.path("bundle").textValue();

        List<JsonNode> lines = json(trace(Reports.round(0), Reports.round(1),
                place(START + 61_000, bundle, "\"A\",\"B\",\"C\""),
                place(START + 62_000, bundle("t/new", 0), "\"A\",\"C\""),
                place(START + 63_000, bundle("t/new", 1), "")));

        assertThat(lines.get(2)).isEqualTo(JSON.readTree("{\"time\":1700000061000,\"placed\":{\"bundle\":\"" + bundle
                + "\",\"broker\":\"B\",\"reason\":\"PLANNED\"}}"));
        assertThat(lines.get(3).path("placed").path("broker").textValue()).isEqualTo("C");
        assertThat(lines.get(3).path("placed").path("reason").textValue()).isEqualTo("PREDICTED");
        assertThat(lines.get(4).path("placed").path("broker").isNull()).isTrue();
        assertThat(lines.get(4).path("placed").path("reason").isNull()).isTrue();
    }

    private static String place(long time, String bundle, String candidates) {
        return "{\"time\":" + time + ",\"place\":{\"bundle\":\"" + bundle + "\",\"candidates\":[" + candidates + "]}}";
    }

    @Test
    void aLineThatIsNotToShedTakesNoRound() throws IOException {
        String reportsOnly = Reports.round(0).replaceFirst("\\{", "{\"shed\":false,");

        List<JsonNode> rounds = json(trace(reportsOnly, Reports.round(1)));

        assertThat(rounds).hasSize(1);
        assertThat(rounds.get(0).path("round").intValue()).isEqualTo(1);
        assertThat(rounds.get(0).path("pairs").path(0).path("verdict").textValue()).isEqualTo("COUNTING");
    }

    @Test
    void laterSettingsAreMergedOverEarlierOnesAndTheCommandLineHoldsOverAll() throws IOException {
        Path trace = trace("{\"conf\":{\"loadBalancerAvgShedderHitCountHighThreshold\":\"9\"}}", Reports.round(0),
                "{\"conf\":{\"loadBalancerAvgShedderHitCountLowThreshold\":\"2\"}}", Reports.round(1));

        assertThat(json(trace).get(1).path("pairs").path(0).path("sentence").textValue())
                .startsWith("A -> B: cpu gap 50.0 >= 15, hits 2/2: 10 bundles");
        assertThat(json(trace, "--set", "loadBalancerAvgShedderHitCountLowThreshold=3").get(1).path("pairs").path(0)
                .path("verdict").textValue()).isEqualTo("COUNTING");
        assertThat(json(trace, "--set", "loadBalancerAvgShedderHitCountHighThreshold=1").get(0).path("pairs").path(0)
                .path("verdict").textValue()).isEqualTo("MOVED");
    }

    @Test
    void bundlesRestAfterAnUnloadForTheGracePeriodOfTheTracesTime() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("{\"conf\":{\"loadBalancerSheddingGracePeriodMinutes\":\"5\"}}");
        for (int minute = 0; minute < 12; minute++) {
            lines.add(Reports.round(minute));
        }

        List<JsonNode> rounds = json(trace(lines.toArray(String[]::new)));

        List<List<String>> moved = rounds.stream().map(round -> texts(round.path("transfers"), "bundle")).toList();
        assertThat(moved.get(1)).hasSize(10);
        for (int i = 2; i <= 6; i++) {
            assertThat(moved.get(i)).as("round %d", i + 1).doesNotContainAnyElementsOf(moved.get(1));
        }
        assertThat(moved.subList(7, 12).stream().flatMap(List::stream)).containsAnyElementsOf(moved.get(1));
    }

    @Test
    void aBrokerThatIsMissingHasLeftAndOneWithoutAReportIsNotIdle() throws IOException {
        String without = "{\"time\":" + (START + 60_000) + ",\"brokers\":{\"A\":"
                + Reports.report(80, 20_000, "t/ns", 11, 900, START + 60_000) + ",\"D\":null}}";

        JsonNode round = json(trace(Reports.round(0), without)).get(1);

        assertThat(texts(round.path("brokers"), "name")).containsExactly("A");
        assertThat(round.path("pairs")).hasSize(1);
        assertThat(round.path("pairs").path(0)).isEqualTo(JSON.readTree("{\"hot\":\"D\",\"cold\":null,\"gap\":null,"
                + "\"hitsLow\":0,\"hitsHigh\":0,\"verdict\":\"NO_LOAD_DATA\","
                + "\"sentence\":\"D: no load report with a known metric: takes no part\"}"));
    }

    @Test
    void aFrozenReportIsNotANewOne() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int minute = 0; minute < 8; minute++) {
            lines.add(Reports.round(0).replaceFirst("\"time\":\\d+", "\"time\":" + (START + minute * 60_000L)));
        }

        List<JsonNode> rounds = json(trace(lines.toArray(String[]::new)));

        assertThat(rounds.get(1).path("transfers")).hasSize(10);
        assertThat(rounds.subList(2, 8)).allSatisfy(round -> assertThat(round.path("transfers")).isEmpty());
    }

    @Test
    void aFigureThatIsNotKnownIsReadAsPulsarWritesIt() throws IOException {
        String notANumber = Reports.round(0).replaceFirst("\"usage\":80.0", "\"usage\":\"NaN\"");

        assertThat(json(trace(notANumber)).get(0).path("brokers").path(2))
                .isEqualTo(JSON.readTree("{\"name\":\"A\",\"score\":1.0,\"metric\":\"bandwidthIn\"}"));
    }

    @Test
    void anotherStrategyTakesTheSameRoundsAndIsScoredByTheSameMeasure() throws IOException {
        String hot = Reports.round(0).replaceFirst("\"usage\":80.0", "\"usage\":95.0");
        Path trace = trace(hot, place(START + 1, bundle("t/new", 0), "\"A\",\"B\""));

        List<JsonNode> lines = json(trace, "--strategy", OVERLOAD_SHEDDER);

        JsonNode round = lines.get(0);
        assertThat(texts(round.path("brokers"), "name")).containsExactly("A", "C", "B");
        assertThat(round.path("brokers").path(0).path("score").doubleValue()).isEqualTo(95.0);
        assertThat(round.path("pairs")).isEmpty();
        assertThat(texts(round.path("transfers"), "source")).isNotEmpty().containsOnly("A");
        assertThat(lines.get(1).path("placed").path("broker").textValue()).isEqualTo("B");
        assertThat(lines.get(1).path("placed").path("reason").isNull()).isTrue();
    }

    @Test
    void thePluginCanShedWhileAnotherClassPlaces() throws IOException {
        List<JsonNode> rounds = json(trace(Reports.round(0), Reports.round(1)), "--placement",
                "org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate");

        assertThat(rounds.get(1).path("pairs").path(0).path("verdict").textValue()).isEqualTo("MOVED");
        assertThat(rounds.get(1).path("transfers")).hasSize(10);
    }

    @Test
    void theClockIsGivenBack() throws IOException {
        TimeSource before = PluginClock.current();

        json(trace(Reports.round(0)));

        assertThat(PluginClock.current()).isSameAs(before);
    }

    @Test
    void aTraceMayEndWithoutALineEndAndHaveBlankLines() throws IOException {
        Path trace = Files.writeString(directory.resolve("trace.jsonl"),
                "\n" + Reports.round(0) + "\r\n\n" + Reports.round(1));

        assertThat(json(trace)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "{\"conf\":{\"loadBalancerAvgShedderDryRun\":\"true\"}}\n"})
    void aTraceWithNothingToReplayIsAnError(String content) throws IOException {
        Path trace = Files.writeString(directory.resolve("empty.jsonl"), content);

        for (Tool.Result result : List.of(replay(trace), replay(trace, "--json"))) {
            assertThat(result.status()).isEqualTo(2);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).contains("empty.jsonl: holds no report and no placement");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "hello | not valid JSON at column ",
        "{\"time\":1 | not valid JSON",
        "[] | a line must be a JSON object at column 1",
        "{} | a line needs conf, or time with brokers, or time with place",
        "{\"time\":1,\"brokers\":{}} {} | there is something after the JSON object at column 25",
        "{\"time\":1} | a line with time needs brokers or place",
        "{\"brokers\":{}} | time: is missing",
        "{\"time\":1,\"borkers\":{}} | borkers: unknown key",
        "{\"time\":1,\"brokers\":{},\"place\":{\"bundle\":\"t/n/b\",\"candidates\":[]}} | brokers and place",
        "{\"time\":\"1\",\"brokers\":{}} | time: must be a whole number",
        "{\"time\":1.5,\"brokers\":{}} | time: must be a whole number",
        "{\"time\":-1,\"brokers\":{}} | time: must be from 0 to 253402300799999, but is -1",
        "{\"time\":99999999999999999999,\"brokers\":{}} | time: must be from 0 to 253402300799999",
        "{\"time\":1,\"brokers\":[]} | brokers: must be an object",
        "{\"time\":1,\"brokers\":{\"A\":7}} | brokers.A: must be a load report at column 26",
        "{\"time\":1,\"brokers\":{\"A\":{},\"A\":{}}} | Duplicate field 'A'",
        "{\"time\":1,\"brokers\":{\"A\":{\"cpu\":{\"usage\":\"abc\"}}}} | brokers.A.cpu.usage: ",
        "{\"time\":1,\"brokers\":{\"A\":{\"cpu\":{\"usage\":null}}}} | brokers.A.cpu.usage: ",
        "{\"time\":1,\"brokers\":{\"A\":{\"lastUpdate\":1.5}}} | brokers.A.lastUpdate: ",
        "{\"time\":1,\"brokers\":{\"A\":{\"lastStats\":{\"t/n/b\":null}}}} | brokers.A.lastStats.t/n/b: must be",
        "{\"time\":1,\"brokers\":{\"A\":{\"bundles\":[null]}}} | brokers.A.bundles: a bundle has no name",
        "{\"time\":1,\"brokers\":{},\"shed\":\"no\"} | shed: must be true or false",
        "{\"time\":1,\"shed\":true,\"place\":{\"bundle\":\"t/n/b\",\"candidates\":[]}} | shed: belongs",
        "{\"time\":1,\"place\":{\"candidates\":[]}} | place.bundle: is missing",
        "{\"time\":1,\"place\":{\"bundle\":\"t/n/b\"}} | place.candidates: is missing",
        "{\"time\":1,\"place\":{\"bundle\":\"t/n/b\",\"candidates\":\"A\"}} | place.candidates: must be a list",
        "{\"time\":1,\"place\":{\"bundle\":\"t/n/b\",\"candidates\":[1]}} | place.candidates: must be a list",
        "{\"time\":1,\"place\":{\"bundle\":\"t/n/b\",\"brokers\":[]}} | place.brokers: unknown key",
        "{\"conf\":{\"a\":{}}} | conf.a: must be a text",
        "{\"conf\":{\"a\":null}} | conf.a: must be a text",
        "{\"conf\":{},\"time\":1} | conf: must stand alone in its line",
        "{\"conf\":{\"loadBalancerSheddingIntervalMinutes\":\"x\"}} | loadBalancerSheddingIntervalMinutes: a broker "
                + "does not start with the value \"x\"",
        "{\"conf\":{\"loadBalancerAvgShedderPlacement\":\"x\"}} | loadBalancerAvgShedderPlacement is \"x\"",
        "{\"conf\":{\"loadBalancerAvgShedderLowThreshold\":\"50\"}} | loadBalancerAvgShedderLowThreshold is 50, but",
    })
    void aLineThatCannotBeReadIsAnErrorWithItsNumberAndWhatIsWrong(String line, String complaint) throws IOException {
        Tool.Result result = replay(trace(Reports.round(-28_000_000), line, Reports.round(1)));

        assertThat(result.err()).startsWith(directory.resolve("trace.jsonl") + ":2: ").contains(complaint);
        assertThat(result.err().strip()).doesNotContain("\tat ").doesNotContain("Exception");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void timeMayNotStepBack() throws IOException {
        Tool.Result result = replay(trace(Reports.round(1), "", Reports.round(0)));

        assertThat(result.err()).contains("trace.jsonl:3: time 1700000000000 is before 1700000060000 of line 1");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void deepNestingIsAnErrorAndNotAnOverflow() throws IOException {
        Tool.Result result = replay(trace("{\"time\":1,\"brokers\":" + "{\"a\":".repeat(100_000) + "1"
                + "}".repeat(100_000) + "}"));

        assertThat(result.err()).contains("trace.jsonl:1: nested deeper than 32 levels");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aFileThatIsNotTextIsAnError() throws IOException {
        Path trace = Files.write(directory.resolve("trace.jsonl"), new byte[] {'{', (byte) 0xff, '}', '\n'});

        Tool.Result result = replay(trace);

        assertThat(result.err()).contains("trace.jsonl:1: the line is not UTF-8");
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aBrokerMayHaveAnyName() throws IOException {
        String odd = "{\"time\":1,\"brokers\":{\"\u4e2d\u6587 \\\"x\\\"\":"
                + Reports.report(1, 1, "t/n", 1, 1, 1) + "}}";
        Path trace = Files.writeString(directory.resolve("trace.jsonl"), odd, StandardCharsets.UTF_8);

        assertThat(texts(json(trace).get(0).path("brokers"), "name")).containsExactly("\u4e2d\u6587 \"x\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--set x | --set: must be KEY=VALUE, but is \"x\"",
        "--set loadBalancerAvgShedderLowThreshold=-1 | --set: loadBalancerAvgShedderLowThreshold",
        "--set loadBalancerSheddingGracePeriodMinutes=x | --set: loadBalancerSheddingGracePeriodMinutes: a broker",
        "--strategy no.Such | --strategy: there is no class no.Such on the class path",
        "--strategy java.lang.String | --strategy: java.lang.String is no LoadSheddingStrategy",
        "--placement java.lang.String | --placement: java.lang.String is no ModularLoadManagerStrategy",
        "--strategy java.util.List | --strategy: java.util.List has no constructor without arguments",
        "--nonsense | Unknown option: '--nonsense'",
    })
    void badArgumentsAreErrorsThatNameThem(String arguments, String complaint) throws IOException {
        Tool.Result result = replay(trace(Reports.round(0)), arguments.split(" "));

        assertThat(result.err()).contains(complaint).doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void anUnknownSettingOfOursIsAWarning() throws IOException {
        Tool.Result result = replay(trace(Reports.round(0)), "--json", "--set",
                "loadBalancerAvgShedderLwThreshold=20");

        assertThat(result.err()).startsWith("Warning: --set: loadBalancerAvgShedderLwThreshold")
                .contains("the nearest one is loadBalancerAvgShedderLowThreshold");
        assertThat(result.lines()).hasSize(1);
        assertThat(result.status()).isZero();
    }

    @Test
    void aTraceThatIsNotThereIsAnError() {
        Tool.Result missing = replay(directory.resolve("missing.jsonl"));
        Tool.Result folder = replay(directory);

        assertThat(missing.err()).isEqualToIgnoringNewLines(directory.resolve("missing.jsonl") + ": no such file");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(folder.err()).isEqualToIgnoringNewLines(directory + ": is a directory");
        assertThat(folder.status()).isEqualTo(2);
    }

    @Test
    void aStrategyOfTheBrokerThatKeepsAveragesRuns() throws IOException {
        assertThat(json(trace(Reports.round(0), Reports.round(1)), "--strategy", THRESHOLD_SHEDDER)).hasSize(2);
    }
}
