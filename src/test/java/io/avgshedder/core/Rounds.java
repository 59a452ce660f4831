package io.avgshedder.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Rounds one minute apart, with a load manager around them: it remembers what it unloaded for the grace period, asks
 * for a bundle's place twice (once before the unload, once at the lookup that follows), and leaves a bundle where it is
 * when the answer is its own broker or none. Every broker that is not frozen writes a report before each round.
 *
 * <p>The load stays as it is unless it {@link #moving moves} with the bundles.
 */
final class Rounds {

    static final long MINUTE = 60_000;

    final Cluster cluster;
    final Shedder shedder = new Shedder(new Random(1));
    /** Where the bundles that were unloaded have gone, in order. */
    final Map<String, Placed> placed = new TreeMap<>();
    final Map<String, Long> unloaded = new HashMap<>();
    private final Map<String, Object> identities = new HashMap<>();
    private final Map<String, Double> pointsPerMessage = new HashMap<>();
    private Settings settings = Settings.defaults();
    private BiPredicate<String, String> candidates = (bundle, broker) -> true;
    private Predicate<Transfer> dropped = transfer -> false;
    private boolean asks = true;
    private long unloadMillis;
    private double newPointsPerMessage = Double.NaN;
    private boolean moving;
    private Round last;
    private int number;
    long now = 1_000 * MINUTE;

    private Rounds(Cluster cluster) {
        this.cluster = cluster;
    }

    static Rounds of(String cluster) {
        return of(Cluster.of(cluster));
    }

    static Rounds of(Cluster cluster) {
        return new Rounds(cluster);
    }

    Rounds with(Settings.Builder settings) {
        this.settings = settings.build();
        return this;
    }

    Settings settings() {
        return settings;
    }

    /** Bundles take their load along, each broker by its own points per message; an idle one by the mean of all. */
    Rounds moving() {
        moving = true;
        return this;
    }

    /** Bundles take their load along at so many points per 1,000 msg/s, whoever has them. */
    Rounds moving(double pointsPerThousand) {
        newPointsPerMessage = pointsPerThousand / 1000;
        return moving();
    }

    /** Which brokers the manager's filters leave for a bundle; all at first. */
    Rounds candidates(BiPredicate<String, String> candidates) {
        this.candidates = candidates;
        return this;
    }

    /** Which transfers the manager drops without asking for a place; none at first. */
    Rounds drops(Predicate<Transfer> dropped) {
        this.dropped = dropped;
        return this;
    }

    /** A manager that unloads without asking, as brokers before 3.0.2 do. */
    Rounds asksAtLookupOnly() {
        asks = false;
        return this;
    }

    /** How long one round's unloads take, all together. */
    Rounds unloadsTake(long millis) {
        unloadMillis = millis;
        return this;
    }

    /** Takes one round, a minute after the last one's unloads. */
    Round next() {
        now += MINUTE;
        cluster.write(now);
        return shed();
    }

    /** Takes one round on the reports as they are. */
    Round shed() {
        unloaded.values().removeIf(time -> time < now - settings.gracePeriodMillis());
        last = shedder.round(cluster.snapshot(unloaded), settings, now);
        number++;
        List<Transfer> transfers = last.transfers();
        for (int i = 0; i < transfers.size(); i++) {
            now += unloadMillis * (i + 1) / transfers.size() - unloadMillis * i / transfers.size();
            unload(transfers.get(i));
        }
        return last;
    }

    private void unload(Transfer transfer) {
        String bundle = transfer.bundle();
        if (dropped.test(transfer)) {
            return;
        }
        if (asks) {
            Placed answer = place(bundle);
            if (answer == null || answer.broker().equals(transfer.source())) {
                return;
            }
        }
        unloaded.put(bundle, now);
        Placed answer = place(bundle);
        placed.put(bundle, answer);
        if (moving && answer != null) {
            move(bundle, transfer.source(), answer.broker());
        }
    }

    /** One call of selectBroker. */
    Placed place(String bundle) {
        return place(bundle, find(bundle), true);
    }

    /** One call of selectBroker for a bundle with these figures, whether or not they were ever measured. */
    Placed place(String bundle, BundleLoad load, boolean hasHistory) {
        List<BrokerLoad> able = cluster.brokers().stream()
                .filter(broker -> candidates.test(bundle, broker.name)).map(broker -> broker.report).toList();
        Placement placement = shedder.placement();
        String target = placement.plannedTarget(bundle, now);
        if (target != null) {
            boolean isCandidate = able.stream().anyMatch(broker -> broker.name().equals(target));
            Cluster.Broker broker = cluster.broker(target);
            Placed answer = placement.placeAsPlanned(bundle, isCandidate, broker == null ? null : broker.report,
                    settings, now);
            if (answer != null) {
                return answer;
            }
        }
        Object identity = identities.computeIfAbsent(bundle, name -> new Object());
        return placement.place(new Placement.Question(bundle, identity, load, hasHistory), able, settings, now);
    }

    private BundleLoad find(String bundle) {
        for (Cluster.Broker broker : cluster.brokers()) {
            if (broker.bundles.containsKey(bundle)) {
                return Cluster.load(bundle, broker.bundles.get(bundle));
            }
        }
        return Cluster.load(bundle, 0);
    }

    private void move(String bundle, String from, String to) {
        Cluster.Broker source = cluster.broker(from);
        Cluster.Broker target = cluster.broker(to);
        double sourcePoints = pointsPerMessage(source);
        double targetPoints = pointsPerMessage(target);
        double messages = source.bundles.remove(bundle);
        source.rate -= messages;
        source.score -= messages * sourcePoints;
        target.bundles.put(bundle, messages);
        target.rate += messages;
        target.score += messages * targetPoints;
    }

    private double pointsPerMessage(Cluster.Broker broker) {
        if (!Double.isNaN(newPointsPerMessage)) {
            return newPointsPerMessage;
        }
        return pointsPerMessage.computeIfAbsent(broker.name, name -> broker.rate > 0 ? broker.score / broker.rate
                : cluster.brokers().stream().mapToDouble(each -> each.score).sum()
                / cluster.brokers().stream().mapToDouble(each -> each.rate).sum());
    }

    /**
     * Takes so many rounds; answers what moved, such as {@code 2: 10 A>B, 10 C>D; 9: 1 A>B}, counted from the first
     * round ever taken.
     */
    String run(int rounds) {
        List<String> fired = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            String plan = plan(next());
            if (!plan.equals("nothing")) {
                fired.add(number + ": " + plan);
            }
        }
        return fired.isEmpty() ? "nothing" : String.join("; ", fired);
    }

    /** What a round moves, such as {@code 10 A>B, 10 C>D}, or {@code nothing}. */
    static String plan(Round round) {
        Map<String, Integer> counts = new TreeMap<>();
        round.transfers().forEach(transfer -> counts.merge(transfer.source() + ">" + transfer.target(), 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((pair, count) -> parts.add(count + " " + pair));
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }

    Round last() {
        return last;
    }

    /** The bundles of the last round, without their namespace. */
    List<String> bundles() {
        return last.transfers().stream().map(transfer -> transfer.bundle().substring(
                transfer.bundle().lastIndexOf('/') + 1)).toList();
    }

    /** What the last round said of the pair or the broker that has this one at its hot end. */
    Verdict verdict(String hot) {
        return last.verdicts().stream().filter(verdict -> verdict.hot().equals(hot)).findFirst().orElseThrow();
    }

    /** The same as {@link #verdict}, its reason only; {@code null} where nothing was said. */
    Reason reason(String hot) {
        return last.verdicts().stream().filter(verdict -> verdict.hot().equals(hot)).map(Verdict::reason)
                .findFirst().orElse(null);
    }
}
