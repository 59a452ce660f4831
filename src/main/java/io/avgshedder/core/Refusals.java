package io.avgshedder.core;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which targets the load manager's candidate filters are known to refuse.
 *
 * <p>The naive rule plans as if every broker could take every bundle. With isolation groups A 80, B 30 and D 70, C 10
 * it plans A to C and D to B for ever, and each of those bundles is unloaded to a random broker of its group, or goes
 * nowhere. The strategy is never told of the policies, but it sees their effect: a planned target that is in the load
 * data, alive and not overloaded, but not among the candidates, was refused. That namespace and that target then do not
 * meet for the grace period. A target that has its fill of topics is refused for every namespace.
 */
final class Refusals {

    /** Whom a refusal concerns; {@code namespace} is {@code null} for a broker that takes nothing. */
    private record Key(String namespace, String target) {
    }

    private final Map<Key, Long> until = new HashMap<>();

    void learn(String namespace, String target, long end) {
        until.put(new Key(namespace, target), end);
    }

    void learnAll(String target, long end) {
        until.put(new Key(null, target), end);
    }

    void expire(long now) {
        until.values().removeIf(end -> now >= end);
    }

    void clear() {
        until.clear();
    }

    boolean isEmpty() {
        return until.isEmpty();
    }

    int size() {
        return until.size();
    }

    boolean refuses(String namespace, String target) {
        return !until.isEmpty()
                && (until.containsKey(new Key(namespace, target)) || until.containsKey(new Key(null, target)));
    }

    /** All of them, in the order of their targets. */
    List<Placement.LearntRefusal> list(long now) {
        return until.entrySet().stream().filter(entry -> now < entry.getValue())
                .map(entry -> new Placement.LearntRefusal(entry.getKey().namespace, entry.getKey().target,
                        entry.getValue()))
                .sorted(Comparator.comparing(Placement.LearntRefusal::target)
                        .thenComparing(refusal -> String.valueOf(refusal.namespace()))).toList();
    }

    /** A copy that later learning does not change. */
    Refusals copy() {
        Refusals copy = new Refusals();
        copy.until.putAll(until);
        return copy;
    }
}
