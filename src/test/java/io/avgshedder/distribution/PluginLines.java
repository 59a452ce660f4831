package io.avgshedder.distribution;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the plugin says in a broker's log: the one place here that knows the wording. */
final class PluginLines {

    private static final Pattern OURS = Pattern.compile(" io\\.avgshedder\\.\\S+ - ");
    private static final Pattern LOADED =
            Pattern.compile("pulsar-avg-shedder (\\S+) loaded: io\\.avgshedder\\.AvgShedder$");
    private static final Pattern SETTINGS = Pattern.compile("First round of this broker as leader, with (.+)");
    private static final Pattern ROUND = Pattern.compile(" Round (\\d+) ");
    private static final Pattern MOVES = Pattern.compile(" Round \\d+ moves (\\S+) from (\\S+) to (\\S+)$");

    private final List<String> lines;

    private PluginLines(List<String> lines) {
        this.lines = lines;
    }

    /** A bundle that the leader decided to move. */
    record Transfer(String bundle, String source, String target) {
    }

    /** @param brokerLog all lines of a broker's log; those of other classes are left out */
    static PluginLines of(List<String> brokerLog) {
        return new PluginLines(brokerLog.stream().filter(line -> OURS.matcher(line).find()).toList());
    }

    List<String> all() {
        return lines;
    }

    /** What a person wants to see of it: all but the single placements that went as expected. */
    List<String> story() {
        return lines.stream().filter(line -> !(line.contains(" DEBUG ") && line.contains(" - Placing "))).toList();
    }

    List<String> warningsAndErrors() {
        return lines.stream().filter(line -> line.contains(" WARN ") || line.contains(" ERROR ")).toList();
    }

    /** The version that the broker loaded. */
    Optional<String> loadedVersion() {
        return results(LOADED).map(match -> match.group(1)).findFirst();
    }

    Optional<String> effectiveSettings() {
        return results(SETTINGS).map(match -> match.group(1)).findFirst();
    }

    /** The number of the latest round of which there is a line, 0 before the first. */
    int latestRound() {
        return results(ROUND).mapToInt(match -> Integer.parseInt(match.group(1))).max().orElse(0);
    }

    List<Transfer> transfers() {
        return results(MOVES).map(match -> new Transfer(match.group(1), match.group(2), match.group(3))).toList();
    }

    private Stream<MatchResult> results(Pattern pattern) {
        return lines.stream().flatMap(line -> pattern.matcher(line).results());
    }
}
