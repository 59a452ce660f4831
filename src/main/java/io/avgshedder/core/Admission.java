package io.avgshedder.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lets a round's bundles through one by one, as far as the round's cap, the unload budget and the namespace rules allow,
 * and remembers for each pair what was let through and what first held the rest back.
 *
 * <p>A bundle passes once. For a minute after any unload its old and its new owner may both report it, and where both
 * are donors, both would give it: it would be unloaded twice, for two targets.
 */
final class Admission {

    /** What held a bundle back. */
    record Refusal(Reason reason, String why) {
    }

    /** What became of one pair's wishes. */
    static final class Share {
        private final List<PlannedTransfer> granted = new ArrayList<>();
        private int refused;
        private Refusal refusal;

        List<PlannedTransfer> granted() {
            return granted;
        }

        /** How many bundles were held back. */
        int refused() {
            return refused;
        }

        /** What held the first of them back; {@code null} where nothing did. */
        Refusal refusal() {
            return refusal;
        }
    }

    private final Settings settings;
    private final UnloadBudget budget;
    private final NamespaceUnloads namespaces;
    private final long now;
    private final List<PlannedTransfer> granted = new ArrayList<>();
    private final Set<String> bundles = new HashSet<>();
    private final Map<String, Integer> given = new HashMap<>();
    private final Map<String, Integer> taken = new HashMap<>();
    private final Map<PairPlanner.Plan, Share> shares = new HashMap<>();

    /** Spends from the budget and the rules that it is given: a dry run gives copies. */
    Admission(Settings settings, UnloadBudget budget, NamespaceUnloads namespaces, long now) {
        this.settings = settings;
        this.budget = budget;
        this.namespaces = namespaces;
        this.now = now;
    }

    /** Asks for one bundle of a pair. */
    boolean admit(PairPlanner.Plan plan, Donor.Candidate bundle) {
        PlannedTransfer planned = plan.transfer(bundle, settings);
        Share share = share(plan);
        Refusal refusal = refusal(planned.transfer());
        if (refusal != null) {
            share.refused++;
            if (share.refusal == null) {
                share.refusal = refusal;
            }
            return false;
        }
        share.granted.add(planned);
        granted.add(planned);
        bundles.add(planned.transfer().bundle());
        given.merge(planned.transfer().source(), 1, Integer::sum);
        taken.merge(planned.transfer().target(), 1, Integer::sum);
        return true;
    }

    /** Notes that so many bundles of a pair were not even asked for, because the round is full. */
    void passOver(PairPlanner.Plan plan, int bundles) {
        Share share = share(plan);
        if (bundles > 0) {
            share.refused += bundles;
            share.refusal = share.refusal == null ? full() : share.refusal;
        }
    }

    private Refusal refusal(Transfer transfer) {
        if (isFull()) {
            return full();
        }
        if (bundles.contains(transfer.bundle())) {
            return new Refusal(Reason.NOTHING_MOVABLE, transfer.bundle()
                    + " is reported by another broker too, which gives it in this round");
        }
        BudgetAnswer budgeted = budget.estimate(transfer, now);
        if (!budgeted.granted()) {
            return new Refusal(Reason.BUDGET, budgeted.why());
        }
        NamespaceAnswer ruled = namespaces.consume(BundleRange.namespace(transfer.bundle()), now);
        if (!ruled.granted()) {
            return new Refusal(Reason.NAMESPACE_RULE, ruled.why());
        }
        budget.consume(transfer, now);
        return null;
    }

    private Refusal full() {
        return new Refusal(Reason.ROUND_CAP, "the round's " + Sentences.bundles(settings.maxUnloadsPerRound())
                + " went to more urgent ones");
    }

    boolean isFull() {
        return granted.size() >= settings.maxUnloadsPerRound();
    }

    /** What became of a pair's wishes; empty for a pair that had none. */
    Share share(PairPlanner.Plan plan) {
        return shares.computeIfAbsent(plan, any -> new Share());
    }

    /** How many bundles a broker gives. */
    int given(String broker) {
        return given.getOrDefault(broker, 0);
    }

    /** How many bundles a broker takes. */
    int taken(String broker) {
        return taken.getOrDefault(broker, 0);
    }

    /** Everything that was let through, in that order. */
    List<PlannedTransfer> granted() {
        return granted;
    }
}
