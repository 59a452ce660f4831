package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {

    private static final String GOOD = """
            title: Two brokers
            minutes: 30
            brokers:
              - {name: a, capacity: 20000, cores: 4}
              - {name: b, count: 2, capacity: 10000}
            bundles:
              - {namespace: t/n, count: 4, rate: 400, on: {a: 3, b-2: 1}}
            events:
              - {at: 5, restart: b, every: 3, down: 2}
            settings:
              all: {loadBalancerSheddingGracePeriodMinutes: 10}
              avg: {loadBalancerAvgShedderLowThreshold: 20}
            expect:
              all: {unloads: 3, returns: 0}
              avg: {unloads: 1}
            """;

    private static Scenario read(String yaml) {
        return ScenarioReader.read("my.yaml", "my", new StringReader(yaml));
    }

    @Test
    void readsWhatIsWrittenAndFillsInTheRest() {
        Scenario scenario = read(GOOD);

        assertThat(scenario.title()).isEqualTo("Two brokers");
        assertThat(scenario.brokers().get(0).cores()).isEqualTo(4);
        assertThat(scenario.brokers().get(1).names()).containsExactly("b-1", "b-2");
        assertThat(scenario.bundles().get(0).start())
                .isEqualTo(new Scenario.Start.On(Map.of("a", 3, "b-2", 1)));
        assertThat(scenario.reporting().longest()).isEqualTo(15);
        assertThat(scenario.measureFrom()).as("after the last of b-1 and b-2 is back").isEqualTo(10);
        assertThat(scenario.settingsFor("avg")).containsOnly(
                Map.entry("loadBalancerSheddingGracePeriodMinutes", "10"),
                Map.entry("loadBalancerAvgShedderLowThreshold", "20"));
        assertThat(scenario.settingsFor("builtin")).hasSize(1);
        assertThat(scenario.expectationsFor("avg").unloads()).isEqualTo(1);
        assertThat(scenario.expectationsFor("avg").returns()).isZero();
        assertThat(scenario.expectationsFor("builtin").unloads()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            minutes: 30 | minutes: soon | my.yaml:2: minutes: must be a number, but is "soon"
            minutes: 30 | minutes: 0 | my.yaml:2: minutes: must be from 1 to 10000, but is 0
            minutes: 30 | minute: 30 | my.yaml:2: minute: is not known; known here
            minutes: 30 | minutes: [1, 2] | my.yaml:2: minutes: must be a single value, but is a list
            cores: 4 | cpus: 4 | my.yaml:4: brokers[0].cpus: is not known
            name: b, count: 2 | name: b, count: 1.5 | my.yaml:5: brokers[1].count: must be a whole number, but is 1.5
            name: b, | name: a, | my.yaml:5: brokers[1]: there are two brokers or groups of the name a
            namespace: t/n | namespace: n | my.yaml:7: bundles[0].namespace: must be tenant/namespace, but is "n"
            b-2: 1 | b-3: 1 | my.yaml:7: bundles[0].on.b-3: there is no broker "b-3"
            b-2: 1 | b-2: 2 | my.yaml:7: bundles[0].on: places 5 bundles, but there are 4
            restart: b | restart: c | my.yaml:9: events[0].restart: there is no broker "c"
            restart: b, every: 3 | every: 3 | my.yaml:9: events[0]: says nothing that happens
            all: {unloads: 3 | all: {unload: 3 | my.yaml:14: expect.all.unload: is not known
            all: {unloads: 3 | al: {unloads: 3 | my.yaml:14: expect.al: is no strategy; known are all, avg, level
            avg: {loadB | agv: {loadB | my.yaml:12: settings.agv: is no strategy; known are all, avg, level
            restart: b, | restart: b, join: a, | my.yaml:9: events[0]: says restart and join; each needs an entry
            rate: 400 | rate: -1 | my.yaml:7: bundles[0].rate: must be from 0
            """)
    void namesFileLineAndKeyOfWhatIsWrong(String good, String bad, String message) {
        assertThat(GOOD).contains(good);

        assertThatExceptionOfType(ScenarioException.class).isThrownBy(() -> read(GOOD.replaceFirst(
                java.util.regex.Pattern.quote(good), bad))).withMessageStartingWith(message);
    }

    @Test
    void saysWhatIsMissing() {
        assertThatExceptionOfType(ScenarioException.class).isThrownBy(() -> read("minutes: 3"))
                .withMessage("my.yaml:1: \"brokers\" is missing");
        assertThatExceptionOfType(ScenarioException.class).isThrownBy(() -> read(""))
                .withMessage("my.yaml: is empty");
    }

    @Test
    void namesTheLineThatIsNoYaml() {
        assertThatExceptionOfType(ScenarioException.class).isThrownBy(() -> read("minutes: 3\nbrokers: [\n"))
                .withMessageStartingWith("my.yaml:3: ");
    }

    @Test
    void refusesAliasesBeforeAnyIsExpanded() {
        assertThatExceptionOfType(ScenarioException.class).isThrownBy(() -> read("""
                title: &a [x, x]
                about: &b [*a, *a, *a, *a, *a, *a, *a, *a]
                brokers: &c [*b, *b, *b, *b, *b, *b, *b, *b]
                bundles: [*c, *c, *c, *c, *c, *c, *c, *c]
                """)).withMessageContaining("aliases are not supported");
    }

    @Test
    void refusesWhatIsNestedTooDeeply() {
        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> read("title: " + "[".repeat(100) + "]".repeat(100)))
                .withMessageContaining("my.yaml");
    }

    @Test
    void followsNoTypeTag() {
        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> read("title: !!java.net.URL [\"http://localhost/\"]\nminutes: 3"));
    }

    @Test
    void readsAFileByItsPath(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), GOOD);

        assertThat(ScenarioReader.read(file.toString()).name()).isEqualTo("own");
        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> ScenarioReader.read(directory.resolve("none.yaml").toString()))
                .withMessageContaining("none.yaml: there is neither a scenario nor a file of this name");
    }
}
