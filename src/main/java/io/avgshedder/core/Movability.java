package io.avgshedder.core;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which bundles may move at all in one round. What may not is left out before any size is computed, so that others make
 * up for it: the brokers' own bundles, excluded namespaces, bundles that rest after an unload, and namespaces that a
 * rule or a spent budget holds back.
 */
final class Movability {

    /** What holds a namespace back; {@code null} for nothing. */
    private record Hold(Reason reason, String why) {

        private static final Hold NONE = new Hold(null, "");
    }

    private final Settings settings;
    private final RestingBundles resting;
    private final UnloadBudget budget;
    private final NamespaceUnloads namespaces;
    private final long now;
    private final boolean hasNamespaceLimits;
    private final Map<String, Hold> holds = new HashMap<>();

    Movability(ClusterSnapshot snapshot, Settings settings, UnloadBudget budget, NamespaceUnloads namespaces,
               long now) {
        this.settings = settings;
        this.resting = new RestingBundles(snapshot.unloaded().keySet());
        this.budget = budget;
        this.namespaces = namespaces;
        this.now = now;
        this.hasNamespaceLimits = !settings.namespaceRules().isEmpty()
                || settings.unloadLimits().of(UnloadScope.NAMESPACE).isPresent();
    }

    /** Tells the bundles of one donor, and what held back the first that a rule or a budget did. */
    final class Reading implements Predicate<BundleLoad> {

        private Hold first = Hold.NONE;

        @Override
        public boolean test(BundleLoad bundle) {
            String name = bundle.name();
            if (SystemBundles.contains(name) || resting.contains(name) || isExcluded(name)) {
                return false;
            }
            Hold hold = hasNamespaceLimits
                    ? holds.computeIfAbsent(BundleRange.namespace(name), Movability.this::hold) : Hold.NONE;
            if (hold.reason != null && first.reason == null) {
                first = hold;
            }
            return hold.reason == null;
        }

        /** Why nothing was left. */
        Reason reason() {
            return first.reason == null ? Reason.NOTHING_MOVABLE : first.reason;
        }

        String why() {
            return first.why;
        }
    }

    Reading reading() {
        return new Reading();
    }

    private boolean isExcluded(String bundle) {
        return !settings.excludedNamespaces().isEmpty()
                && settings.excludedNamespaces().contains(BundleRange.namespace(bundle));
    }

    private Hold hold(String namespace) {
        BudgetAnswer spent = budget.estimate(UnloadScope.NAMESPACE, namespace, now);
        if (!spent.granted()) {
            return new Hold(Reason.BUDGET, spent.why());
        }
        NamespaceAnswer ruled = namespaces.estimate(namespace, now);
        return ruled.granted() ? Hold.NONE : new Hold(Reason.NAMESPACE_RULE, ruled.why());
    }
}
