package io.avgshedder.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What the brokers of a cluster tell about themselves. Each is asked itself: a load report is known to nobody else. */
final class Cluster implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int AT_ONCE = 16;
    /** The load report type of the modular load manager. */
    private static final String MODULAR = "LocalBrokerData";

    private final AdminOptions options;
    private final AdminClient client;
    private final ExecutorService threads;

    Cluster(AdminOptions options) {
        options.check();
        this.options = options;
        client = new AdminClient(options);
        threads = Executors.newFixedThreadPool(AT_ONCE, task -> {
            Thread thread = new Thread(task, "admin");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A question to one broker. */
    @FunctionalInterface
    interface Question<T> {
        T ask(String broker) throws AdminException;
    }

    /** The names of all active brokers, in order. */
    List<String> brokers() throws AdminException {
        JsonNode names = json(options.adminUrl(), "/admin/v2/brokers");
        List<String> brokers = new ArrayList<>();
        for (JsonNode name : names) {
            if (!names.isArray() || !name.isTextual()) {
                break;
            }
            brokers.add(name.textValue());
        }
        if (!names.isArray() || brokers.size() != names.size()) {
            throw new AdminException(options.adminUrl() + "/admin/v2/brokers did not answer with a list of brokers");
        }
        brokers.sort(null);
        return brokers;
    }

    /** Asks all of them, several at once; the answers are in the order of the brokers. */
    <T> Map<String, Outcome<T>> askAll(Collection<String> brokers, Question<T> question) {
        Map<String, Future<Outcome<T>>> pending = new LinkedHashMap<>();
        for (String broker : brokers) {
            pending.put(broker, threads.submit(() -> {
                try {
                    return Outcome.of(question.ask(broker));
                } catch (AdminException e) {
                    return Outcome.failed(e.getMessage());
                }
            }));
        }
        Map<String, Outcome<T>> answers = new LinkedHashMap<>();
        pending.forEach((broker, answer) -> {
            try {
                answers.put(broker, answer.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new UserError("interrupted", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
            }
        });
        return answers;
    }

    /** The broker's load report, of whatever load manager it runs. */
    ObjectNode loadReport(String broker) throws AdminException {
        URI base = base(broker);
        String path = "/admin/v2/broker-stats/load-report";
        if (json(base, path) instanceof ObjectNode report) {
            return report;
        }
        throw new AdminException(base + path + " did not answer with a load report: the broker has none of the "
                + "modular load manager");
    }

    /** The load report of a broker that runs the modular load manager. */
    ObjectNode modularReport(String broker) throws AdminException {
        ObjectNode report = loadReport(broker);
        if (!isModular(report)) {
            throw new AdminException(broker + " does not run the modular load manager: its load report is a \""
                    + report.path("loadReportType").asText("(unknown)") + "\"");
        }
        if (!report.path("lastUpdate").isIntegralNumber()) {
            throw new AdminException(broker + ": its load report has no lastUpdate");
        }
        return report;
    }

    static boolean isModular(ObjectNode report) {
        return report.path("loadReportType").asText().equals(MODULAR);
    }

    /** The configuration that the broker runs with, keys that it declares only. */
    Map<String, String> configuration(String broker) throws AdminException {
        URI base = base(broker);
        String path = "/admin/v2/brokers/configuration/runtime";
        if (!(json(base, path) instanceof ObjectNode keys)) {
            throw new AdminException(base + path + " did not answer with a configuration");
        }
        Map<String, String> configuration = new TreeMap<>();
        keys.fields().forEachRemaining(field -> configuration.put(field.getKey(), field.getValue().asText()));
        return configuration;
    }

    /** The broker's version, such as {@code 4.0.8}. */
    String version(String broker) throws AdminException {
        String text = client.get(base(broker), "/admin/v2/brokers/version").trim();
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1) : text;
    }

    /** Where the broker's own web service is: brokers are listed as host and port, with or without a scheme. */
    private URI base(String broker) throws AdminException {
        URI admin = options.adminUrl();
        int scheme = broker.indexOf("://");
        try {
            URI listed = URI.create(admin.getScheme() + "://" + (scheme < 0 ? broker : broker.substring(scheme + 3)));
            if (listed.getHost() != null) {
                int port = options.brokerPort == null ? listed.getPort() : options.brokerPort;
                return URI.create(admin.getScheme() + "://" + listed.getHost() + (port < 0 ? "" : ":" + port));
            }
        } catch (IllegalArgumentException e) {
            throw new AdminException("the cluster lists a broker by a name that is no address: " + broker, e);
        }
        throw new AdminException("the cluster lists a broker by a name that is no address: " + broker);
    }

    private JsonNode json(URI base, String path) throws AdminException {
        String body = client.get(base, path);
        try {
            JsonNode node = MAPPER.readTree(body);
            if (!node.isMissingNode()) {
                return node;
            }
        } catch (JsonProcessingException e) {
            String what = body.stripLeading().startsWith("<") ? "HTML" : "something that is no JSON";
            throw new AdminException(base + path + " answered with " + what
                    + "; is this the web service of a Pulsar broker?", e);
        }
        throw new AdminException(base + path + " answered with nothing");
    }

    @Override
    public void close() {
        threads.shutdownNow();
        client.close();
    }
}
