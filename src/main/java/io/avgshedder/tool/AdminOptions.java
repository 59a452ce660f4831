package io.avgshedder.tool;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** How to reach a cluster, named as {@code pulsar-admin} names it. */
final class AdminOptions {

    @Option(names = "--admin-url", required = true, paramLabel = "URL",
            description = "the web service of any broker, such as http://broker:8080")
    private String adminUrl;

    @Option(names = "--auth-plugin", paramLabel = "CLASS", description = "the authentication plugin's class")
    String authPlugin;

    @Option(names = "--auth-params", paramLabel = "PARAMS",
            description = "what the authentication plugin needs, such as token:... or file:///path/to/token")
    String authParams;

    @Option(names = {"--tls-trust-cert-path", "--tls-trust-cert"}, paramLabel = "PEM",
            description = "certificates of the authorities to trust (default: Java's own)")
    Path tlsTrustCert;

    @Option(names = "--tls-allow-insecure", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL",
            description = "accept any certificate")
    boolean tlsAllowInsecure;

    @Option(names = "--tls-enable-hostname-verification", arity = "0..1", fallbackValue = "true",
            paramLabel = "BOOL", description = "whether a certificate must be its host's (default: true)")
    boolean tlsHostnameVerification = true;

    @Option(names = "--broker-port", paramLabel = "PORT", description = "the web service's port on every broker, "
            + "where it is not the one that the cluster lists (it lists the plain one while you use TLS)")
    Integer brokerPort;

    @Option(names = "--request-timeout", paramLabel = "SECONDS",
            description = "longest wait for one answer (default: ${DEFAULT-VALUE})")
    int requestTimeout = 10;

    /** The admin URL without a slash at its end. */
    URI adminUrl() {
        String hint = ", but is \"" + adminUrl + "\"";
        try {
            URI uri = new URI(adminUrl.endsWith("/") ? adminUrl.substring(0, adminUrl.length() - 1) : adminUrl);
            boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (!isHttp || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
                throw new UserError("--admin-url: must be such as http://broker:8080" + hint);
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new UserError("--admin-url: must be such as http://broker:8080" + hint, e);
        }
    }

    void check() {
        adminUrl();
        if (requestTimeout < 1 || requestTimeout > 600) {
            throw new UserError("--request-timeout: must be from 1 to 600 seconds, but is " + requestTimeout);
        }
        if (brokerPort != null && (brokerPort < 1 || brokerPort > 65_535)) {
            throw new UserError("--broker-port: must be from 1 to 65535, but is " + brokerPort);
        }
    }
}
