package io.avgshedder.demo;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** All that the demonstration has seen so far, in order. */
final class Chronicle {

    /**
     * One round.
     *
     * @param seconds since the cluster was up
     * @param round what the plugin saw and decided
     * @param bundles how many bundles each broker owned when the round began
     * @param leader the broker that decided
     */
    record Moment(double seconds, Round round, Map<String, Integer> bundles, String leader) {

        Moment {
            bundles = Map.copyOf(bundles);
        }

        /** Hottest score minus coldest, in points. */
        double spread() {
            double hottest = round.brokers().stream().mapToDouble(BrokerScore::score).max().orElse(0);
            double coldest = round.brokers().stream().mapToDouble(BrokerScore::score).min().orElse(0);
            return hottest - coldest;
        }

        /** The score of a broker, NaN if the round knows none. */
        double score(String broker) {
            return round.brokers().stream().filter(score -> score.broker().equals(broker))
                    .mapToDouble(BrokerScore::score).findFirst().orElse(Double.NaN);
        }
    }

    /** A transfer of the round that began at {@code seconds}; {@code done} once its target owns the bundle. */
    record Move(double seconds, long round, Transfer transfer, boolean done) {
    }

    record Join(double seconds, String broker) {
    }

    private final List<Moment> moments = new ArrayList<>();
    private final List<Move> moves = new ArrayList<>();
    private final List<Join> joins = new ArrayList<>();
    private final List<String> brokers = new ArrayList<>();

    void add(Moment moment) {
        moments.add(moment);
        moment.round().brokers().stream().map(BrokerScore::broker).sorted().forEach(this::know);
        moment.round().transfers().forEach(transfer ->
                moves.add(new Move(moment.seconds(), moment.round().number(), transfer, false)));
    }

    /** Names brokers in the order in which they were started. */
    void know(String broker) {
        if (!brokers.contains(broker)) {
            brokers.add(broker);
        }
    }

    void join(double seconds, String broker) {
        know(broker);
        joins.add(new Join(seconds, broker));
    }

    /** Notes which of the moves that were still under way have reached their target. */
    void confirm(Predicate<Transfer> arrived) {
        moves.replaceAll(move -> move.done() || !arrived.test(move.transfer())
                ? move
                : new Move(move.seconds(), move.round(), move.transfer(), true));
    }

    List<Moment> moments() {
        return moments;
    }

    Moment last() {
        return moments.get(moments.size() - 1);
    }

    List<Move> moves() {
        return moves;
    }

    long bundlesMoved() {
        return moves.stream().filter(Move::done).count();
    }

    List<Join> joins() {
        return joins;
    }

    /** All brokers ever seen, in the order in which they were started. */
    List<String> brokers() {
        return brokers;
    }

    /** How many rounds in a row, up to the last one, moved nothing. */
    int quietRounds() {
        int quiet = 0;
        while (quiet < moments.size()
                && moments.get(moments.size() - 1 - quiet).round().transfers().isEmpty()) {
            quiet++;
        }
        return quiet;
    }
}
