package io.avgshedder.core;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Names once the brokers whose reports stopped: a healthy one writes within the longest report interval. */
final class Suspects {

    private final Set<String> said = new HashSet<>();

    /** A notice for those that were not stale in the round before. */
    List<String> notices(Collection<String> stale) {
        Set<String> fresh = new TreeSet<>(stale);
        fresh.removeAll(said);
        said.clear();
        said.addAll(stale);
        return fresh.isEmpty() ? List.of() : List.of(Sentences.suspects(fresh));
    }
}
