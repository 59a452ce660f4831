package io.avgshedder.cluster;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;

/**
 * The configuration of a test broker, given as the lines of a {@code broker.conf} and read by the broker's own loader.
 *
 * <p>Lines, not setters, because the setters differ between Pulsar 2.11 and 4.x: a key that a version does not declare is
 * kept in {@link ServiceConfiguration#getProperties()} and otherwise ignored, exactly as in a real broker.
 */
final class BrokerConfiguration {

    private BrokerConfiguration() {
    }

    /**
     * @param metadataUrl the ZooKeeper of the cluster
     * @param overrides further lines, which win; an empty value takes the line out
     */
    static ServiceConfiguration of(String metadataUrl, Map<String, String> overrides) throws IOException {
        Map<String, String> lines = new HashMap<>(placeInTheCluster(metadataUrl));
        lines.putAll(SMALL);
        lines.putAll(DRIVEN_BY_THE_TEST);
        lines.putAll(overrides);
        lines.values().removeIf(String::isEmpty);
        Properties properties = new Properties();
        properties.putAll(lines);
        return PulsarConfigurationLoader.create(properties, ServiceConfiguration.class);
    }

    private static Map<String, String> placeInTheCluster(String metadataUrl) {
        return Map.of(
                "clusterName", EmbeddedCluster.CLUSTER_NAME,
                "metadataStoreUrl", metadataUrl,
                "configurationMetadataStoreUrl", metadataUrl,
                "bindAddress", "127.0.0.1",
                "advertisedAddress", "127.0.0.1",
                "brokerServicePort", "0",
                "webServicePort", "0");
    }

    private static final Map<String, String> SMALL = Map.ofEntries(
            Map.entry("numIOThreads", "1"),
            Map.entry("numHttpServerThreads", "8"),
            Map.entry("numOrderedExecutorThreads", "1"),
            // On two threads two first lookups can hang the broker: one waits for its bundle's metadata while it holds
            // the lock that the other waits for, and no thread is left to read it.
            Map.entry("numExecutorThreadPoolSize", "8"),
            Map.entry("numCacheExecutorThreadPoolSize", "1"),
            Map.entry("topicOrderedExecutorThreadNum", "1"),
            Map.entry("managedLedgerNumSchedulerThreads", "1"),
            Map.entry("managedLedgerNumWorkerThreads", "1"),
            Map.entry("managedLedgerCacheSizeMB", "8"),
            Map.entry("managedLedgerDefaultEnsembleSize", "1"),
            Map.entry("managedLedgerDefaultWriteQuorum", "1"),
            Map.entry("managedLedgerDefaultAckQuorum", "1"),
            Map.entry("bookkeeperClientNumIoThreads", "1"),
            Map.entry("bookkeeperClientNumWorkerThreads", "1"),
            Map.entry("bookkeeperNumberOfChannelsPerBookie", "1"),
            Map.entry("systemTopicEnabled", "false"),
            Map.entry("topicLevelPoliciesEnabled", "false"),
            Map.entry("webSocketServiceEnabled", "false"),
            Map.entry("brokerShutdownTimeoutMs", "4000"));

    /**
     * Load reports, rates and shedding happen when the test asks for them, so the broker's own timers are set to an hour.
     * The usages of CPU and network interface are those of the host, the same for all brokers of one process: weight 0
     * (the keys are spelt in two ways, before 4.0 and since). Brokers up to 3.0 refuse to start where the speed of the
     * network interface cannot be read.
     */
    private static final Map<String, String> DRIVEN_BY_THE_TEST = Map.ofEntries(
            Map.entry("loadManagerClassName", SteppedLoadManager.class.getName()),
            Map.entry("loadBalancerReportUpdateMinIntervalMillis", "3600000"),
            Map.entry("statsUpdateInitialDelayInSecs", "3600"),
            Map.entry("statsUpdateFrequencyInSecs", "3600"),
            Map.entry("loadBalancerSheddingIntervalMinutes", "1"),
            Map.entry("loadBalancerSheddingGracePeriodMinutes", "0"),
            Map.entry("loadBalancerDistributeBundlesEvenlyEnabled", "false"),
            Map.entry("loadBalancerAutoBundleSplitEnabled", "false"),
            Map.entry("loadBalancerOverrideBrokerNicSpeedGbps", "10"),
            Map.entry("loadBalancerCPUResourceWeight", "0"),
            Map.entry("loadBalancerBandwithInResourceWeight", "0"),
            Map.entry("loadBalancerBandwithOutResourceWeight", "0"),
            Map.entry("loadBalancerBandwidthInResourceWeight", "0"),
            Map.entry("loadBalancerBandwidthOutResourceWeight", "0"));
}
