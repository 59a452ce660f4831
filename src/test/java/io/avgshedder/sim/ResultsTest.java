package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultsTest {

    private static final Scenario SCENARIO = ScenarioReader.read("s.yaml", "s", new StringReader("""
            minutes: 10
            brokers: [{name: a, capacity: 1}]
            bundles: [{namespace: t/n, count: 1, rate: 1}]
            """));

    private static Run run(long seed, Double level, int unloads, double regret) {
        return new Run("avg", seed, level, 1, unloads, 2.5, 0, 0, regret, true, 3.25, 0, 4, List.of(),
                new Run.History(List.of(), new double[0], new double[0][], List.of(), List.of()));
    }

    @Test
    void jsonHasEveryRunAndTheMedians() throws IOException {
        Results results = new Results(SCENARIO, List.of(run(1, 2.0, 4, 1), run(2, null, 8, 2), run(3, 4.0, 5, 1.5)));

        JsonNode json = new ObjectMapper().readTree(results.json());

        assertThat(json.get("scenario").asText()).isEqualTo("s");
        assertThat(json.get("runs")).hasSize(3);
        JsonNode second = json.get("runs").get(1);
        assertThat(second.get("strategy").asText()).isEqualTo("avg");
        assertThat(second.get("seed").asInt()).isEqualTo(2);
        assertThat(second.get("minutesToLevel").isNull()).as("null where it never levels").isTrue();
        assertThat(second.get("disturbedBytesPerSecond").asDouble()).isEqualTo(2.5);
        assertThat(second.get("expectationsMet").asBoolean()).isTrue();
        JsonNode medians = json.get("medians").get("avg");
        assertThat(medians.get("minutesToLevel").asDouble()).isEqualTo(4);
        assertThat(medians.get("unloads").asInt()).isEqualTo(5);
        assertThat(medians.get("regret").asDouble()).isEqualTo(1.5);
        assertThat(medians.get("finalSpread").asDouble()).isEqualTo(3.25);
    }

    @Test
    void aMedianThatIsNeverReachedIsNull() throws IOException {
        Results results = new Results(SCENARIO, List.of(run(1, null, 0, Double.POSITIVE_INFINITY), run(2, null, 0, 1)));

        JsonNode medians = new ObjectMapper().readTree(results.json()).get("medians").get("avg");

        assertThat(medians.get("minutesToLevel").isNull()).isTrue();
        assertThat(medians.get("regret").isNull()).isTrue();
    }

    @Test
    void theTableSaysNeverAndHowManyMetTheirExpectations() {
        assertThat(new Results(SCENARIO, List.of(run(1, null, 0, 1))).table()).contains("never").contains("1 of 1");
    }
}
