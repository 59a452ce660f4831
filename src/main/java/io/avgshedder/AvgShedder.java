package io.avgshedder;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.Multimap;
import io.avgshedder.pulsar.SharedState;
import io.avgshedder.telemetry.PluginLog;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/**
 * The class named in {@code broker.conf}, once as {@code loadBalancerLoadSheddingStrategy} and once as
 * {@code loadBalancerLoadPlacementStrategy}: the shedding step decides which bundles leave the hottest brokers for the
 * coldest, and the placement step puts each where that decision said.
 *
 * <p>Holds no state: one load manager may create it once or twice, and both share what belongs to its {@link LoadData}.
 * Nothing is thrown into the broker, errors included, because there it would abort the shedding cycle without a word
 * or leave a lookup hanging.
 */
public final class AvgShedder implements LoadSheddingStrategy, ModularLoadManagerStrategy {

    /** Called by the broker, by name. */
    public AvgShedder() {
        PluginLog.loaded(AvgShedder.class);
    }

    @Override
    public Multimap<String, String> findBundlesForUnloading(LoadData loadData, ServiceConfiguration conf) {
        try {
            return SharedState.of(loadData).shed(loadData, conf);
        } catch (Throwable failure) {
            PluginLog.failed("This round is skipped and nothing is unloaded", failure);
            return ArrayListMultimap.create();
        }
    }

    @Override
    public Optional<String> selectBroker(Set<String> candidates, BundleData bundleToAssign, LoadData loadData,
                                         ServiceConfiguration conf) {
        try {
            return SharedState.of(loadData).place(candidates, bundleToAssign, loadData, conf);
        } catch (Throwable failure) {
            return anyOf(candidates, loadData, failure);
        }
    }

    /**
     * The placement entry point of Pulsar 5.0, which knows the bundle's name. Not an override: no released interface
     * has it.
     */
    public Optional<String> selectBrokerForBundle(Set<String> candidates, String bundle, BundleData bundleToAssign,
                                                  LoadData loadData, ServiceConfiguration conf) {
        try {
            return SharedState.of(loadData).place(candidates, bundle, bundleToAssign, loadData, conf);
        } catch (Throwable failure) {
            return anyOf(candidates, loadData, failure);
        }
    }

    private static Optional<String> anyOf(Set<String> candidates, LoadData loadData, Throwable failure) {
        try {
            PluginLog.failed("The bundle goes to a candidate with few bundles", failure);
            return SharedState.anyOf(candidates, loadData);
        } catch (Throwable again) {
            return Optional.empty();
        }
    }

    /**
     * Nothing to do: membership is taken from the load data of each round. From 3.0.0 on both interfaces have this
     * method as a default, and a class that implements both without declaring it itself fails with an
     * {@link IncompatibleClassChangeError} when the load manager calls it. Not an override on 2.11, where no interface
     * has it.
     */
    public void onActiveBrokersChange(Set<String> activeBrokers) {
        // membership is read from the load data
    }
}
