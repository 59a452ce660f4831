package io.avgshedder.bench;

import io.avgshedder.AvgShedder;
import java.util.Map;
import java.util.Properties;
import org.apache.pulsar.broker.ServiceConfiguration;

/** A broker's configuration with this plugin installed, in which one hit is enough for a pair to fire. */
final class Configurations {

    private Configurations() {
    }

    /** @param settings lines of broker.conf with keys of the plugin's own */
    static ServiceConfiguration with(Map<String, String> settings) {
        ServiceConfiguration conf = new ServiceConfiguration();
        Properties properties = new Properties();
        properties.putAll(settings);
        conf.setProperties(properties);
        conf.setLoadBalancerLoadSheddingStrategy(AvgShedder.class.getName());
        conf.setLoadBalancerLoadPlacementStrategy(AvgShedder.class.getName());
        conf.setLoadBalancerDistributeBundlesEvenlyEnabled(false);
        conf.setLoadBalancerAvgShedderHitCountHighThreshold(1);
        return conf;
    }
}
