package io.avgshedder.sim;

import com.google.common.collect.Multimap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * What the modular load manager of the leader does around its strategies: it keeps the load data from the reports that
 * arrive, takes care of what was unloaded lately, filters candidates, and asks the placement again where the answer is
 * overloaded.
 *
 * <p>Every report of any broker adds one sample of everybody's latest figures, as in the broker. A leader of many
 * bundles falls behind, so reports that arrive together count as one there; how many is the caller's business.
 */
final class VirtualLoadManager {

    private static final int SHORT_SAMPLES = 10;
    private static final int LONG_SAMPLES = 1000;
    private static final double DEFAULT_RATE = 50;
    private static final double DEFAULT_BYTES = 50_000;

    private final VirtualCluster cluster;
    private final ServiceConfiguration conf;
    private final LoadSheddingStrategy shedding;
    private final ModularLoadManagerStrategy placement;
    private final Set<String> registered;
    private final Map<String, LocalBrokerData> reports;
    private final LoadData loadData = new LoadData();
    private final NamespaceBundleStats defaultStats = new NamespaceBundleStats();
    private final Map<String, String> preallocated = new HashMap<>();
    private final Map<String, Map<String, Set<String>>> bundlesByNamespace = new HashMap<>();
    private final boolean evenly;

    /** A bundle that the shedding strategy wants to leave a broker. */
    record Wish(String broker, String bundle) {
    }

    /**
     * @param registered the brokers that the metadata store shows; changes under the caller's hand
     * @param reports    the reports in the metadata store; so do they
     */
    VirtualLoadManager(VirtualCluster cluster, Strategies.Strategy strategy, ServiceConfiguration conf,
                       Set<String> registered, Map<String, LocalBrokerData> reports) {
        this.cluster = cluster;
        this.conf = conf;
        this.registered = registered;
        this.reports = reports;
        Object shedder = create(strategy.shedding());
        Object placer = strategy.placement().equals(strategy.shedding()) ? shedder : create(strategy.placement());
        shedding = as(LoadSheddingStrategy.class, shedder);
        placement = as(ModularLoadManagerStrategy.class, placer);
        defaultStats.msgRateIn = DEFAULT_RATE;
        defaultStats.msgRateOut = DEFAULT_RATE;
        defaultStats.msgThroughputIn = DEFAULT_BYTES;
        defaultStats.msgThroughputOut = DEFAULT_BYTES;
        evenly = conf.isLoadBalancerDistributeBundlesEvenlyEnabled();
    }

