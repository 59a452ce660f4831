package io.avgshedder.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.common.policies.data.TenantInfo;

/**
 * A Pulsar cluster of separate processes, started by the scripts of an unpacked server distribution: ZooKeeper, one
 * bookie and as many brokers as are asked for, on loopback and free ports, with heaps that suit a build machine.
 *
 * <p>Configuration files, data and logs lie in a directory of the run; the distribution itself is changed only by the
 * plugin jar in its {@code lib/}. Every process is stopped by its own handle, when the cluster is closed or, should it
 * not come to that, when this JVM ends.
 */
final class DistributionCluster implements AutoCloseable {

    /** Figures of the last seconds instead of minutes; rounds stay a minute apart, as on any broker. */
    static final Map<String, Object> QUICK_REPORTS = Map.of(
            "loadBalancerReportUpdateMinIntervalMillis", 1_000,
            "loadBalancerReportUpdateThresholdPercentage", 0,
            "statsUpdateFrequencyInSecs", 10,
            "statsUpdateInitialDelayInSecs", 10,
            "loadBalancerAutoBundleSplitEnabled", false);

    static final String NAME = "levelling";

    static final String HOST = "127.0.0.1";
    private static final Duration START = Duration.ofMinutes(2);
    private static final String SMALL_GC = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";
    /** pulsar-perf allocates the histograms of all its commands at its start, whichever one is asked for. */
    private static final String PERF_JVM = "-Xms64m -Xmx768m " + SMALL_GC;

