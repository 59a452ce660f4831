package io.avgshedder.core;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many bundles may be unloaded in a window of time: of the whole cluster, from one broker, to one broker, and of
 * one namespace. A transfer is granted if every scope that has a limit has room, and then counts in all of them;
 * otherwise in none, so that a transfer that one scope refuses does not use up another.
 *
 * <p>{@link #estimate} and {@link #consume} are the same question without and with effect. A whole round without effect
 * is one that consumes from a {@link #copy}.
 *
 * <p>Of each broker and namespace only the instants are kept that its limit needs ({@link RecentTimes}), and only while
 * one of them is in its window: {@link #apply}, called once a round, drops the rest. So a budget of which nothing is
 * used remembers nothing. For the same reason a scope whose limit is set anew, or whose window is made longer, counts
 * what it then knows.
 *
 * <p>An unload counts from the moment it was granted until {@link #unloaded} tells when it happened. Unloads take their
 * time; counted from the grant alone, the late ones of one round and the early ones of the next could come nearer to
 * each other than the window allows.
 *
 * <p>All times are in milliseconds of one clock; what happens where that clock runs over or steps back is
 * {@link RecentTimes}' matter. Safe for use by several threads.
 */
final class UnloadBudget {

    private final Map<UnloadScope, Map<String, RecentTimes>> recent = new EnumMap<>(UnloadScope.class);
    private UnloadLimits limits = UnloadLimits.NONE;

    UnloadBudget() {
        UnloadScope.ALL.forEach(scope -> recent.put(scope, new TreeMap<>()));
    }

    /**
     * Sets the limits from here on, and forgets what no longer counts. Comes after {@link #unloaded} of the round
     * before, which may make an instant count again.
     */
    synchronized void apply(UnloadLimits newLimits, long now) {
        limits = newLimits;
        recent.forEach((scope, byName) -> limits.of(scope).ifPresentOrElse(limit -> {
            byName.values().forEach(times -> times.change(limit.count(), limit.windowMillis()));
            byName.values().removeIf(times -> times.used(now) == 0);
        }, byName::clear));
    }

    /** What {@link #consume} would answer. */
    synchronized BudgetAnswer estimate(Transfer transfer, long now) {
        BudgetAnswer decides = BudgetAnswer.UNLIMITED;
        for (UnloadScope scope : UnloadScope.ALL) {
            BudgetAnswer answer = estimate(scope, scope.nameIn(transfer), now);
            if (answer.decidesOver(decides)) {
                decides = answer;
            }
        }
        return decides;
    }

    /** What one scope alone says, for a choice that is made before source and target are known. */
    synchronized BudgetAnswer estimate(UnloadScope scope, String name, long now) {
        UnloadLimit limit = limits.of(scope).orElse(null);
        if (limit == null) {
            return BudgetAnswer.UNLIMITED;
        }
        RecentTimes times = recent.get(scope).get(name);
        int used = times == null ? 0 : times.used(now);
        long wait = (times == null ? none(limit) : times).untilFree(now);
        return new BudgetAnswer(wait == 0, scope, name, used, limit, wait);
    }

    /** Counts the transfer in all scopes, if all have room. The answer is as of before. */
    synchronized BudgetAnswer consume(Transfer transfer, long now) {
        BudgetAnswer answer = estimate(transfer, now);
        if (answer.granted()) {
            recent.forEach((scope, byName) -> limits.of(scope).ifPresent(limit ->
                    byName.computeIfAbsent(scope.nameIn(transfer), name -> none(limit)).admit(now)));
        }
        return answer;
    }

    /** A transfer that was granted at one instant was unloaded at a later one, and counts from then. */
    synchronized void unloaded(Transfer transfer, long grantedAt, long unloadedAt) {
        recent.forEach((scope, byName) -> {
            RecentTimes times = byName.get(scope.nameIn(transfer));
            if (times != null) {
                times.postpone(grantedAt, unloadedAt);
            }
        });
    }

    /** A transfer that was granted did not come about, and does not count. */
    synchronized void notUnloaded(Transfer transfer, long grantedAt) {
        recent.forEach((scope, byName) -> {
            RecentTimes times = byName.get(scope.nameIn(transfer));
            if (times != null) {
                times.remove(grantedAt);
            }
        });
    }

    /** What is used of each budget of which anything is, and of the cluster's; by scope, then by name. */
    synchronized List<BudgetUse> uses(long now) {
        List<BudgetUse> uses = new ArrayList<>();
        recent.forEach((scope, byName) -> limits.of(scope).ifPresent(limit -> {
            if (scope == UnloadScope.CLUSTER && byName.isEmpty()) {
                uses.add(new BudgetUse(scope, "", 0, limit));
            }
            byName.forEach((name, times) -> {
                int used = times.used(now);
                if (used > 0 || scope == UnloadScope.CLUSTER) {
                    uses.add(new BudgetUse(scope, name, used, limit));
                }
            });
        }));
        return uses;
    }

    /** A budget of its own with the same limits and the same past. */
    synchronized UnloadBudget copy() {
        UnloadBudget copy = new UnloadBudget();
        copy.limits = limits;
        recent.forEach((scope, byName) ->
                byName.forEach((name, times) -> copy.recent.get(scope).put(name, times.copy())));
        return copy;
    }

    /** Of how many brokers, namespaces and clusters instants are kept. */
    synchronized int size() {
        return recent.values().stream().mapToInt(Map::size).sum();
    }

    private static RecentTimes none(UnloadLimit limit) {
        return new RecentTimes(limit.count(), limit.windowMillis());
    }
}
