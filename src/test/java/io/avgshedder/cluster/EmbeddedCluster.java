package io.avgshedder.cluster;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.broker.PulsarServerException;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.ClusterData;
import org.apache.pulsar.common.policies.data.TenantInfo;
import org.apache.pulsar.metadata.impl.ZKMetadataStore;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;

/**
 * A real Pulsar cluster in this process: ZooKeeper, a bookie and brokers, all on free loopback ports, all data under
 * {@code target/}. The same source runs on every Pulsar version from 2.11.0 on.
 *
 * <p>Nothing in it happens by timer: {@link #round()} has all brokers measure and report, waits until the leader has read
 * every report, and runs the leader's own {@code doLoadShedding()}. A test therefore needs neither sleep nor luck.
 *
 * <p>{@link #close()} stops everything that was started, also after a start that failed half way. A broker may be added in
 * another thread, and stopped inside a round; otherwise it belongs to one thread.
 */
public final class EmbeddedCluster implements AutoCloseable {

    static final String CLUSTER_NAME = "test";

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(20);

    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final List<EmbeddedBroker> brokers = new CopyOnWriteArrayList<>();
    private final Map<String, String> pins = new ConcurrentHashMap<>();
    private final Map<String, String> settings;
    private final String metadataUrl;
    private final EmbeddedZooKeeper zooKeeper;
    private PulsarClient client;

    private EmbeddedCluster(Map<String, String> settings, boolean persistentTopics) throws Exception {
        this.settings = Map.copyOf(settings);
        try {
            Path directory = newDirectory();
            started.push(() -> deleteAll(directory));
            zooKeeper = new EmbeddedZooKeeper(Files.createDirectory(directory.resolve("zookeeper")));
            started.push(zooKeeper);
            metadataUrl = zooKeeper.url();
            if (persistentTopics) {
                started.push(new EmbeddedBookie(metadataUrl, Files.createDirectory(directory.resolve("bookie"))));
            }
        } catch (Exception e) {
            throw closedAfter(e);
        }
    }

    /**
     * Starts a cluster for persistent topics.
     *
     * @param brokers how many
     * @param settings lines of {@code broker.conf} for all of them, beside those of the harness
     */
    public static EmbeddedCluster start(int brokers, Map<String, String> settings) throws Exception {
        return start(brokers, settings, true);
    }

    /** Starts a cluster without a bookie, two seconds sooner: it can serve {@code non-persistent://} topics only. */
    public static EmbeddedCluster startWithoutBookie(int brokers, Map<String, String> settings) throws Exception {
        return start(brokers, settings, false);
    }

    private static EmbeddedCluster start(int brokers, Map<String, String> settings, boolean persistentTopics)
            throws Exception {
        EmbeddedCluster cluster = new EmbeddedCluster(settings, persistentTopics);
        try {
            for (int i = 0; i < brokers; i++) {
                cluster.addBroker();
            }
            return cluster;
        } catch (Exception e) {
            throw cluster.closedAfter(e);
        }
    }

    /** The settings that make a broker load a strategy for shedding and for placement, as they are in {@code broker.conf}. */
    public static Map<String, String> strategy(Class<?> strategy) {
        return Map.of(
                "loadBalancerLoadSheddingStrategy", strategy.getName(),
                "loadBalancerLoadPlacementStrategy", strategy.getName(),
                // 3.0.6 and 3.0.7 look here
                "loadBalancerPlacementStrategy", strategy.getName());
    }

    /** Adds a broker with the settings of the cluster and waits until the leader sees it. */
    public EmbeddedBroker addBroker() throws Exception {
        return addBroker(Map.of());
    }

    /** @param overrides lines of {@code broker.conf} that only this broker has; an empty value takes the line out */
    public EmbeddedBroker addBroker(Map<String, String> overrides) throws Exception {
        return addBroker(configuration(overrides));
    }

    /** The configuration that {@link #addBroker(Map)} would give a broker. */
    ServiceConfiguration configuration(Map<String, String> overrides) throws IOException {
        Map<String, String> lines = new HashMap<>(settings);
        lines.putAll(overrides);
        return BrokerConfiguration.of(metadataUrl, lines);
    }

