package io.avgshedder.operations;

import io.avgshedder.AvgShedder;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** The names of all metrics of the plugin, as a Prometheus server gets them. */
public final class PluginMetrics {

    private PluginMetrics() {
    }

    public static Set<String> names() {
        new AvgShedder();
        Set<String> names = new TreeSet<>();
        for (Collector.MetricFamilySamples family
                : Collections.list(CollectorRegistry.defaultRegistry.metricFamilySamples())) {
            if (family.name.startsWith("pulsar_avg_shedder_")) {
                names.add(family.type == Collector.Type.COUNTER ? family.name + "_total" : family.name);
            }
        }
        return names;
    }
}
