package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario of the jar, run once with the plugin, ends within the bounds it states. */
class ScenariosTest {

    private static final long SEED = 1;

    @BeforeAll
    static void silence() {
        Configurator.setLevel("io.avgshedder", Level.OFF);
    }

    @AfterAll
    static void speak() {
        Configurator.setLevel("io.avgshedder", Level.INFO);
    }

    static List<String> names() {
        return ScenarioReader.names();
    }

    static Strategies.Strategy plugin() {
        return Strategies.find("avg").orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("names")
    void scenarioEndsWithinItsBounds(String name) {
        Scenario scenario = ScenarioReader.read(name);
        assertThat(scenario.expectationsFor("avg")).as("expectations of %s", name)
                .isNotEqualTo(Scenario.Expectations.NONE);

        Run run = Simulation.run(scenario, plugin(), SEED, false);

        assertThat(run.broken()).as("expectations of %s that seed %d breaks", name, SEED).isEmpty();
        assertThat(run.failures()).as("calls of the plugin that threw").isZero();
    }

    @Test
    void aRunIsTheSameForTheSameSeedAndAnotherForAnother() {
        Scenario scenario = ScenarioReader.read("scale-out");

        Run first = Simulation.run(scenario, plugin(), SEED, true);
        Run second = Simulation.run(scenario, plugin(), SEED, true);
        Run other = Simulation.run(scenario, plugin(), SEED + 1, true);

        assertThat(second.history().trace()).isNotEmpty().isEqualTo(first.history().trace());
        assertThat(Arrays.deepToString(second.history().usage()))
                .isEqualTo(Arrays.deepToString(first.history().usage()));
        assertThat(other.history().trace()).isNotEqualTo(first.history().trace());
    }

    @Test
    void allStrategiesMeetTheSameLoad() {
        Scenario scenario = ScenarioReader.read("jitter");
        Strategies.Strategy none = new Strategies.Strategy("none", ShedNothing.class.getName(),
                "io.avgshedder.AvgShedder", java.util.Map.of());

        Run idle = Simulation.run(scenario, none, SEED, false);
        Run plugin = Simulation.run(scenario, plugin(), SEED, false);

        assertThat(plugin.unloads()).isZero();
        assertThat(plugin.history().usage()).isDeepEqualTo(idle.history().usage());
    }

    @Test
    void aFrozenReportThatIsBelievedEmptiesTheBroker() {
        Run run = Simulation.run(ScenarioReader.read("frozen-report"), Strategies.find("threshold").orElseThrow(),
                SEED, false);

        assertThat(run.harmfulMoves()).isPositive();
        assertThat(run.expectationsMet()).isFalse();
    }
}
