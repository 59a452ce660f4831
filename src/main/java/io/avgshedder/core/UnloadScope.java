package io.avgshedder.core;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Over what unloads are counted. The declaration order is the one in which scopes are named where they tie. */
public enum UnloadScope {
    /** All unloads. */
    CLUSTER,
    /** Those from one broker. */
    SOURCE,
    /** Those to one broker. */
    TARGET,
    /** Those of one namespace's bundles. */
    NAMESPACE;

    static final List<UnloadScope> ALL = List.of(values());

    /** The scope as settings, sentences and metrics write it, such as {@code cluster}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<UnloadScope> byLabel(String label) {
        return ALL.stream().filter(scope -> scope.label().equals(label)).findFirst();
    }

    /** Whose unloads the transfer counts among: a broker, a namespace, or the empty name of the whole cluster. */
    String nameIn(Transfer transfer) {
        return switch (this) {
            case CLUSTER -> "";
            case SOURCE -> transfer.source();
            case TARGET -> transfer.target();
            case NAMESPACE -> BundleRange.namespace(transfer.bundle());
        };
    }
}
