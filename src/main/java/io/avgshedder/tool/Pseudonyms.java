package io.avgshedder.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces names by pseudonyms that are the same wherever and whenever the name appears.
 *
 * <p>A plain hash would be undone by hashing guesses: names of brokers and tenants are easy to guess. So this is a
 * keyed one, whose key stays with whoever recorded. The namespaces by which the plugin knows Pulsar's own bundles keep
 * their shape. Of a report, numbers are kept, and of texts only those that are known to name nobody.
 */
final class Pseudonyms {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int HEX_DIGITS = 10;
    /** In every broker's pseudonym, so that it has the form of an address. */
    private static final String PORT = ":8080";

    private static final Set<String> HARMLESS_TEXTS =
            Set.of("brokerVersionString", "loadReportType", "loadManagerClassName");
    private static final Set<String> USAGES = Set.of("cpu", "memory", "directMemory", "bandwidthIn", "bandwidthOut");
    private static final Set<String> BUNDLE_LISTS = Set.of("bundles", "lastBundleGains", "lastBundleLosses");
    private static final String BUNDLE_STATS = "lastStats";
    private static final String NAMESPACE_LIST = "loadBalancerSheddingExcludedNamespaces";
    private static final Set<String> NAMING_KEYS =
            Set.of("loadBalancerAvgShedderNamespaceRules", "loadBalancerAvgShedderDrain");

    private final SecretKeySpec key;

    Pseudonyms(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    String broker(String address) {
        int scheme = address.indexOf("://");
        return "broker-" + hash(scheme < 0 ? address : address.substring(scheme + 3)) + PORT;
    }

    /** {@code tenant/namespace} or, of Pulsar's first days, {@code tenant/cluster/namespace}. */
    String namespace(String namespace) {
        String[] parts = namespace.split("/", -1);
        String first = parts[0];
        if (namespace.equals("pulsar/system")) {
            return namespace;
        }
        boolean isOwn = first.equals("pulsar") || first.equals("sla-monitor");
        String last = parts[parts.length - 1];
        StringBuilder pseudonym = new StringBuilder(isOwn ? first : "tenant-" + hash("tenant " + first));
        for (String cluster : Arrays.asList(parts).subList(1, Math.max(1, parts.length - 1))) {
            pseudonym.append("/cluster-").append(hash("cluster " + cluster));
        }
        if (parts.length > 1) {
            pseudonym.append('/').append(isOwn && last.matches(".*:\\d+") ? broker(last)
                    : "ns-" + hash("namespace " + namespace));
        }
        return pseudonym.toString();
    }

    /** A namespace with a range at its end, which is kept. */
    String bundle(String bundle) {
        int slash = bundle.lastIndexOf('/');
        return slash < 0 ? namespace(bundle) : namespace(bundle.substring(0, slash)) + bundle.substring(slash);
    }

    ObjectNode report(ObjectNode report) {
        ObjectNode result = report.objectNode();
        report.fields().forEachRemaining(field -> {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (BUNDLE_STATS.equals(name) && value.isObject()) {
                ObjectNode stats = result.putObject(name);
                value.fields().forEachRemaining(entry -> stats.set(bundle(entry.getKey()), numbers(entry.getValue())));
            } else if (BUNDLE_LISTS.contains(name) && value.isArray()) {
                ArrayNode bundles = result.putArray(name);
                value.forEach(bundle -> bundles.add(bundle(bundle.asText())));
            } else if (USAGES.contains(name)) {
                result.set(name, numbers(value));
            } else if (value.isNumber() || value.isBoolean() || HARMLESS_TEXTS.contains(name)) {
                result.set(name, value);
            }
        });
        return result;
    }

    private static JsonNode numbers(JsonNode value) {
        if (!(value instanceof ObjectNode object)) {
            return value;
        }
        ObjectNode result = object.objectNode();
        object.fields().forEachRemaining(field -> {
            boolean isNoNumber = field.getValue().isTextual()
                    && Set.of("NaN", "Infinity", "-Infinity").contains(field.getValue().textValue());
            if (field.getValue().isNumber() || isNoNumber) {
                result.set(field.getKey(), field.getValue());
            }
        });
        return result;
    }

    /** Lines of {@code broker.conf}; those that name brokers or namespaces in forms of their own are left out. */
    Map<String, String> conf(Map<String, String> lines) {
        Map<String, String> result = new LinkedHashMap<>(lines);
        result.keySet().removeAll(NAMING_KEYS);
        result.computeIfPresent(NAMESPACE_LIST, (name, list) -> Arrays.stream(list.split(",")).map(String::trim)
                .filter(namespace -> !namespace.isEmpty()).map(this::namespace).collect(Collectors.joining(",")));
        return result;
    }

    private String hash(String name) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] digest = mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HEX_DIGITS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
