package io.avgshedder.core;

import java.util.Objects;

/**
 * What the namespace rules say of one bundle of a namespace.
 *
 * @param granted         whether a bundle may be moved
 * @param namespace       the namespace
 * @param rule            the rule that holds for it; {@code null} where none does
 * @param used            of a limit: unloads in its window, this one not included; else 0
 * @param millisUntilFree 0 if granted; else until this rule lets one through or expires, {@link RecentTimes#NEVER} for
 *                        one that never does
 */
record NamespaceAnswer(boolean granted, String namespace, NamespaceRule rule, int used, long millisUntilFree) {

    NamespaceAnswer {
        Objects.requireNonNull(namespace, "namespace");
    }

    /**
     * Why the namespace's bundles have to wait, such as
     * {@code rule "tenant/* max 1/1h" holds tenant/ns, frees in 42 s}. Only of an answer that does not grant. The
     * instant at which a rule expires is part of the rule.
     */
    String why() {
        String holds = "rule \"" + rule + "\" holds " + namespace;
        return rule.isExemption() || millisUntilFree == RecentTimes.NEVER ? holds
                : holds + ", frees in " + BudgetAnswer.inWords(millisUntilFree);
    }
}
