package io.avgshedder.telemetry;

import io.avgshedder.core.Round;
import io.avgshedder.core.Verdict;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The last rounds as text. Bounded both ways: a cluster of a thousand brokers has five hundred verdicts a round, and
 * only the first, which are of the hottest brokers, are kept.
 */
final class RecentRounds {

    static final int MOST_ROUNDS = 60;
    static final int MOST_VERDICTS = 50;

    private final Deque<List<String>> rounds = new ArrayDeque<>();

    synchronized void add(Round round) {
        List<String> lines = new ArrayList<>();
        lines.add("Round " + round.number() + " at " + Instant.ofEpochMilli(round.time()) + ": "
                + (round.dryRun() ? "would move " : "moves ") + count(round.transfers().size()));
        for (Verdict verdict : round.verdicts().subList(0, Math.min(MOST_VERDICTS, round.verdicts().size()))) {
            lines.add("  " + verdict.reason() + " " + verdict.sentence());
        }
        int left = round.verdicts().size() - MOST_VERDICTS;
        if (left > 0) {
            lines.add("  and " + left + " more");
        }
        if (rounds.size() == MOST_ROUNDS) {
            rounds.removeLast();
        }
        rounds.addFirst(List.copyOf(lines));
    }

    private static String count(int bundles) {
        return bundles == 0 ? "nothing" : bundles == 1 ? "1 bundle" : bundles + " bundles";
    }

    /** The newest first. */
    synchronized List<String> lines() {
        return rounds.stream().flatMap(List::stream).toList();
    }
}