    private final Path home;
    private final Path directory;
    private final int zooKeeperPort;
    private final List<ServerProcess> processes = new ArrayList<>();
    private boolean ended;
    private final List<Broker> brokers = new ArrayList<>();
    private int started;
    private final Thread lastResort = new Thread(this::killAll, "stop-distribution-cluster");
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5))
            .followRedirects(HttpClient.Redirect.NORMAL).build();
    private final ObjectMapper json = new ObjectMapper();
    private PulsarAdmin admin;

    /** One broker: its id is what the load manager and the plugin call it. */
    record Broker(String id, URI web, String serviceUrl, int jmxPort, ServerProcess process) {

        PluginLines pluginLines() {
            return PluginLines.of(process.logLines());
        }

        /** To its management beans; to be closed. */
        JMXConnector jmx() throws IOException {
            return JMXConnectorFactory.connect(
                    new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + HOST + ":" + jmxPort + "/jmxrmi"));
        }
    }

    /**
     * @param home      the unpacked distribution
     * @param directory where the run keeps its files; created when missing
     */
    DistributionCluster(Path home, Path directory) {
        this.home = home;
        this.directory = directory;
        this.zooKeeperPort = freePorts(1).get(0);
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** Drops the plugin into the distribution's {@code lib/}, in place of any that an earlier run left there. */
    static void install(Path home, Path pluginJar) {
        Path lib = home.resolve("lib");
        try (DirectoryStream<Path> earlier = Files.newDirectoryStream(lib, "pulsar-avg-shedder-*.jar")) {
            for (Path jar : earlier) {
                Files.delete(jar);
            }
            Files.copy(pluginJar, lib.resolve(pluginJar.getFileName()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot put " + pluginJar + " into " + lib, e);
        }
    }

    /** Starts what brokers need: ZooKeeper with the cluster's metadata, and a bookie. */
    void startStorage() {
        ServerProcess zooKeeper = startServer("zookeeper", Map.of(
                "PULSAR_MEM", "-Xms32m -Xmx128m",
                "PULSAR_ZK_CONF", zooKeeperConf().toString()), "zookeeper");
        zooKeeper.awaitThat("listens", START, () -> accepts(zooKeeperPort));

        startServer("initialize-metadata", Map.of("PULSAR_MEM", "-Xms32m -Xmx128m"),
                "initialize-cluster-metadata",
                "--cluster", NAME,
                "--metadata-store", metadataStoreUrl(),
                "--configuration-metadata-store", metadataStoreUrl(),
                "--web-service-url", "http://" + HOST,
                "--broker-service-url", "pulsar://" + HOST).awaitSuccess(START);

        int port = freePorts(1).get(0);
        ServerProcess bookie = startServer("bookie", Map.of(
                "BOOKIE_MEM", "-Xms64m -Xmx256m -XX:MaxDirectMemorySize=256m",
                "PULSAR_BOOKKEEPER_CONF", bookieConf(port).toString()), "bookie");
        bookie.awaitThat("listens", START, () -> accepts(port));
    }

    /**
     * Starts one more broker and waits until it says that it is ready.
     *
     * @param operatorsKeys what an operator writes into {@code broker.conf} for the plugin
     */
    Broker startBroker(Map<String, ?> operatorsKeys) {
        List<Integer> ports = freePorts(3);
        String name = "broker-" + ++started;
        Path conf = brokerConf(name, ports.get(0), ports.get(1)).setAll(operatorsKeys)
                .write(directory.resolve("conf/" + name + ".conf"));
        ServerProcess process = startServer(name, Map.of(
                "PULSAR_MEM", "-Xms64m -Xmx256m -XX:MaxDirectMemorySize=256m",
                "PULSAR_LOG_CONF", logConf().toString(),
                "PULSAR_EXTRA_OPTS", jmxOptions(ports.get(2)),
                "PULSAR_BROKER_CONF", conf.toString()), "broker");
        Broker broker = new Broker(HOST + ":" + ports.get(1), URI.create("http://" + HOST + ":" + ports.get(1)),
                "pulsar://" + HOST + ":" + ports.get(0), ports.get(2), process);
        process.awaitThat("is ready", START, () -> get(broker, "/admin/v2/brokers/ready").statusCode() == 200);
        brokers.add(broker);
        return broker;
    }

    private static String jmxOptions(int port) {
        return String.join(" ", "-Dcom.sun.management.jmxremote.port=" + port,
                "-Dcom.sun.management.jmxremote.rmi.port=" + port,
                "-Dcom.sun.management.jmxremote.host=" + HOST,
                "-Djava.rmi.server.hostname=" + HOST,
                "-Dcom.sun.management.jmxremote.authenticate=false",
                "-Dcom.sun.management.jmxremote.ssl=false");
    }

    /** Starts a program that is none of the distribution's; it is stopped with the cluster. */
    ServerProcess startProgram(String name, List<String> command) {
        return start(name, Map.of(), command);
    }

    /** Ends a broker at once, as {@code kill -9} does. */
    void kill(Broker broker) {
        broker.process().kill();
        brokers.remove(broker);
        ask(brokers.get(0));
    }

    /** Those that were started and not killed. */
    List<Broker> brokers() {
        return Collections.unmodifiableList(brokers);
    }

    int zooKeeperPort() {
        return zooKeeperPort;
    }

    /** All brokers that run now, for a client. */
    String serviceUrl() {
        return brokers.stream().map(broker -> broker.serviceUrl().substring("pulsar://".length()))
                .collect(Collectors.joining(",", "pulsar://", ""));
    }

    /** Runs {@code bin/pulsar-perf} with the given command and arguments against all brokers that run now. */
    ServerProcess startPerf(String name, List<String> arguments) {
        List<String> command = Stream.concat(
                Stream.of(home.resolve("bin/pulsar-perf").toString(), arguments.get(0), "--service-url", serviceUrl()),
                arguments.stream().skip(1)).toList();
        return start(name, Map.of("PULSAR_EXTRA_OPTS", PERF_JVM), command);
    }

    PulsarAdmin admin() {
        if (admin == null) {
            ask(brokers.get(0));
        }
        return admin;
    }

    /** Has this broker answer all questions from now on, instead of the first one. */
    void ask(Broker broker) {
        if (admin != null) {
            admin.close();
        }
        try {
            admin = PulsarAdmin.builder().serviceHttpUrl(broker.web().toString()).build();
        } catch (PulsarClientException e) {
            throw new IllegalStateException("No admin client", e);
        }
    }

    /** The broker that leads now, and so is the one whose load manager sheds. */
    Broker leader() throws PulsarAdminException {
        URI leader = URI.create(admin().brokers().getLeaderBroker().getServiceUrl());
        return brokers.stream().filter(broker -> broker.web().equals(leader)).findFirst()
                .orElseThrow(() -> new IllegalStateException("The leader " + leader + " is none of " + brokers));
    }

    /**
     * Creates a namespace, and its tenant where that is missing, and finds topics for it: one in each bundle.
     *
     * @param namespace such as {@code tenant/namespace}
     */
    List<String> createNamespaceWithOneTopicInEachBundle(String namespace, int bundles) throws PulsarAdminException {
        String tenant = namespace.substring(0, namespace.indexOf('/'));
        if (!admin().tenants().getTenants().contains(tenant)) {
            admin().tenants().createTenant(tenant, TenantInfo.builder().allowedClusters(Set.of(NAME)).build());
        }
        admin().namespaces().createNamespace(namespace, bundles);
        Map<String, String> topicOfBundle = new TreeMap<>();
        for (int i = 0; topicOfBundle.size() < bundles; i++) {
            String topic = "persistent://" + namespace + "/topic-" + i;
            topicOfBundle.putIfAbsent(admin().lookups().getBundleRange(topic), topic);
        }
        return List.copyOf(topicOfBundle.values());
    }

    /** The bundles of a namespace that a broker owns by its own account, with the namespace in their names. */
    Set<String> bundlesOwnedBy(Broker broker, String namespace) throws PulsarAdminException {
        return admin().brokers().getOwnedNamespaces(NAME, broker.id()).keySet().stream()
                .filter(bundle -> bundle.startsWith(namespace + "/"))
                .collect(Collectors.toSet());
    }

    /**
     * Has the leader move a bundle, as an operator may.
     *
     * <p>By HTTP, because the admin client of Pulsar 2.11, on which the test sources have to compile as well, has no
     * call for it.
     *
     * @param bundle with the namespace in its name
     */
    void moveByHand(String bundle, Broker target) throws PulsarAdminException, IOException, InterruptedException {
        URI unload = leader().web().resolve(
                "/admin/v2/namespaces/" + bundle + "/unload?destinationBroker=" + target.id());
        HttpRequest request = HttpRequest.newBuilder(unload).timeout(Duration.ofSeconds(60))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException("Cannot move " + bundle + " to " + target.id() + ": " + response + response.body());
        }
    }

    /** What the broker reports of itself at this moment. */
    JsonNode loadReport(Broker broker) throws IOException, InterruptedException {
        HttpResponse<String> response = get(broker, "/admin/v2/broker-stats/load-report");
        if (response.statusCode() != 200) {
            throw new IOException("No load report of " + broker.id() + ": " + response);
        }
        return json.readTree(response.body());
    }

    /** Messages a second, in and out together, that it reports of itself at this moment. */
    double messageRate(Broker broker) throws IOException, InterruptedException {
        return messageRate(loadReport(broker));
    }

    static double messageRate(JsonNode loadReport) {
        return loadReport.path("msgRateIn").asDouble() + loadReport.path("msgRateOut").asDouble();
    }

    /** What a Prometheus server gets from it. */
    String metrics(Broker broker) throws IOException, InterruptedException {
        HttpResponse<String> response = get(broker, "/metrics/");
        if (response.statusCode() != 200) {
            throw new IOException("No metrics of " + broker.id() + ": " + response);
        }
        return response.body();
    }

    private HttpResponse<String> get(Broker broker, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(broker.web().resolve(path))
                .timeout(Duration.ofSeconds(10))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private ServerProcess startServer(String name, Map<String, String> environment, String... arguments) {
        return start(name, environment,
                Stream.concat(Stream.of(home.resolve("bin/pulsar").toString()), Stream.of(arguments)).toList());
    }

    private synchronized ServerProcess start(String name, Map<String, String> environment, List<String> command) {
        if (ended) {
            throw new IllegalStateException("The cluster has ended; " + name + " would be left behind");
        }
        Map<String, String> common = Map.of(
                "JAVA_HOME", System.getProperty("java.home"),
                "LC_ALL", "C",
                "PULSAR_GC", SMALL_GC,
                "BOOKIE_GC", SMALL_GC,
                // Blank, not empty: the scripts replace an empty value by their own.
                "PULSAR_GC_LOG", " ",
                "BOOKIE_GC_LOG", " ",
                "PULSAR_LOG_DIR", directory.resolve("log/" + name).toString());
        Map<String, String> all = Stream.of(common, environment).flatMap(map -> map.entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        ServerProcess process = ServerProcess.start(name, directory.resolve("log/" + name + ".log"), all, command);
        processes.add(process);
        return process;
    }

    private Path zooKeeperConf() {
        return ConfFile.read(home.resolve("conf/zookeeper.conf"))
                .set("dataDir", directory.resolve("data/zookeeper"))
                .set("clientPort", zooKeeperPort)
                .set("clientPortAddress", HOST)
                .set("admin.enableServer", false)
                .set("forceSync", "no")
                .remove("metricsProvider.className")
                .remove("metricsProvider.httpPort")
                .remove("metricsProvider.exportJvmInfo")
                .write(directory.resolve("conf/zookeeper.conf"));
    }

    private Path bookieConf(int port) {
        return ConfFile.read(home.resolve("conf/bookkeeper.conf"))
                .remove("zkServers")
                .set("metadataServiceUri", "metadata-store:" + metadataStoreUrl())
                .set("bookiePort", port)
                .set("advertisedAddress", HOST)
                .set("allowLoopback", true)
                .set("listeningInterface", "lo")
                .set("journalDirectory", directory.resolve("data/bookie/journal"))
                .set("ledgerDirectories", directory.resolve("data/bookie/ledgers"))
                .set("journalSyncData", false)
                .set("journalMaxSizeMB", 64)
                .set("journalPreAllocSizeMB", 4)
                .set("dbStorage_writeCacheMaxSizeMb", 32)
                .set("dbStorage_readAheadCacheMaxSizeMb", 16)
                .set("dbStorage_rocksDB_blockCacheSize", 8 * 1024 * 1024)
                .set("minUsableSizeForIndexFileCreation", 1024 * 1024)
                .set("logSizeLimit", 64 * 1024 * 1024)
                .set("autoRecoveryDaemonEnabled", false)
                .set("statsProviderClass", "org.apache.bookkeeper.stats.NullStatsProvider")
                .write(directory.resolve("conf/bookkeeper.conf"));
    }

    private ConfFile brokerConf(String name, int servicePort, int webPort) {
        return ConfFile.read(home.resolve("conf/broker.conf"))
                .set("clusterName", NAME)
                .set("metadataStoreUrl", metadataStoreUrl())
                .set("configurationMetadataStoreUrl", metadataStoreUrl())
                .set("bindAddress", HOST)
                .set("advertisedAddress", HOST)
                .set("brokerServicePort", servicePort)
                .set("webServicePort", webPort)
                .set("managedLedgerDefaultEnsembleSize", 1)
                .set("managedLedgerDefaultWriteQuorum", 1)
                .set("managedLedgerDefaultAckQuorum", 1)
                .set("numIOThreads", 2)
                .set("numHttpServerThreads", 8)
                .set("numOrderedExecutorThreads", 2)
                .set("numCacheExecutorThreadPoolSize", 2)
                // One thread for each processor by default. On two, two first lookups hang the broker: one waits for
                // the metadata of its bundle while it holds the lock that the other waits for, and none is left to read it.
                .set("numExecutorThreadPoolSize", 8)
                .set("brokerShutdownTimeoutMs", 10_000);
    }

    /** The distribution's own, with one logger more, so that the quiet rounds are seen too. */
    private Path logConf() {
        return ConfFile.read(home.resolve("conf/log4j2.yaml"))
                .insertAfter("    Logger:",
                        "      - name: io.avgshedder",
                        "        level: debug",
                        "        additivity: false",
                        "        AppenderRef:",
                        "          - ref: Console")
                .write(directory.resolve("conf/log4j2.yaml"));
    }

    private String metadataStoreUrl() {
        return "zk:" + HOST + ":" + zooKeeperPort;
    }

    private static boolean accepts(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(HOST, port), 1_000);
            return true;
        }
    }

    static List<Integer> freePorts(int count) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getByName(HOST)));
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("No free port", e);
        } finally {
            for (ServerSocket socket : held) {
                try {
                    socket.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Stops the latest started first, so that nobody misses what it needs for a clean end. */
    @Override
    public void close() {
        try {
            if (admin != null) {
                admin.close();
            }
            latestFirst().forEach(ServerProcess::close);
        } finally {
            killAll();
            Runtime.getRuntime().removeShutdownHook(lastResort);
        }
    }

    private synchronized List<ServerProcess> latestFirst() {
        List<ServerProcess> reversed = new ArrayList<>(processes);
        Collections.reverse(reversed);
        return reversed;
    }

    private synchronized void killAll() {
        ended = true;
        processes.forEach(ServerProcess::kill);
    }
}
