package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

    private static final Scenario SCENARIO = ScenarioReader.read("s.yaml", "s", new StringReader("""
            minutes: 10
            brokers: [{name: a, capacity: 1}]
            bundles: [{namespace: t/n, count: 1, rate: 1}]
            """));

    private static Run run(String strategy, long seed, Double level, int unloads, double regret) {
        return new Run(strategy, seed, level, 1, unloads, 2.5, 0, 0, regret, true, 3.25, 0, 4, List.of(),
                new Run.History(List.of(), new double[0], new double[0][], List.of(), List.of()));
    }

    @Test
    void theMedianOfAnOddNumberIsTheMiddleOne() {
        Results results = new Results(SCENARIO, List.of(run("avg", 1, 2.0, 4, 1), run("avg", 2, null, 8, 2),
                run("level", 1, 9.0, 100, 9), run("avg", 3, 4.0, 5, 1.5)));

        assertThat(results.strategies()).containsExactly("avg", "level");
        assertThat(results.of("avg")).extracting(Run::seed).containsExactly(1L, 2L, 3L);
        assertThat(results.median("avg", Measure.MINUTES_TO_LEVEL)).isEqualTo(4);
        assertThat(results.median("avg", Measure.UNLOADS)).isEqualTo(5);
        assertThat(results.median("avg", Measure.REGRET)).isEqualTo(1.5);
        assertThat(results.median("level", Measure.UNLOADS)).isEqualTo(100);
        assertThat(results.least("avg", Measure.UNLOADS)).isEqualTo(4);
        assertThat(results.most("avg", Measure.UNLOADS)).isEqualTo(8);
        assertThat(results.most("avg", Measure.MINUTES_TO_LEVEL)).as("never").isInfinite();
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        Results results = new Results(SCENARIO, List.of(run("avg", 1, 2.0, 4, 1), run("avg", 2, null, 8, 2)));

        assertThat(results.median("avg", Measure.UNLOADS)).isEqualTo(6);
        assertThat(results.median("avg", Measure.MINUTES_TO_LEVEL)).as("half of the seeds never").isInfinite();
    }

    @Test
    void theTableSaysNeverAndHowManyMetTheirExpectations() {
        assertThat(new Results(SCENARIO, List.of(run("avg", 1, null, 0, 1))).table()).contains("never")
                .contains("1 of 1");
    }
}
