package io.avgshedder.tool;

import com.google.common.collect.Multimap;
import io.avgshedder.core.Transfer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageBrokerData;

/**
 * Does around the two strategies what a broker's {@code ModularLoadManagerImpl} does on the leader: keeps the load
 * data, remembers what was unloaded for the grace period, and asks for a target for every bundle that a round names.
 * It unloads nothing: what came of it is for the next reports to say.
 *
 * <p>All times come from the caller. Not for several threads.
 */
final class StandInManager {

    private static final int SHORT_SAMPLES = 10;
    private static final int LONG_SAMPLES = 1000;

    private final LoadSheddingStrategy shedder;
    private final ModularLoadManagerStrategy placer;
    private final LoadData loadData = new LoadData();
    private final Map<String, Long> lastUpdates = new HashMap<>();
    private ServiceConfiguration conf = new ServiceConfiguration();

    /** @param placer may be the same object as the shedder */
    StandInManager(LoadSheddingStrategy shedder, ModularLoadManagerStrategy placer) {
        this.shedder = shedder;
        this.placer = placer;
    }

    void configure(ServiceConfiguration replacement) {
        conf = Objects.requireNonNull(replacement, "configuration");
    }

    LoadData loadData() {
        return loadData;
    }

    /** Takes the reports of all active brokers; a report is {@code null} where none is known. */
    void reports(Map<String, LocalBrokerData> reports) {
        Map<String, BrokerData> brokers = loadData.getBrokerData();
        for (String broker : List.copyOf(brokers.keySet())) {
            if (!reports.containsKey(broker)) {
                brokers.remove(broker);
                lastUpdates.remove(broker);
            }
        }
        Set<String> reported = new HashSet<>();
        reports.forEach((broker, report) -> {
            BrokerData known = brokers.get(broker);
            if (known == null) {
                brokers.put(broker, new BrokerData(report));
            } else {
                known.setLocalData(report);
            }
            reported.addAll(stats(report).keySet());
        });
        reports.forEach(this::sample);
        for (String bundle : List.copyOf(loadData.getBundleData().keySet())) {
            if (!reported.contains(bundle)) {
                loadData.getBundleData().remove(bundle);
            }
        }
        tellActiveBrokers(Set.copyOf(reports.keySet()));
    }

    /** Adds a report's figures to the bundles' averages, once for each time that it was written. */
    private void sample(String broker, LocalBrokerData report) {
        if (report == null || Long.valueOf(report.getLastUpdate()).equals(lastUpdates.get(broker))) {
            return;
        }
        lastUpdates.put(broker, report.getLastUpdate());
        Map<String, NamespaceBundleStats> stats = stats(report);
        stats.forEach((bundle, figures) -> loadData.getBundleData()
                .computeIfAbsent(bundle, any -> new BundleData(SHORT_SAMPLES, LONG_SAMPLES)).update(figures));
        BrokerData data = loadData.getBrokerData().get(broker);
        data.getPreallocatedBundleData().keySet().removeIf(stats::containsKey);
        TimeAverageBrokerData averages = new TimeAverageBrokerData();
        averages.reset(stats.keySet(), loadData.getBundleData(), madeUpStats());
        data.setTimeAverageData(averages);
    }

    private static Map<String, NamespaceBundleStats> stats(LocalBrokerData report) {
        return report == null || report.getLastStats() == null ? Map.of() : report.getLastStats();
    }

    /** Brokers from 3.0.0 on tell both strategies who is there, whenever a report arrives. */
    private void tellActiveBrokers(Set<String> active) {
        for (Object strategy : shedder == placer ? List.of(shedder) : List.of(shedder, placer)) {
            try {
                strategy.getClass().getMethod("onActiveBrokersChange", Set.class).invoke(strategy, active);
            } catch (NoSuchMethodException olderPulsar) {
                continue;
            } catch (ReflectiveOperationException e) {
                throw failed(strategy, e.getCause() == null ? e : e.getCause());
            }
        }
    }

    /**
     * Asks for one round and for the target of every bundle that it names. A transfer whose target is its source stays
     * where it is, and so does one whose target is {@code null}.
     */
    List<Transfer> shed(long now) {
        long timeout = now - TimeUnit.MINUTES.toMillis(conf.getLoadBalancerSheddingGracePeriodMinutes());
        Map<String, Long> unloaded = loadData.getRecentlyUnloadedBundles();
        unloaded.values().removeIf(time -> time < timeout);
        Multimap<String, String> named;
        try {
            named = shedder.findBundlesForUnloading(loadData, conf);
        } catch (RuntimeException | LinkageError e) {
            throw failed(shedder, e);
        }
        Set<String> active = loadData.getBrokerData().keySet();
        List<Transfer> transfers = new ArrayList<>();
        named.forEach((source, bundle) -> {
            String target = select(bundle, active).orElse(null);
            if (target != null && !target.equals(source)) {
                unloaded.put(bundle, now);
            }
            transfers.add(new Transfer(bundle, source, target));
        });
        return transfers;
    }

    /** A lookup of a bundle that nobody owns; empty where the strategy has no answer. */
    Optional<String> place(String bundle, Set<String> candidates) {
        Optional<String> broker = select(bundle, candidates);
        broker.map(loadData.getBrokerData()::get).ifPresent(data ->
                data.getPreallocatedBundleData().put(bundle, loadData.getBundleData().get(bundle)));
        return broker;
    }

    private Optional<String> select(String bundle, Set<String> candidates) {
        BundleData data = loadData.getBundleData()
                .computeIfAbsent(bundle, any -> new BundleData(SHORT_SAMPLES, LONG_SAMPLES, madeUpStats()));
        try {
            return placer.selectBroker(new HashSet<>(candidates), data, loadData, conf);
        } catch (RuntimeException | LinkageError e) {
            throw failed(placer, e);
        }
    }

    private static UserError failed(Object strategy, Throwable failure) {
        return new UserError(strategy.getClass().getName() + " failed: " + failure, failure);
    }

    /** What the load manager assumes of a bundle that it has not seen. */
    private static NamespaceBundleStats madeUpStats() {
        NamespaceBundleStats stats = new NamespaceBundleStats();
        stats.msgRateIn = 50;
        stats.msgRateOut = 50;
        stats.msgThroughputIn = 50_000;
        stats.msgThroughputOut = 50_000;
        return stats;
    }
}
