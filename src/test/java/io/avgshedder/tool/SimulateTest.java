package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {

    /** 90 and 10 points: ours moves bundles in one round, and then is level. */
    private static final String UNEVEN = """
            title: Uneven & small
            minutes: 20
            brokers: [{name: a, capacity: 20000}, {name: b, capacity: 20000}]
            bundles: [{namespace: t/n, count: 20, rate: 18000, on: {a: 19, b: 1}}]
            expect: {avg: {harmfulMoves: 0}, level: {harmfulMoves: 0}}
            """;

    @TempDir
    private Path directory;

    private Path uneven;

    @BeforeAll
    static void silence() {
        Configurator.setLevel("io.avgshedder", Level.OFF);
    }

    @AfterAll
    static void speak() {
        Configurator.setLevel("io.avgshedder", Level.INFO);
    }

    @BeforeEach
    void writeScenario() throws IOException {
        uneven = Files.writeString(directory.resolve("uneven.yaml"), UNEVEN);
    }

    private static List<String> names(JsonNode object) {
        return List.copyOf(new ObjectMapper().convertValue(object, LinkedHashMap.class).keySet());
    }

    private JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(directory.resolve(name).toFile());
    }

    @Test
    void jsonHasEveryRunAndTheMediansInTheFormThatIsPromised() throws IOException {
        Path file = directory.resolve("out.json");

        Tool.Result result = Tool.run("simulate", uneven.toString(), "--strategies", "avg,threshold", "--seeds", "2",
                "--first-seed", "7", "--json", file.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(result.out()).startsWith("uneven: Uneven & small").contains("  avg ").contains("  threshold ");
        JsonNode json = json("out.json");
        assertThat(names(json)).containsExactly("scenario", "runs", "medians");
        assertThat(json.get("scenario").asText()).isEqualTo("uneven");
        assertThat(json.get("runs")).hasSize(4);
        JsonNode run = json.get("runs").get(1);
        assertThat(names(run)).containsExactly("strategy", "seed", "minutesToLevel", "sheddingRounds", "unloads",
                "disturbedBytesPerSecond", "harmfulMoves", "returns", "regret", "finalSpread", "expectationsMet");
        assertThat(run.get("strategy").asText()).isEqualTo("avg");
        assertThat(run.get("seed").asInt()).isEqualTo(8);
        assertThat(run.get("sheddingRounds").asInt()).isEqualTo(1);
        assertThat(run.get("minutesToLevel").asDouble()).isBetween(0.1, 5.0);
        assertThat(run.get("unloads").asInt()).isBetween(8, 9);
        assertThat(run.get("expectationsMet").isBoolean()).isTrue();
        assertThat(names(json.get("medians"))).containsExactly("avg", "threshold");
        assertThat(names(json.get("medians").get("avg"))).containsExactly("minutesToLevel", "sheddingRounds", "unloads",
                "disturbedBytesPerSecond", "harmfulMoves", "returns", "regret", "finalSpread");
    }

    @Test
    void whatIsNeverReachedIsNullAndSeveralScenariosAreAnArray() throws IOException {
        Path still = Files.writeString(directory.resolve("still.yaml"),
                UNEVEN + "settings: {avg: {loadBalancerAvgShedderDryRun: true}}\n");

        Tool.Result result = Tool.run("simulate", uneven.toString(), still.toString(), "--strategies", "avg", "--json",
                directory.resolve("out.json").toString());

        assertThat(result.status()).isZero();
        JsonNode json = json("out.json");
        assertThat(json).hasSize(2);
        assertThat(json.get(1).get("scenario").asText()).isEqualTo("still");
        assertThat(json.get(1).get("runs").get(0).get("minutesToLevel").isNull()).isTrue();
        assertThat(json.get(1).get("medians").get("avg").get("minutesToLevel").isNull()).isTrue();
        assertThat(json.get(1).get("medians").get("avg").get("regret").asDouble()).isEqualTo(1);
    }

    @Test
    void anExpectationThatIsNotMetIsStatusOne() throws IOException {
        Files.writeString(uneven, UNEVEN.replace("harmfulMoves: 0", "unloads: 1"));

        Tool.Result result = Tool.run("simulate", uneven.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).contains("unloads, not at most 1");
    }

    @Test
    void bothPlansOfThisPluginRunUnlessOthersAreNamed() {
        Tool.Result result = Tool.run("simulate", uneven.toString());

        assertThat(result.lines()).hasSize(4);
        assertThat(result.lines().get(2)).startsWith("  avg ");
        assertThat(result.lines().get(3)).startsWith("  level ");
    }

    @Test
    void aSettingIsForThisPluginAndHoldsOverTheScenarios() throws IOException {
        Files.writeString(uneven, UNEVEN + "settings: {all: {loadBalancerAvgShedderDryRun: false}}\n");

        Tool.Result result = Tool.run("simulate", uneven.toString(), "--strategies", "avg,threshold", "--set",
                "loadBalancerAvgShedderDryRun=true", "--json", directory.resolve("out.json").toString());

        assertThat(result.err()).isEmpty();
        JsonNode medians = json("out.json").get("medians");
        assertThat(medians.get("avg").get("unloads").asInt()).isZero();
        assertThat(medians.get("threshold").get("unloads").asInt()).isPositive();
    }

    @Test
    void theTraceTellsWhatThePluginSaidAndWhatWasTrue() {
        Tool.Result result = Tool.run("simulate", uneven.toString(), "--strategies", "avg", "--trace");

        assertThat(result.out()).contains("--- avg, seed 1").containsPattern("truth: \\d+ bundles from a");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            simulate | Which scenario?
            simulate nix | nix: there is neither a scenario nor a file of this name; scenarios are two-brokers,
            simulate idle --strategies avg,x | --strategies: there is no "x"; there are avg, level, builtin,
            simulate idle --strategies a.B+c.D | --strategies: a.B+c.D: there is no class a.B on the class path
            simulate idle --strategies java.lang.Object+c.D | java.lang.Object is no LoadSheddingStrategy
            simulate idle --seeds 0 | --seeds: must be from 1 to 1000, but is 0
            simulate idle --seeds many | Invalid value for option '--seeds'
            simulate idle --set x | --set: must be KEY=VALUE, but is "x"
            simulate idle --set loadBalancerAvgShedderPlan=level | choose the plan with --strategies
            simulate idle --set loadBalancerAvgShedderLowThreshold=high | loadBalancerAvgShedderLowThreshold
            simulate idle --strategies threshold --set loadBalancerAvgShedderDryRun=true | not among --strategies
            simulate idle jitter --html x.html | --html: takes one scenario, but there are 2
            simulate idle --json none/x | --json: none/x cannot be written
            simulate idle --html . | --html: . is a directory
            simulate --show nix | --show: there is no scenario "nix" in this jar; there are two-brokers,
            """)
    void badInputIsStatusTwoAndSaysWhatIsWrong(String command, String message) {
        Tool.Result result = Tool.run(command.split(" "));

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(message).doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void aMistakeInAScenarioIsShownWithItsLine() throws IOException {
        Files.writeString(uneven, UNEVEN.replace("minutes: 20", "minutes: soon"));

        Tool.Result result = Tool.run("simulate", uneven.toString());

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).startsWith(uneven + ":2: minutes: must be a number, but is \"soon\"");
    }

    @Test
    void aSettingOfAScenarioThatABrokerWouldRefuseIsBadInput() throws IOException {
        Files.writeString(uneven, UNEVEN + "settings: {threshold: {loadBalancerSheddingIntervalMinutes: often}}\n");

        Tool.Result result = Tool.run("simulate", uneven.toString(), "--strategies", "avg,threshold");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("uneven: settings: loadBalancerSheddingIntervalMinutes");
    }

    @Test
    void listShowAndSchemaPrintAndRunNothing() {
        Tool.Result list = Tool.run("simulate", "--list");
        Tool.Result show = Tool.run("simulate", "--show", "idle");
        Tool.Result schema = Tool.run("simulate", "--schema");

        assertThat(List.of(list.status(), show.status(), schema.status())).containsOnly(0);
        assertThat(list.lines()).anyMatch(line -> line.startsWith("idle  ")).hasSizeGreaterThan(25);
        assertThat(show.out()).startsWith("title: ").contains("brokers:");
        assertThat(schema.out()).contains("| `capacity` |");
    }

    @Test
    void theComparisonTakesItsPlaceInATextAndLeavesTheRest() throws IOException {
        Path file = Files.writeString(directory.resolve("README.md"), "before\n" + Comparison.BEGIN + "\nold\n"
                + Comparison.END + "\nafter\n");

        Tool.Result result = Tool.run("simulate", uneven.toString(), "idle", "--strategies", "avg,threshold",
                "--seeds", "2", "--markdown", file.toString());

        assertThat(result.err()).isEmpty();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).startsWith("before", Comparison.BEGIN).endsWith(Comparison.END, "after")
                .doesNotContain("old").contains("| scenario | `avg` | `threshold` |", "| --- | --- | --- |");
        assertThat(lines).anyMatch(line ->
                line.matches("\\| uneven \\| [\\d.]+ / [89](\\.5)? / 0 / 0 / [\\d.]+ \\|.*"));
        assertThat(lines).anyMatch(line -> line.startsWith("| idle | 0 / 0 / 0 / 0 / "));
    }

    @Test
    void theComparisonGoesIntoANewFileButNotIntoOneWithoutAPlaceForIt() throws IOException {
        Path fresh = directory.resolve("new.md");
        Path other = Files.writeString(directory.resolve("other.md"), "text\n");

        assertThat(Tool.run("simulate", uneven.toString(), "--markdown", fresh.toString()).status()).isZero();
        Tool.Result refused = Tool.run("simulate", uneven.toString(), "--markdown", other.toString());

        assertThat(Files.readString(fresh)).startsWith(Comparison.BEGIN).endsWith(Comparison.END + "\n");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("has no place for the table").contains(Comparison.BEGIN);
        assertThat(refused.out()).as("said before anything runs").isEmpty();
        assertThat(other).hasContent("text\n");
    }

    @Test
    void thePageHoldsItsDataAndNothingThatIsLoaded() throws IOException {
        Files.writeString(uneven, UNEVEN.replace("Uneven & small", "\"</script><script>alert(1)</script>\""));
        Path file = directory.resolve("page.html");

        Tool.Result result = Tool.run("simulate", uneven.toString(), "--strategies", "avg,threshold", "--seeds", "2",
                "--html", file.toString());

        assertThat(result.err()).isEmpty();
        String page = Files.readString(file);
        assertThat(page).doesNotContain("alert(1)</script>").doesNotContain("{{")
                .contains("<h1>&lt;/script&gt;&lt;script&gt;alert(1)")
                .contains("default-src 'none'").contains("MIT License").contains("uPlot=function");
        assertThat(page).doesNotContainPattern("(src|href)=\"(?!data:)");
        String start = "<script type=\"application/json\" id=\"data\">";
        int from = page.indexOf(start) + start.length();
        JsonNode data = new ObjectMapper().readTree(page.substring(from, page.indexOf("</script>", from)));
        assertThat(data.get("lines")).extracting(JsonNode::asText).containsExactly("a", "b");
        assertThat(data.get("minutes")).hasSize(20 * 4 + 1);
        assertThat(data.get("strategies")).hasSize(2);
        JsonNode run = data.get("strategies").get(0).get("runs").get(1);
        assertThat(run.get("seed").asInt()).isEqualTo(2);
        assertThat(run.get("text").asText()).contains("in 1 round, none of them harmful");
        assertThat(run.get("sheds")).hasSize(1);
        assertThat(run.get("usage")).hasSize(2);
        assertThat(run.get("usage").get(0).get(0).asDouble()).as("a at the start").isBetween(88.0, 93.0);
        assertThat(run.get("usage").get(1).get(80).asDouble()).as("b at the end").isBetween(45.0, 55.0);
    }

    @Test
    void manyBrokersAreShownByTheirDistribution() throws IOException {
        Files.writeString(uneven, """
                title: One busy broker of 25
                minutes: 1
                brokers: [{name: b, count: 25, capacity: 1000, idle: 10}]
                bundles: [{namespace: t/n, count: 1, rate: 400, on: b-7}]
                noise: {jitter: 0}
                """);
        Path file = directory.resolve("page.html");

        assertThat(Tool.run("simulate", uneven.toString(), "--html", file.toString()).status()).isZero();

        assertThat(Files.readString(file)).contains("\"lines\":[\"hottest broker\",\"90th percentile\",\"median\","
                + "\"10th percentile\",\"coolest broker\"]")
                .contains("\"usage\":[[50.0,50.0,50.0,50.0,50.0],[10.0,10.0,10.0,10.0,10.0],");
    }
}
