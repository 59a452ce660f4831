package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps of each broker what the leader keeps: the report as it was last <em>written</em>.
 *
 * <p>A broker that is asked computes its figures anew, but the leader decides on what the broker wrote, which may be a
 * quarter of an hour old. So an answer is kept only where its {@code lastUpdate} says that the broker has written since
 * the one before, and what was seen at that moment is nearest to what was written.
 */
final class Recorder {

    private final TraceFile file;
    private final Pseudonyms pseudonyms;
    private final Map<String, ObjectNode> kept = new TreeMap<>();

    /** @param pseudonyms {@code null} to record names as they are */
    Recorder(TraceFile file, Pseudonyms pseudonyms) {
        this.file = file;
        this.pseudonyms = pseudonyms;
    }

    /** Brokers that are not among these have left. */
    void active(Collection<String> brokers) {
        kept.keySet().retainAll(brokers);
    }

    /** An answer; returns whether it is kept. */
    boolean seen(String broker, ObjectNode report) {
        ObjectNode before = kept.get(broker);
        if (before != null && before.path("lastUpdate").asLong() == report.path("lastUpdate").asLong()) {
            return false;
        }
        kept.put(broker, report);
        return true;
    }

    /** How many brokers have a report. */
    int size() {
        return kept.size();
    }

    /** Appends settings. */
    void conf(Map<String, String> lines) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        ObjectNode conf = line.putObject("conf");
        (pseudonyms == null ? lines : pseudonyms.conf(lines)).forEach(conf::put);
        file.append(line.toString());
    }

    /** Appends a round; returns whether it could, which it cannot where the clock has stepped back. */
    boolean round(long now) {
        if (now < file.latest()) {
            return false;
        }
        ObjectNode line = JsonNodeFactory.instance.objectNode().put("time", now);
        ObjectNode brokers = line.putObject("brokers");
        kept.forEach((broker, report) -> {
            if (pseudonyms == null) {
                brokers.set(broker, report);
            } else {
                brokers.set(pseudonyms.broker(broker), pseudonyms.report(report));
            }
        });
        return file.append(line.toString(), now);
    }
}
