package io.avgshedder.tool;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Brokers of which only the admin API is there, and of that only what is read from it; on loopback, on free ports. */
final class StubCluster implements AutoCloseable {

    private static final String PLUGIN = "io.avgshedder.AvgShedder";

    /** One broker, whose answers can be replaced. */
    static final class Broker {

        private final HttpServer server;
        private final Map<String, Supplier<Answer>> answers = new ConcurrentHashMap<>();
        private final List<HttpExchange> asked = new CopyOnWriteArrayList<>();
        final Map<String, String> conf = new LinkedHashMap<>(Map.of(
                "loadManagerClassName", "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl",
                "loadBalancerEnabled", "true",
                "loadBalancerSheddingEnabled", "true",
                "loadBalancerDistributeBundlesEvenlyEnabled", "false",
                "loadBalancerLoadSheddingStrategy", PLUGIN,
                "loadBalancerLoadPlacementStrategy", PLUGIN,
                "loadBalancerAvgShedderLowThreshold", "15",
                "loadBalancerOverrideBrokerNicSpeedGbps", "Optional.empty",
                "brokerClientAuthenticationParameters", "token:secret"));

        private Broker(ExecutorService threads) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/", this::handle);
            server.start();
        }

        private void handle(HttpExchange exchange) throws IOException {
            asked.add(exchange);
            Answer answer = answers.getOrDefault(exchange.getRequestURI().getPath(),
                    () -> new Answer(404, "<html>Not found</html>")).get();
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            answer.headers().forEach(exchange.getResponseHeaders()::add);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }

        String name() {
            return "127.0.0.1:" + server.getAddress().getPort();
        }

        String url() {
            return "http://" + name();
        }

        void answer(String path, Supplier<Answer> answer) {
            answers.put(path, answer);
        }

        void report(Supplier<String> report) {
            answer("/admin/v2/broker-stats/load-report", () -> new Answer(200, report.get()));
        }

        void version(String version) {
            answer("/admin/v2/brokers/version", () -> new Answer(200, version));
        }

        /** What was asked, without the query. */
        List<HttpExchange> asked() {
            return asked;
        }
    }

    /** An answer of a server. */
    record Answer(int status, String body, Map<String, String> headers) {

        Answer(int status, String body) {
            this(status, body, Map.of());
        }
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final List<Broker> brokers = new ArrayList<>();
    private final List<Broker> active = new CopyOnWriteArrayList<>();

    /** Makes brokers that are well and report the worked example's figures, in the order of their names. */
    StubCluster(int count) {
        try {
            for (int i = 0; i < count; i++) {
                brokers.add(new Broker(threads));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        brokers.sort((one, other) -> one.name().compareTo(other.name()));
        active.addAll(brokers);
        List<String> figures = List.of(
                Reports.report(80, 20_000, "t/ns", 11, 900, Reports.START),
                Reports.report(30, 2_000, "t/b", 2, 1_000, Reports.START),
                Reports.report(50, 10_000, "t/c", 10, 1_000, Reports.START));
        for (int i = 0; i < count; i++) {
            Broker broker = brokers.get(i);
            String report = figures.get(i % figures.size());
            broker.answer("/admin/v2/brokers", () -> new Answer(200, active.stream()
                    .map(other -> "\"" + other.name() + "\"").collect(Collectors.joining(",", "[", "]"))));
            broker.answer("/admin/v2/brokers/configuration/runtime", () -> new Answer(200, broker.conf.entrySet()
                    .stream().map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue() + "\"")
                    .collect(Collectors.joining(",", "{", "}"))));
            broker.version("4.0.8");
            broker.report(() -> report);
        }
    }

    Broker broker(int i) {
        return brokers.get(i);
    }

    String name(int i) {
        return brokers.get(i).name();
    }

    String url() {
        return brokers.get(0).url();
    }

    /** The broker is listed no more. */
    void leave(int i) {
        active.remove(brokers.get(i));
    }

    /** The broker's port is closed, and it is still listed. */
    void stop(int i) {
        brokers.get(i).server.stop(0);
    }

    /** An answer that does not come before the cluster is closed. */
    Supplier<Answer> never() {
        return () -> {
            try {
                closing.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Answer(500, "");
        };
    }

    @Override
    public void close() {
        closing.countDown();
        brokers.forEach(broker -> broker.server.stop(0));
        threads.shutdownNow();
    }
}
