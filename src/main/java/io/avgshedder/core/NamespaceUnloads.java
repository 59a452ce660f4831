package io.avgshedder.core;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the unloads of namespaces that have a limit by rule, and says what the rules allow.
 *
 * <p>A rule for many namespaces limits each of them by itself. Where another rule comes to hold for a namespace,
 * because one was written or has expired, the unloads that are known count against the new limit; of a namespace
 * without a limit nothing is counted. As in {@link UnloadBudget}, {@link #estimate} and {@link #consume} are one
 * question without and with effect, an unload counts from when it happened, and what is no longer in a window is
 * dropped once a round.
 *
 * <p>All times are in milliseconds since the epoch. Safe for use by several threads.
 */
final class NamespaceUnloads {

    private final Map<String, RecentTimes> recent = new HashMap<>();
    private final Set<NamespaceRule> saidToHaveExpired = new HashSet<>();
    private NamespaceRules rules = NamespaceRules.NONE;

    /**
     * Sets the rules from here on, and forgets what no longer counts. Comes after {@link #unloaded} of the round
     * before, which may make an instant count again.
     */
    synchronized void apply(NamespaceRules newRules, long now) {
        rules = newRules;
        saidToHaveExpired.retainAll(Set.copyOf(rules.all()));
        recent.entrySet().removeIf(entry -> {
            adapt(entry.getValue(), ruleFor(entry.getKey(), now));
            return entry.getValue().used(now) == 0;
        });
    }

    /** The rules that have expired and that no earlier call has named. */
    synchronized List<NamespaceRule> newlyExpired(long now) {
        return rules.all().stream().filter(rule -> rule.hasExpired(now) && saidToHaveExpired.add(rule)).toList();
    }

    /** What {@link #consume} would answer. */
    synchronized NamespaceAnswer estimate(String namespace, long now) {
        NamespaceRule rule = ruleFor(namespace, now);
        if (rule == null) {
            return new NamespaceAnswer(true, namespace, null, 0, 0);
        }
        if (rule.isExemption()) {
            return new NamespaceAnswer(false, namespace, rule, 0, untilEnd(rule, now));
        }
        RecentTimes times = adapt(recent.getOrDefault(namespace, none(rule)), rule);
        long wait = Math.min(times.untilFree(now), untilEnd(rule, now));
        return new NamespaceAnswer(wait == 0, namespace, rule, times.used(now), wait);
    }

    /** Counts the unload of a bundle of this namespace, if the rules allow it. The answer is as of before. */
    synchronized NamespaceAnswer consume(String namespace, long now) {
        NamespaceAnswer answer = estimate(namespace, now);
        if (answer.granted() && answer.rule() != null) {
            recent.computeIfAbsent(namespace, any -> none(answer.rule())).admit(now);
        }
        return answer;
    }

    /** An unload that was granted at one instant happened at a later one, and counts from then. */
    synchronized void unloaded(String namespace, long grantedAt, long unloadedAt) {
        RecentTimes times = recent.get(namespace);
        if (times != null) {
            times.postpone(grantedAt, unloadedAt);
        }
    }

    /** An unload that was granted did not come about, and does not count. */
    synchronized void notUnloaded(String namespace, long grantedAt) {
        RecentTimes times = recent.get(namespace);
        if (times != null) {
            times.remove(grantedAt);
        }
    }

    /** The same rules and the same past, on their own. */
    synchronized NamespaceUnloads copy() {
        NamespaceUnloads copy = new NamespaceUnloads();
        copy.rules = rules;
        copy.saidToHaveExpired.addAll(saidToHaveExpired);
        recent.forEach((namespace, times) -> copy.recent.put(namespace, times.copy()));
        return copy;
    }

    /** Of how many namespaces unloads are remembered. */
    synchronized int size() {
        return recent.size();
    }

    private NamespaceRule ruleFor(String namespace, long now) {
        return rules.ruleFor(namespace, now).orElse(null);
    }

    private static RecentTimes none(NamespaceRule rule) {
        return new RecentTimes(rule.limit().count(), rule.limit().windowMillis());
    }

    /** Without a limit the last one stays, so that what it has let through is known if it comes back. */
    private static RecentTimes adapt(RecentTimes times, NamespaceRule rule) {
        if (rule != null && !rule.isExemption()) {
            times.change(rule.limit().count(), rule.limit().windowMillis());
        }
        return times;
    }

    private static long untilEnd(NamespaceRule rule, long now) {
        return rule.until() == null ? RecentTimes.NEVER : rule.endMillis() - now;
    }
}
