package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.avgshedder.sim.Measure;
import io.avgshedder.sim.Results;
import io.avgshedder.sim.Run;

/** The runs of a scenario and their medians as JSON; what is infinite is {@code null}. */
final class ResultsJson {

    private static final double DECIMALS = 1e4;

    private ResultsJson() {
    }

    static ObjectNode node(Results results) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("scenario", results.scenario().name());
        ArrayNode runs = node.putArray("runs");
        for (Run run : results.runs()) {
            ObjectNode each = runs.addObject().put("strategy", run.strategy()).put("seed", run.seed());
            for (Measure measure : Measure.values()) {
                put(each, measure, measure.of(run));
            }
            each.put("expectationsMet", run.expectationsMet());
        }
        ObjectNode medians = node.putObject("medians");
        for (String strategy : results.strategies()) {
            ObjectNode each = medians.putObject(strategy);
            for (Measure measure : Measure.values()) {
                put(each, measure, results.median(strategy, measure));
            }
        }
        return node;
    }

    private static void put(ObjectNode node, Measure measure, double value) {
        if (!Double.isFinite(value)) {
            node.putNull(measure.key());
        } else if (measure == Measure.DISTURBED || value == Math.rint(value)) {
            node.put(measure.key(), Math.round(value));
        } else {
            node.put(measure.key(), Math.rint(value * DECIMALS) / DECIMALS);
        }
    }
}
