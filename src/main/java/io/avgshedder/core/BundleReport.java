package io.avgshedder.core;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The bundles that one broker's report lists. It is read on demand, because a quiet round must not touch bundles:
 * {@link #forEach} is called for brokers that may become donors only, {@link #contains} for live shed targets only.
 */
public interface BundleReport {

    /** A report that lists nothing. */
    BundleReport EMPTY = of(List.of());

    /** Whether the report lists the bundle of this name. */
    boolean contains(String bundle);

    /** Gives every bundle once, in any order. */
    void forEach(Consumer<? super BundleLoad> action);

    /** Gives the name of every bundle once, in any order. */
    default void forEachName(Consumer<? super String> action) {
        forEach(bundle -> action.accept(bundle.name()));
    }

    /** A report of these bundles. */
    static BundleReport of(Collection<BundleLoad> bundles) {
        Map<String, BundleLoad> loads = new LinkedHashMap<>();
        bundles.forEach(bundle -> loads.put(bundle.name(), bundle));
        Map<String, BundleLoad> byName = Collections.unmodifiableMap(loads);
        return new BundleReport() {
            @Override
            public boolean contains(String bundle) {
                return byName.containsKey(bundle);
            }

            @Override
            public void forEach(Consumer<? super BundleLoad> action) {
                byName.values().forEach(action);
            }
        };
    }
}
