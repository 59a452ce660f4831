package io.avgshedder;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.Multimap;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/**
 * The class named in {@code broker.conf}, as the shedding and as the placement strategy of the modular load manager.
 */
public final class AvgShedder implements LoadSheddingStrategy, ModularLoadManagerStrategy {

    @Override
    public Multimap<String, String> findBundlesForUnloading(LoadData loadData, ServiceConfiguration conf) {
        return ArrayListMultimap.create();
    }

    @Override
    public Optional<String> selectBroker(Set<String> candidates, BundleData bundleToAssign, LoadData loadData,
            ServiceConfiguration conf) {
        return Optional.empty();
    }

    /**
     * Does nothing, and must be here: from Pulsar 3.0.0 both interfaces have it as a default method, and a class
     * without its own makes the JVM throw {@link IncompatibleClassChangeError} when the leader calls it. It has no
     * {@code @Override} because 2.11, which this is compiled against, does not have it.
     *
     * @param activeBrokers the brokers that are up, as the leader sees them at every load report
     */
    public void onActiveBrokersChange(Set<String> activeBrokers) {
    }
}
