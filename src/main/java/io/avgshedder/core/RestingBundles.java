package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bundles that were unloaded within the grace period, and what became of them. The manager remembers names, so the two
 * halves of a bundle that was unloaded and then split have no entry and would be moved at once; here they rest as long
 * as the whole would have.
 */
final class RestingBundles {

    private final Set<String> names;
    private final Map<String, List<BundleRange>> ranges = new HashMap<>();

    RestingBundles(Set<String> names) {
        this.names = names;
        for (String name : names) {
            BundleRange range = BundleRange.of(name);
            ranges.computeIfAbsent(range.namespace(), namespace -> new ArrayList<>()).add(range);
        }
    }

    boolean contains(String bundle) {
        if (names.isEmpty()) {
            return false;
        }
        if (names.contains(bundle)) {
            return true;
        }
        Collection<BundleRange> siblings = ranges.get(BundleRange.namespace(bundle));
        if (siblings == null) {
            return false;
        }
        BundleRange range = BundleRange.of(bundle);
        return siblings.stream().anyMatch(resting -> resting.isSplitInto(range));
    }
}
