package io.avgshedder.tool;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationDataProvider;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Reads from Pulsar's admin API, and only reads. Pulsar's own admin client needs seconds to start and a set of threads
 * for each broker, so this is Java's; authentication is Pulsar's, so that every plugin works. Every wait and every
 * answer is bounded. Redirects are not followed: credentials go to the hosts that were asked, and nowhere else.
 */
final class AdminClient implements AutoCloseable {

    private static final int LONGEST_ANSWER = 64 << 20;
    private static final int LONGEST_REASON = 200;
    private static final Pattern REASON = Pattern.compile("\"reason\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Duration timeout;
    private final Authentication authentication;
    private final HttpClient http;

    AdminClient(AdminOptions options) {
        timeout = Duration.ofSeconds(options.requestTimeout);
        URI adminUrl = options.adminUrl();
        authentication = authentication(options);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .followRedirects(HttpClient.Redirect.NEVER);
        if ("https".equalsIgnoreCase(adminUrl.getScheme())) {
            try {
                builder.sslContext(Tls.context(options,
                        authentication == null ? null : authentication.getAuthData(adminUrl.getHost())));
            } catch (PulsarClientException e) {
                throw new UserError("--auth-params: " + e.getMessage(), e);
            }
        }
        http = builder.build();
    }

    private static Authentication authentication(AdminOptions options) {
        if (options.authPlugin == null || options.authPlugin.isBlank()) {
            if (options.authParams != null) {
                throw new UserError("--auth-params: needs --auth-plugin");
            }
            return null;
        }
        try {
            Authentication authentication = AuthenticationFactory.create(options.authPlugin,
                    options.authParams == null ? "" : options.authParams);
            authentication.start();
            return authentication;
        } catch (PulsarClientException | RuntimeException e) {
            throw new UserError("--auth-plugin: cannot use " + options.authPlugin + ": " + e.getMessage(), e);
        }
    }

    /** Asks for a path that starts with a slash; the answer is never {@code null}. */
    String get(URI base, String path) throws AdminException {
        URI uri = URI.create(base + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(timeout).header("Accept", "application/json");
        CompletableFuture<HttpResponse<byte[]>> pending = null;
        try {
            authenticate(uri, request);
            pending = http.sendAsync(request.build(), any -> new LimitedBody(LONGEST_ANSWER));
            HttpResponse<byte[]> response = pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            String body = new String(response.body(), StandardCharsets.UTF_8);
            if (response.statusCode() != 200) {
                throw new AdminException(uri + " answered " + refusal(response, body));
            }
            return body;
        } catch (TimeoutException e) {
            pending.cancel(true);
            throw silent(uri, e);
        } catch (ExecutionException e) {
            throw failed(uri, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AdminException(uri + ": interrupted", e);
        }
    }

    private void authenticate(URI uri, HttpRequest.Builder request) throws AdminException {
        if (authentication == null) {
            return;
        }
        try {
            AuthenticationDataProvider data = authentication.getAuthData(uri.getHost());
            if (!data.hasDataForHttp()) {
                return;
            }
            CompletableFuture<Map<String, String>> stage = new CompletableFuture<>();
            authentication.authenticationStage(uri.toString(), data, null, stage);
            Map<String, String> earlier = stage.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            Set<Map.Entry<String, String>> headers = authentication.newRequestHeader(uri.toString(), data, earlier);
            if (headers != null) {
                headers.forEach(header -> request.header(header.getKey(), header.getValue()));
            }
        } catch (Exception e) {
            throw new AdminException("cannot authenticate to " + uri + ": " + e.getMessage(), e);
        }
    }

    private static String refusal(HttpResponse<byte[]> response, String body) {
        int status = response.statusCode();
        Matcher reason = REASON.matcher(body);
        String why = reason.find() ? shortened(reason.group(1)) : "";
        return switch (status) {
            case 301, 302, 303, 307, 308 -> status + ": it redirects to " + response.headers().firstValue("Location")
                    .orElse("an unknown place") + ", which is not followed; give that host as --admin-url";
            case 401, 403 -> status + ": not allowed" + why
                    + " (load reports and configuration need a superuser: --auth-plugin and --auth-params)";
            case 404 -> status + ": no such path" + why + " (is this the web service of a Pulsar broker?)";
            default -> status + (why.isEmpty() ? "" : why);
        };
    }

    private static String shortened(String reason) {
        String line = reason.lines().findFirst().orElse("").replace("\\n", " ").trim();
        return line.isEmpty() ? ""
                : ": " + (line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "..." : line);
    }

    private AdminException silent(URI uri, Throwable cause) {
        return new AdminException(uri + " did not answer within " + timeout.toSeconds() + " s", cause);
    }

    private AdminException failed(URI uri, Throwable cause) {
        String host = uri.getScheme() + "://" + uri.getAuthority();
        if (cause instanceof HttpTimeoutException) {
            return silent(uri, cause);
        }
        if (cause instanceof ConnectException) {
            return new AdminException("cannot connect to " + host + ": " + noConnection(cause), cause);
        }
        if (cause instanceof SSLException) {
            return new AdminException("TLS with " + host + " failed: " + cause.getMessage()
                    + " (see --tls-trust-cert-path, --tls-enable-hostname-verification and --broker-port)", cause);
        }
        if (cause instanceof IOException && cause.getMessage() != null
                && cause.getMessage().contains("longer than")) {
            return new AdminException(uri + ": " + cause.getMessage(), cause);
        }
        return new AdminException(host + " does not answer as an HTTP server does (" + cause.getMessage()
                + "); is this the web service's port, such as 8080?", cause);
    }

    /** The HTTP client leaves the reason to causes, and says nothing at all of a refusal. */
    private static String noConnection(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
                return "the host is not known";
            }
            if (cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return "nothing listens there, or there is no way to it";
    }

    @Override
    public void close() {
        if (authentication != null) {
            try {
                authentication.close();
            } catch (IOException e) {
                throw new UserError("cannot close the authentication: " + e.getMessage(), e);
            }
        }
    }
}
