package io.avgshedder.core;

/**
 * The namespace and hash range in a bundle's name, {@code tenant/namespace/0x00000000_0x08000000}. A name without a
 * range keeps its namespace and has an empty range that contains nothing.
 *
 * @param namespace what stands before the last slash
 * @param from      the range's first hash
 * @param to        the hash after its last, or the largest hash, which is included
 */
record BundleRange(String namespace, long from, long to) {

    static BundleRange of(String bundle) {
        int slash = bundle.lastIndexOf('/');
        String namespace = namespace(bundle);
        String range = bundle.substring(slash + 1);
        int underscore = range.indexOf('_');
        try {
            return new BundleRange(namespace, Long.decode(range.substring(0, Math.max(0, underscore))),
                    Long.decode(range.substring(underscore + 1)));
        } catch (NumberFormatException notARange) {
            return new BundleRange(namespace, 0, 0);
        }
    }

    /** The namespace in a bundle's name, empty where the name has none. */
    static String namespace(String bundle) {
        return bundle.substring(0, Math.max(0, bundle.lastIndexOf('/')));
    }

    /** Whether {@code other} is a proper part of this range, as it is after a split. */
    boolean isSplitInto(BundleRange other) {
        return from <= other.from && other.to <= to && other.to - other.from < to - from && other.from < other.to
                && namespace.equals(other.namespace);
    }
}
