package io.avgshedder.distribution;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the plugin says in a broker's log: the one place here that knows the wording. */
final class PluginLines {

    private static final Pattern OURS = Pattern.compile(" io\\.avgshedder\\.\\S+ - ");
    private static final Pattern LOADED =
            Pattern.compile("pulsar-avg-shedder (\\S+) loaded: io\\.avgshedder\\.AvgShedder$");
    private static final Pattern SETTINGS = Pattern.compile("First round of this broker as leader, with (.+)");
    private static final Pattern ROUND = Pattern.compile(" Round (\\d+) ");
    private static final Pattern MOVES =
            Pattern.compile(" Round (\\d+) (moves|would move) (\\S+) from (\\S+) to (\\S+)$");
    private static final Pattern ENDING = Pattern.compile(" Round \\d+: ");
    private static final Pattern VERDICT = Pattern.compile(" Round (\\d+) ([A-Z_]{4,}) (.+)$");

    private final List<String> lines;

    private PluginLines(List<String> lines) {
        this.lines = lines;
    }

    /** A bundle that the leader decided to move. */
    record Transfer(String bundle, String source, String target) {
    }

    /** What a round said of a pair, or of a broker. */
    record Verdict(Instant at, int round, String reason, String sentence) {
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
        return transfers("moves").values().stream().flatMap(List::stream).toList();
    }

    /** What moved, by the number of the round. */
    SortedMap<Integer, List<Transfer>> transfersByRound() {
        return transfers("moves");
    }

    /** What would have moved but for the dry run, by round; a round that only repeats the one before is left out. */
    SortedMap<Integer, List<Transfer>> plansByRound() {
        return transfers("would move");
    }

    private SortedMap<Integer, List<Transfer>> transfers(String verb) {
        return results(MOVES).filter(match -> match.group(2).equals(verb)).collect(Collectors.groupingBy(
                match -> Integer.parseInt(match.group(1)), TreeMap::new, Collectors.mapping(
                        match -> new Transfer(match.group(3), match.group(4), match.group(5)), Collectors.toList())));
    }

    /** How it ended with this bundle's transfers, as {@code Round 3: BUNDLE is on BROKER, 60 s after its plan}. */
    List<String> endings(String bundle) {
        return lines.stream()
                .filter(line -> ENDING.matcher(line).find() && line.contains(": " + bundle + " "))
                .toList();
    }

    /** All that was said for this reason, in order. */
    List<Verdict> verdicts(String reason) {
        List<Verdict> verdicts = new ArrayList<>();
        for (String line : lines) {
            Matcher verdict = VERDICT.matcher(line);
            if (verdict.find() && verdict.group(2).equals(reason)) {
                verdicts.add(new Verdict(BrokerLog.timeOf(line), Integer.parseInt(verdict.group(1)), reason,
                        verdict.group(3)));
            }
        }
        return verdicts;
    }

    private Stream<MatchResult> results(Pattern pattern) {
        return lines.stream().flatMap(line -> pattern.matcher(line).results());
    }
}
