package io.avgshedder.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/** Load data whose maps have the order that they are given; the load manager's have that of their hashes. */
final class OrderedLoadData extends LoadData {

    final Map<String, BrokerData> brokers = new LinkedHashMap<>();
    final Map<String, BundleData> bundles;
    private final Map<String, Long> unloaded;

    OrderedLoadData(Map<String, BundleData> bundles, Map<String, Long> unloaded) {
        this.bundles = bundles;
        this.unloaded = unloaded;
    }

    @Override
    public Map<String, BrokerData> getBrokerData() {
        return brokers;
    }

    @Override
    public Map<String, BundleData> getBundleData() {
        return bundles;
    }

    @Override
    public Map<String, Long> getRecentlyUnloadedBundles() {
        return unloaded;
    }

    /** Takes over what the other one has, in another order. */
    void copy(OrderedLoadData other, Random order) {
        brokers.clear();
        List<String> names = new ArrayList<>(other.brokers.keySet());
        Collections.shuffle(names, order);
        names.forEach(name -> brokers.put(name, other.brokers.get(name)));
    }
}
