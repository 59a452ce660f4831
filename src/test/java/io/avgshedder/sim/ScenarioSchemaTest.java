package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the schema says of scenarios is what the reader takes. */
class ScenarioSchemaTest {

    private static Scenario read(String yaml) {
        return ScenarioReader.read("schema.yaml", "schema", new StringReader(yaml));
    }

    private static String example() {
        String schema = ScenarioReader.schema();
        int from = schema.indexOf("```yaml\n") + "```yaml\n".length();
        return schema.substring(from, schema.indexOf("```", from));
    }

    /** The keys that the reader names when it is given one that it does not know. */
    private static List<String> knownBeside(String unknown) {
        String minutes = unknown.contains("minutes") ? "" : "minutes: 5\n";
        String brokers = unknown.contains("brokers:") ? "" : "brokers: [{name: a, capacity: 1}]\n";
        String bundles = unknown.contains("bundles:") ? "" : "bundles: [{namespace: t/n, count: 1, rate: 1}]\n";
        ScenarioException refused = catchThrowableOfType(ScenarioException.class,
                () -> read(minutes + brokers + bundles + unknown));
        String known = refused.getMessage();
        assertThat(known).contains("known here are ");
        return List.of(known.substring(known.indexOf("known here are ") + "known here are ".length()).split(", "));
    }

    @Test
    void theExampleIsAScenarioThatRuns() {
        Scenario scenario = read(example());

        Run run = Simulation.run(scenario, Strategies.find("level").orElseThrow(), 1, false);

        assertThat(scenario.expectationsFor("level").levelWithin()).isEqualTo(20);
        assertThat(run.failures()).isZero();
        assertThat(run.broken()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "x: 1", "brokers: [{x: 1}]", "bundles: [{x: 1}]", "load: [{x: 1}]", "noise: {x: 1}", "events: [{x: 1}]",
        "reports: {x: 1}", "unloads: {x: 1}", "expect: {all: {x: 1}}"})
    void everyKeyIsExplained(String unknown) {
        List<String> known = knownBeside(unknown);

        assertThat(known).hasSizeGreaterThan(2);
        for (String key : known) {
            assertThat(ScenarioReader.schema()).as("the schema on %s", unknown).contains("`" + key + "`");
        }
    }

    @Test
    void everyScenarioOfTheJarCanBeShown() {
        for (String name : ScenarioReader.names()) {
            assertThat(ScenarioReader.text(name)).hasValueSatisfying(text ->
                    assertThat(read(text).title()).isEqualTo(ScenarioReader.read(name).title()));
        }
        assertThat(ScenarioReader.text("none")).isEmpty();
    }
}
