package io.avgshedder.tool;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rounds for a person: a headline, the scores, one line for each verdict and each transfer. */
final class RoundTable implements RoundOutput {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    /** As wide as all verdicts but the longest. */
    private static final int LABEL = 19;
    private static final int MOST_SCORES = 12;

    private final PrintWriter out;
    private final Lines lines;
    private long rounds;
    private long shedding;
    private long dry;
    private long moved;
    private long placements;

    RoundTable(PrintWriter out) {
        this.out = out;
        this.lines = new Lines(out, LABEL);
    }

    /** An instant as the table writes it. */
    static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis)) + " UTC";
    }

    @Override
    public void round(Round round) {
        if (rounds + placements > 0) {
            out.println();
        }
        rounds++;
        List<BrokerScore> scores = round.brokers();
        String spread = scores.isEmpty() ? "" : String.format(Locale.ROOT, ", spread %.1f points",
                scores.get(0).score() - scores.get(scores.size() - 1).score());
        out.println("Round " + round.number() + ", " + time(round.time()) + ": "
                + count(scores.size(), "broker") + spread);
        if (!scores.isEmpty()) {
            lines.print("scores", scores(scores));
        }
        verdicts(round.verdicts());
        long moving = round.transfers().stream().filter(RoundTable::moves).count();
        moved += moving;
        shedding += moving > 0 ? 1 : 0;
        dry += moving > 0 && round.dryRun() ? 1 : 0;
        transfers(round.transfers());
    }

    void verdicts(List<Verdict> verdicts) {
        verdicts.forEach(verdict -> lines.print(verdict.reason().name(), verdict.sentence()));
    }

    void transfers(List<Transfer> transfers) {
        int widest = transfers.stream().mapToInt(transfer -> transfer.bundle().length()).max().orElse(0);
        for (Transfer transfer : transfers) {
            String way = moves(transfer) ? transfer.source() + " -> " + transfer.target()
                    : "stays on " + transfer.source();
            lines.print("bundle", transfer.bundle() + " ".repeat(widest - transfer.bundle().length() + 2) + way);
        }
    }

    private static boolean moves(Transfer transfer) {
        return transfer.target() != null && !transfer.target().equals(transfer.source());
    }

    @Override
    public void placed(long time, String bundle, String broker, PlacementReason reason) {
        if (rounds + placements > 0) {
            out.println();
        }
        placements++;
        out.println("Placement, " + time(time));
        lines.print(reason == null ? "placed" : reason.name(),
                bundle + " on " + (broker == null ? "no broker" : broker));
    }

    @Override
    public void end() {
        if (rounds + placements > 0) {
            out.println();
        }
        String verb = dry > 0 && dry == shedding ? " of them would have moved " : " of them moved ";
        out.println(count(rounds, "round") + ", " + shedding + verb + count(moved, "bundle") + " in all; "
                + count(placements, "placement"));
        out.flush();
    }

    static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String scores(List<BrokerScore> scores) {
        List<String> texts = new ArrayList<>();
        int half = MOST_SCORES / 2;
        for (int i = 0; i < scores.size(); i++) {
            if (scores.size() > MOST_SCORES && i == half) {
                i = scores.size() - half;
                texts.add((i - half) + " between");
            }
            BrokerScore score = scores.get(i);
            texts.add(String.format(Locale.ROOT, "%s %.1f %s", score.broker(), score.score(), score.metric().label()));
        }
        return String.join(", ", texts);
    }
}
