package io.avgshedder.pulsar;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Settings;
import java.util.List;
import java.util.function.Function;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;

/** Answers to those outside a broker who want to know how the plugin reads something, without taking a round. */
public final class Inspection {

    private Inspection() {
    }

    /** Everything that is wrong with a configuration. */
    public static List<Problem> problems(ServiceConfiguration conf) {
        return new SettingsReader().read(conf).problems();
    }

    /** The settings that a configuration gives. */
    public static Settings settings(ServiceConfiguration conf) {
        return new SettingsReader().read(conf).settings();
    }

    /** How the brokers score by their reports, the hottest first. */
    public static List<BrokerScore> scores(LoadData loadData, Settings settings) {
        return BrokerScore.hottestFirst(LoadDataReader.snapshot(loadData, PluginClock.current()), settings);
    }

    /**
     * What keeps the plugin from its work on another broker.
     *
     * @param value   that broker's value of a key, {@code null} where it has none
     * @param version that broker's version, such as {@code 4.0.8}
     */
    public static List<Problem> setup(Function<String, Object> value, String version) {
        return SetupAdvice.of(value, version).stream().map(Finding::problem).toList();
    }
}
