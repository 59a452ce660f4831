package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds which of some bundles are reported under other names: they were split. Each report is walked once, however many
 * bundles are looked for in it.
 */
final class Splits {

    private final Map<String, Map<String, List<BundleRange>>> wanted = new HashMap<>();
    private final Map<BundleRange, String> names = new HashMap<>();

    /** Looks for parts of the bundle in this broker's report. */
    void lookFor(String bundle, String broker) {
        BundleRange range = BundleRange.of(bundle);
        names.put(range, bundle);
        wanted.computeIfAbsent(broker, any -> new HashMap<>())
                .computeIfAbsent(range.namespace(), any -> new ArrayList<>()).add(range);
    }

    /** The bundles of which a part was found. */
    Set<String> find(Collection<BrokerLoad> brokers) {
        Set<String> split = new HashSet<>();
        for (BrokerLoad broker : brokers) {
            Map<String, List<BundleRange>> ranges = wanted.get(broker.name());
            if (ranges != null) {
                broker.bundles().forEachName(name -> {
                    List<BundleRange> siblings = ranges.get(BundleRange.namespace(name));
                    if (siblings != null) {
                        BundleRange part = BundleRange.of(name);
                        siblings.stream().filter(whole -> whole.isSplitInto(part)).map(names::get)
                                .forEach(split::add);
                    }
                });
            }
        }
        return split;
    }
}
