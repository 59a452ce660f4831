package io.avgshedder.tool;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import java.io.PrintWriter;
import java.util.List;

/** JSON Lines, one for each round and one for each placement. */
final class RoundJson implements RoundOutput {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final PrintWriter out;

    RoundJson(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void round(Round round) {
        out.println(node(round));
    }

    @Override
    public void placed(long time, String bundle, String broker, PlacementReason reason) {
        ObjectNode line = MAPPER.createObjectNode().put("time", time);
        line.putObject("placed").put("bundle", bundle).put("broker", broker)
                .put("reason", reason == null ? null : reason.name());
        out.println(line);
    }

    @Override
    public void end() {
        out.flush();
    }

    /** The round as an object; a gap that is unknown is {@code null}. */
    static ObjectNode node(Round round) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("round", round.number()).put("time", round.time());
        ArrayNode brokers = node.putArray("brokers");
        for (BrokerScore score : round.brokers()) {
            brokers.addObject().put("name", score.broker()).put("score", score.score())
                    .put("metric", score.metric().label());
        }
        node.set("pairs", pairs(round.verdicts()));
        ArrayNode transfers = node.putArray("transfers");
        for (Transfer transfer : round.transfers()) {
            transfers.addObject().put("bundle", transfer.bundle()).put("source", transfer.source())
                    .put("target", transfer.target());
        }
        return node;
    }

    /** What a round says of its pairs and of single brokers. */
    static ArrayNode pairs(List<Verdict> verdicts) {
        ArrayNode pairs = JsonNodeFactory.instance.arrayNode();
        for (Verdict verdict : verdicts) {
            pairs.addObject().put("hot", verdict.hot()).put("cold", verdict.cold())
                    .put("gap", Double.isFinite(verdict.gap()) ? (Double) verdict.gap() : null)
                    .put("hitsLow", verdict.hitsLow()).put("hitsHigh", verdict.hitsHigh())
                    .put("verdict", verdict.reason().name()).put("sentence", verdict.sentence());
        }
        return pairs;
    }
}