    private static Object create(String type) {
        try {
            return Class.forName(type).getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(type + " cannot be created: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(type + " is not on the class path or cannot be created: " + e, e);
        }
    }

    private static <T> T as(Class<T> type, Object strategy) {
        if (!type.isInstance(strategy)) {
            throw new IllegalArgumentException(strategy.getClass().getName() + " is not a " + type.getSimpleName());
        }
        return type.cast(strategy);
    }

    /** Takes all reports in. */
    void updateAll() {
        Map<String, BrokerData> brokers = loadData.getBrokerData();
        for (String broker : registered) {
            LocalBrokerData report = reports.get(broker);
            if (report == null) {
                brokers.remove(broker);
            } else if (brokers.containsKey(broker)) {
                brokers.get(broker).setLocalData(report);
            } else {
                brokers.put(broker, new BrokerData(report));
            }
        }
        brokers.keySet().removeIf(broker -> !registered.contains(broker));
        updateBundles(brokers);
        tellActiveBrokers(shedding);
        tellActiveBrokers(placement);
    }

    private void updateBundles(Map<String, BrokerData> brokers) {
        Map<String, BundleData> bundleData = loadData.getBundleData();
        Set<String> active = new HashSet<>();
        preallocated.clear();
        bundlesByNamespace.clear();
        brokers.forEach((broker, data) -> {
            Map<String, NamespaceBundleStats> stats = data.getLocalData().getLastStats();
            stats.forEach((bundle, figures) -> {
                active.add(bundle);
                bundleData.computeIfAbsent(bundle, name -> newBundle()).update(figures);
                count(broker, bundle);
            });
            data.getPreallocatedBundleData().clear();
            data.getTimeAverageData().reset(stats.keySet(), bundleData, defaultStats);
        });
        bundleData.keySet().removeIf(bundle -> !active.contains(bundle));
    }

    private void count(String broker, String bundle) {
        if (evenly) {
            bundlesByNamespace.computeIfAbsent(broker, name -> new HashMap<>())
                    .computeIfAbsent(cluster.bundle(bundle).namespace, name -> new HashSet<>()).add(bundle);
        }
    }

    private BundleData newBundle() {
        return new BundleData(SHORT_SAMPLES, LONG_SAMPLES, defaultStats);
    }

    /** From 3.0.0 on both interfaces have this method; 2.11 has not. */
    private void tellActiveBrokers(Object strategy) {
        try {
            Method method = strategy.getClass().getMethod("onActiveBrokersChange", Set.class);
            method.invoke(strategy, new HashSet<>(registered));
        } catch (NoSuchMethodException notInThisVersion) {
            return;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(strategy.getClass().getName() + " failed in onActiveBrokersChange", e);
        }
    }

    /** Asks the shedding strategy; {@code now} is the wall time of its unload records. */
    List<Wish> wishes(long now) {
        List<Wish> wishes = new ArrayList<>();
        if (registered.size() <= 1) {
            return wishes;
        }
        long timeout = now - conf.getLoadBalancerSheddingGracePeriodMinutes() * 60_000;
        loadData.getRecentlyUnloadedBundles().values().removeIf(time -> time < timeout);
        Multimap<String, String> answer = shedding.findBundlesForUnloading(loadData, conf);
        answer.asMap().forEach((broker, bundles) -> bundles.forEach(bundle -> wishes.add(new Wish(broker, bundle))));
        return wishes;
    }

    /** Whether the namespace's policies leave the bundle any other broker. */
    boolean mayUnload(Wish wish) {
        Set<String> primaries = primaries(cluster.bundle(wish.bundle()));
        return primaries.size() > 1 || !primaries.contains(wish.broker());
    }

    void unloaded(String bundle, long now) {
        loadData.getRecentlyUnloadedBundles().put(bundle, now);
    }

    private Set<String> primaries(SimBundle bundle) {
        Set<String> candidates = new LinkedHashSet<>();
        for (String broker : registered) {
            if (cluster.broker(broker).isolation.equals(bundle.isolation)) {
                candidates.add(broker);
            }
        }
        return candidates;
    }

    /** Chooses a broker as for an unload with destination. */
    Optional<String> select(SimBundle bundle) {
        BundleData data = loadData.getBundleData().computeIfAbsent(bundle.name, name -> newBundle());
        Set<String> primaries = primaries(bundle);
        Set<String> candidates = new HashSet<>(primaries);
        if (evenly) {
            keepThoseWithFewest(candidates, bundle);
        }
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> broker = placement.selectBroker(candidates, data, loadData, conf);
        if (broker.isEmpty()) {
            return broker;
        }
        double overload = conf.getLoadBalancerBrokerOverloadedThresholdPercentage() / 100.0;
        if (loadData.getBrokerData().get(broker.get()).getLocalData().getMaxResourceUsage() > overload) {
            Optional<String> wider = placement.selectBroker(new HashSet<>(primaries), data, loadData, conf);
            return wider.isPresent() ? wider : broker;
        }
        return broker;
    }

    private void keepThoseWithFewest(Set<String> candidates, SimBundle bundle) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String broker : candidates) {
            counts.put(broker, bundlesByNamespace.getOrDefault(broker, Map.of())
                    .getOrDefault(bundle.namespace, Set.of()).size());
        }
        int fewest = counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        candidates.removeIf(broker -> counts.get(broker) > fewest);
    }

    /** Chooses a broker for a lookup; until the next report the same bundle gets the same answer. */
    Optional<String> assign(SimBundle bundle) {
        String before = preallocated.get(bundle.name);
        if (before != null && registered.contains(before)) {
            return Optional.of(before);
        }
        Optional<String> broker = select(bundle);
        broker.ifPresent(name -> {
            preallocated.put(bundle.name, name);
            loadData.getBrokerData().get(name).getPreallocatedBundleData().put(bundle.name,
                    loadData.getBundleData().get(bundle.name));
            count(name, bundle.name);
        });
        return broker;
    }
}
