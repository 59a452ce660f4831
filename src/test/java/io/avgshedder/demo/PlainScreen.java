package io.avgshedder.demo;

import io.avgshedder.core.Reason;
import io.avgshedder.core.Verdict;
import java.util.Locale;
import java.util.stream.Collectors;

/** Appends lines, for a log or a pipe: the scores of every round, and the rest as long as there is something to tell. */
final class PlainScreen implements Screen {

    private static final double FULL_SCALE = 100;
    private static final int BAR = 40;
    private static final int BARS_EVERY = 10;

    private final Terminal terminal;
    private final Text text;
    private String phase = "";
    private long shown = -1;
    private boolean hadMoves;
    private boolean wasCalm;

    PlainScreen(Terminal terminal, String[] introduction) {
        this.terminal = terminal;
        this.text = new Text(terminal.unicode());
        for (String line : introduction) {
            say(line);
        }
    }

    @Override
    public void show(Chronicle chronicle, String phase) {
        if (!phase.equals(this.phase)) {
            this.phase = phase;
            say("");
            say(phase);
        }
        if (chronicle.moments().isEmpty() || chronicle.last().round().number() == shown) {
            return;
        }
        Chronicle.Moment moment = chronicle.last();
        shown = moment.round().number();
        say(String.format(Locale.ROOT, "%s  round %-3d  %s", Text.time(moment.seconds()), shown,
                moment.round().brokers().stream()
                        .map(score -> score.broker() + " " + Text.points(score.score()))
                        .collect(Collectors.joining("   "))));
        boolean moves = !moment.round().transfers().isEmpty();
        if (moves || hadMoves || shown % BARS_EVERY == 1) {
            bars(chronicle, moment);
        }
        hadMoves = moves;
        boolean calm = moment.round().verdicts().stream()
                .allMatch(verdict -> verdict.reason() == Reason.BELOW_THRESHOLD);
        if (!calm || !wasCalm) {
            moment.round().verdicts().forEach(this::verdict);
        }
        wasCalm = calm;
        moment.round().transfers().forEach(transfer -> say("      " + transfer.bundle() + "  " + transfer.source()
                + " " + text.arrow() + " " + transfer.target()));
    }

    private void bars(Chronicle chronicle, Chronicle.Moment moment) {
        for (String broker : chronicle.brokers()) {
            double score = moment.score(broker);
            say(String.format(Locale.ROOT, "      %-16s %5s %s", broker,
                    Double.isNaN(score) ? "?" : Text.points(score),
                    Double.isNaN(score) ? "" : text.bar(score, FULL_SCALE, BAR)));
        }
    }

    private void verdict(Verdict verdict) {
        if (!Double.isNaN(verdict.gap())) {
            say("      low " + text.hits(verdict.hitsLow(), Demo.HITS_LOW) + ", high "
                    + text.hits(verdict.hitsHigh(), Demo.HITS_HIGH));
        }
        say("        " + verdict.sentence());
    }

    @Override
    public void say(String words) {
        terminal.out().println(words);
    }
}
