package io.avgshedder.distribution;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What {@code pulsar-perf} prints, read from its regular lines. */
final class PerfLog {

    private static final Pattern PRODUCED = Pattern.compile(
            "Throughput produced:\\s+\\d+ msg ---\\s+[\\d.]+ msg/s .* failure\\s+([\\d.]+) msg/s");
    private static final Pattern RECEIVED = Pattern.compile("Throughput received:\\s+(\\d+) msg ---");
    private static final Pattern SENT_IN_ALL =
            Pattern.compile("Aggregated throughput stats ---\\s+(\\d+) records sent");

    private final List<String> lines;

    private PerfLog(List<String> lines) {
        this.lines = lines;
    }

    static PerfLog of(List<String> lines) {
        return new PerfLog(lines);
    }

    /** The lines that tell of a message that could not be sent, in the regular statistics or on its own. */
    List<String> failures() {
        return lines.stream().filter(PerfLog::tellsOfFailure).toList();
    }

    private static boolean tellsOfFailure(String line) {
        return PRODUCED.matcher(line).results().anyMatch(match -> Double.parseDouble(match.group(1)) > 0)
                || line.contains("Write message error");
    }

    /** How many messages the producer had acknowledged when it ended. */
    long sentInAll() {
        return results(SENT_IN_ALL).stream().mapToLong(match -> Long.parseLong(match.group(1))).findFirst()
                .orElseThrow(() -> new IllegalStateException("The producer has not told how many messages it sent"));
    }

    long received() {
        return results(RECEIVED).stream().mapToLong(match -> Long.parseLong(match.group(1))).max().orElse(0);
    }

    private List<MatchResult> results(Pattern pattern) {
        return lines.stream().flatMap(line -> pattern.matcher(line).results()).toList();
    }
}
