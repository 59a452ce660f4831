package io.avgshedder.core;

import java.util.regex.Pattern;

/**
 * Bundles that belong to the brokers themselves and must stay where they are: the namespace {@code pulsar/system}, the
 * heartbeat namespaces {@code pulsar/<cluster>/<host:port>} and {@code pulsar/<host:port>}, and the monitor namespaces
 * {@code sla-monitor/<cluster>/<host:port>}.
 */
final class SystemBundles {

    private static final Pattern NAMESPACE =
            Pattern.compile("pulsar/system|(?:pulsar/[^/]+|pulsar|sla-monitor/[^/]+)/[^/]+:\\d+");

    private SystemBundles() {
    }

    static boolean contains(String bundle) {
        return (bundle.startsWith("pulsar/") || bundle.startsWith("sla-monitor/"))
                && NAMESPACE.matcher(BundleRange.namespace(bundle)).matches();
    }
}
