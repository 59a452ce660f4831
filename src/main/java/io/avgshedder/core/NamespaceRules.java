package io.avgshedder.core;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Rules for the bundles of some namespaces, written
 * {@code tenant/ns exempt until 2026-12-24T08:00:00Z; tenant/* max 1/1h; all exempt}.
 *
 * <p>One rule holds for a namespace, wherever it stands: its own, else its tenant's, else the one for {@code all}. A
 * rule that has expired counts as if it were not written, so that the next one holds.
 */
public final class NamespaceRules {

    /** No rule at all. */
    public static final NamespaceRules NONE = new NamespaceRules(Map.of());

    private final Map<String, NamespaceRule> rules;

    private NamespaceRules(Map<String, NamespaceRule> rules) {
        this.rules = Collections.unmodifiableMap(rules);
    }

    /**
     * Reads a setting; blank text means no rule. Rules that have expired may still be written.
     *
     * @throws SettingSyntaxException if the text is anything else than a list of rules, or has two for the same
     *                                namespaces
     */
    public static NamespaceRules parse(String text) {
        Map<String, NamespaceRule> rules = new LinkedHashMap<>();
        for (SettingPart part : SettingPart.split(text, ';')) {
            NamespaceRule rule = NamespaceRule.parse(part);
            if (rules.put(rule.namespaces(), rule) != null) {
                throw part.isTwice("rule for " + rule.namespaces());
            }
        }
        return new NamespaceRules(rules);
    }

    /** The rule that holds for this namespace, if there is one. */
    public Optional<NamespaceRule> ruleFor(String namespace, long now) {
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        return find(namespace, now)
                .or(() -> find(namespace.substring(0, namespace.indexOf('/') + 1) + "*", now))
                .or(() -> find(NamespaceRule.ALL, now));
    }

    private Optional<NamespaceRule> find(String namespaces, long now) {
        return Optional.ofNullable(rules.get(namespaces)).filter(rule -> !rule.hasExpired(now));
    }

    /** All rules, in the order in which they were written. */
    public Collection<NamespaceRule> all() {
        return rules.values();
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** As it is written in a setting; empty without a rule. */
    @Override
    public String toString() {
        return rules.values().stream().map(NamespaceRule::toString).collect(Collectors.joining("; "));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamespaceRules that && rules.equals(that.rules);
    }

    @Override
    public int hashCode() {
        return rules.hashCode();
    }
}