    EmbeddedBroker addBroker(ServiceConfiguration configuration) throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.start(configuration, pins);
        brokers.add(broker);
        awaitUntil(broker + " is seen by the leader",
                () -> leader().loadManager().getAvailableBrokers().contains(broker.id()));
        return broker;
    }

    /** Stops a broker cleanly and waits until no other one offers it for placement. */
    public void stop(EmbeddedBroker broker) {
        brokers.remove(broker);
        try {
            broker.stop();
        } catch (PulsarServerException e) {
            throw new IllegalStateException("broker " + broker + " did not stop cleanly", e);
        }
        awaitUntil(broker + " has left", () -> brokers.stream()
                .noneMatch(other -> other.loadManager().getAvailableBrokers().contains(broker.id())));
    }

    /**
     * Ends the broker's metadata session as if it had been cut off, and waits until it is back, with a new session, among
     * those that the leader offers for placement.
     */
    public void loseSession(EmbeddedBroker broker) {
        ZKMetadataStore store = (ZKMetadataStore) broker.service().getLocalMetadataStore();
        long lost = store.getZkSessionId();
        zooKeeper.expire(lost);
        awaitUntil(broker + " has a new session", () -> store.getZkSessionId() != lost);
        awaitUntil(broker + " is back", () -> leader().loadManager().getAvailableBrokers().contains(broker.id()));
    }

    /** The running brokers, in the order in which they were started. */
    public List<EmbeddedBroker> brokers() {
        return List.copyOf(brokers);
    }

    /** The running broker with this id. */
    public EmbeddedBroker broker(String id) {
        return brokers.stream().filter(broker -> broker.id().equals(id)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no running broker is called " + id));
    }

    /** The leader, waited for if an election is going on. */
    public EmbeddedBroker leader() {
        return await("a leader").atMost(PATIENCE).pollInterval(POLL).pollDelay(Duration.ZERO)
                .until(() -> brokers.stream().filter(EmbeddedBroker::isLeader).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    /** An admin client; it belongs to the leader and goes with it. */
    public PulsarAdmin admin() {
        try {
            return leader().service().getAdminClient();
        } catch (PulsarServerException e) {
            throw new IllegalStateException("the leader has no admin client", e);
        }
    }

    /** A client of the cluster, which is closed with it. It knows all brokers that run when it is first asked for. */
    public PulsarClient client() throws PulsarClientException {
        if (client == null) {
            client = PulsarClient.builder()
                    .serviceUrl(brokers.stream()
                            .map(broker -> broker.service().getBrokerServiceUrl().substring("pulsar://".length()))
                            .collect(Collectors.joining(",", "pulsar://", "")))
                    .ioThreads(1)
                    .listenerThreads(1)
                    .statsInterval(0, TimeUnit.SECONDS)
                    .build();
        }
        return client;
    }

    /** Makes {@code tenant/namespace}, and what it needs, with so many bundles. */
    public void createNamespace(String namespace, int bundles) throws PulsarAdminException {
        PulsarAdmin admin = admin();
        String tenant = namespace.substring(0, namespace.indexOf('/'));
        if (!admin.clusters().getClusters().contains(CLUSTER_NAME)) {
            EmbeddedBroker broker = leader();
            admin.clusters().createCluster(CLUSTER_NAME, ClusterData.builder()
                    .serviceUrl(broker.service().getWebServiceAddress())
                    .brokerServiceUrl(broker.service().getBrokerServiceUrl())
                    .build());
        }
        if (!admin.tenants().getTenants().contains(tenant)) {
            admin.tenants().createTenant(tenant,
                    TenantInfo.builder().allowedClusters(Set.of(CLUSTER_NAME)).build());
        }
        admin.namespaces().createNamespace(namespace, bundles);
    }

    /** The bundle of a topic, in the form that load data and plans use: {@code tenant/namespace/0x…_0x…}. */
    public String bundleOf(String topic) {
        try {
            return leader().service().getNamespaceService().getBundle(TopicName.get(topic)).toString();
        } catch (Exception e) {
            throw new IllegalArgumentException("no bundle for " + topic, e);
        }
    }

    /**
     * Names topics of which no two share a bundle.
     *
     * @param prefix such as {@code persistent://tenant/namespace/topic-}
     * @param count at most the number of bundles of the namespace
     * @return topic by bundle, in the order of the topics' numbers
     */
    public Map<String, String> oneTopicPerBundle(String prefix, int count) {
        Map<String, String> topics = new LinkedHashMap<>();
        for (int number = 0; topics.size() < count; number++) {
            if (number > 1_000 * count) {
                throw new IllegalArgumentException(prefix + " has no " + count + " bundles, only " + topics.keySet());
            }
            String topic = prefix + number;
            topics.putIfAbsent(bundleOf(topic), topic);
        }
        return topics;
    }

    /** The broker that owns the bundle now. */
    public Optional<EmbeddedBroker> ownerOf(String bundle) {
        return brokers.stream().filter(broker -> broker.owns(bundle)).findFirst();
    }

    /**
     * Brings the bundle of a topic to a broker, wherever it is now, past the placement strategy. Works on every version, also
     * where an unload cannot name a destination.
     */
    public void place(String topic, EmbeddedBroker target) throws PulsarAdminException {
        String bundle = bundleOf(topic);
        pins.put(bundle, target.id());
        try {
            Optional<EmbeddedBroker> owner = ownerOf(bundle);
            if (owner.isPresent() && owner.get() != target) {
                int slash = bundle.lastIndexOf('/');
                admin().namespaces().unloadNamespaceBundle(bundle.substring(0, slash), bundle.substring(slash + 1));
            }
            admin().lookups().lookupTopic(topic);
            awaitUntil(bundle + " is owned by " + target, () -> target.owns(bundle));
        } finally {
            pins.remove(bundle);
        }
    }

    /** Has every broker measure its traffic: rates are means over the time since it last did. */
    public void measure() {
        brokers.forEach(broker -> broker.service().getBrokerService().updateRates());
    }

    /** Has every broker measure its traffic and write its load report, and waits until the leader has read them all. */
    public void report() {
        measure();
        Map<EmbeddedBroker, Long> written = new LinkedHashMap<>();
        for (EmbeddedBroker broker : brokers) {
            written.put(broker, broker.loadManager().report());
        }
        EmbeddedBroker leader = leader();
        awaitUntil("the leader has read all reports", () -> {
            leader.loadManager().updateAll();
            Map<String, BrokerData> known = leader.loadData().getBrokerData();
            return written.entrySet().stream().allMatch(entry -> {
                BrokerData data = known.get(entry.getKey().id());
                return data != null && data.getLocalData().getLastUpdate() >= entry.getValue();
            });
        });
    }

    /** {@link #report()}, then one real shedding cycle of the leader. */
    public void round() {
        report();
        leader().loadManager().shed();
    }

    /**
     * Runs {@code action} once, inside the next round that moves anything, when the plan is made and before the leader asks
     * for the first target.
     */
    public void betweenPlanAndPlacement(Runnable action) {
        leader().loadManager().betweenPlanAndPlacement(action);
    }

    /** Waits for something that must become true soon. */
    public static void awaitUntil(String what, Callable<Boolean> condition) {
        await(what).atMost(PATIENCE).pollInterval(POLL).pollDelay(Duration.ZERO).until(condition);
    }

    private Exception closedAfter(Exception failure) {
        try {
            close();
        } catch (Exception onClose) {
            failure.addSuppressed(onClose);
        }
        return failure;
    }

    /** Stops all, the last started first; what cannot be stopped does not keep the rest running. */
    @Override
    public void close() throws Exception {
        List<Exception> failures = new ArrayList<>();
        // the leader last: each of its successors would first have to be elected
        brokers.stream()
                .sorted(Comparator.comparing(EmbeddedBroker::isLeader).reversed())
                .forEach(broker -> started.push(broker::stop));
        brokers.clear();
        if (client != null) {
            started.push(client);
        }
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            Exception first = failures.remove(0);
            failures.forEach(first::addSuppressed);
            throw first;
        }
    }

    /** Where each cluster has a directory of its own as long as it is open. */
    static Path directories() {
        return Path.of(System.getProperty("basedir", ""), "target", "clusters").toAbsolutePath();
    }

    private static Path newDirectory() throws IOException {
        return Files.createTempDirectory(Files.createDirectories(directories()), "cluster-");
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
