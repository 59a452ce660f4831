package io.avgshedder.pulsar;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Mistakes in {@code broker.conf} that leave the plugin without work, or its settings without effect, though every
 * value is a valid one. Each sentence ends with the line to write.
 */
final class SetupAdvice {

    private static final String PLUGIN = "io.avgshedder.AvgShedder";

    private static final String LOAD_BALANCER = "loadBalancerEnabled";
    private static final String SHEDDING = "loadBalancerSheddingEnabled";
    private static final String EVEN_DISTRIBUTION = "loadBalancerDistributeBundlesEvenlyEnabled";
    private static final String SHEDDING_STRATEGY = "loadBalancerLoadSheddingStrategy";
    private static final String PLACEMENT_STRATEGY = "loadBalancerLoadPlacementStrategy";
    private static final String OLD_PLACEMENT_STRATEGY = "loadBalancerPlacementStrategy";

    /** The brokers that compare the shedding strategy with the old placement key instead of the new one. */
    private static final Set<String> NEED_OLD_PLACEMENT_STRATEGY = Set.of("3.0.6", "3.0.7");

    /** Limits of the built-in strategies on what is moved, with their defaults. */
    private static final Map<String, Double> UNUSED_LIMITS =
            Map.of("maxUnloadPercentage", 0.2, "minUnloadMessage", 1000.0, "minUnloadMessageThroughput", 1048576.0);

    /** The cap of UniformLoadShedder; -1 is none. */
    private static final String UNUSED_CAP = "maxUnloadBundleNumPerShedding";

    private static final Map<String, String> UNUSED_WEIGHTS = Map.of(
            "loadBalancerMemoryResourceWeight", SettingKeys.MEMORY_WEIGHT.name(),
            "loadBalancerDirectMemoryResourceWeight", SettingKeys.DIRECT_MEMORY_WEIGHT.name());

    /** The keys that the advice is about. */
    static final List<String> KEYS = keys();

    private final Function<String, Object> broker;
    private final String version;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param broker  the broker's value of one of {@link #KEYS}, or null where it has none
     * @param version the broker's version
     */
    private SetupAdvice(Function<String, Object> broker, String version) {
        this.broker = broker;
        this.version = version;
    }

    static List<Finding> of(Function<String, Object> broker, String version) {
        SetupAdvice advice = new SetupAdvice(broker, version);
        advice.onStrategies();
        advice.onSwitches();
        advice.onUnusedKeys();
        return advice.findings;
    }

    private void onStrategies() {
        if (names(PLACEMENT_STRATEGY, PLUGIN) == Answer.NO) {
            error(PLACEMENT_STRATEGY, "bundles are not placed where this plugin decides",
                    PLACEMENT_STRATEGY + "=" + PLUGIN);
        }
        if (names(SHEDDING_STRATEGY, PLUGIN) == Answer.NO) {
            error(SHEDDING_STRATEGY, "this plugin moves nothing", SHEDDING_STRATEGY + "=" + PLUGIN);
        }
        if (NEED_OLD_PLACEMENT_STRATEGY.contains(version) && names(OLD_PLACEMENT_STRATEGY, PLUGIN) == Answer.NO) {
            error(OLD_PLACEMENT_STRATEGY, "Pulsar " + version + " takes another load manager without it once "
                    + PLACEMENT_STRATEGY + " names this plugin", OLD_PLACEMENT_STRATEGY + "=" + PLUGIN);
        }
    }

    private void onSwitches() {
        if (names(LOAD_BALANCER, "true") == Answer.NO) {
            error(LOAD_BALANCER, "there is no load balancing on this broker", LOAD_BALANCER + "=true");
        }
        if (names(SHEDDING, "true") == Answer.NO) {
            error(SHEDDING, "the load manager never asks this plugin what to move", SHEDDING + "=true");
        }
        if (names(EVEN_DISTRIBUTION, "false") == Answer.NO) {
            findings.add(Finding.warning(EVEN_DISTRIBUTION, sentence(EVEN_DISTRIBUTION, "the load manager offers only "
                    + "the brokers with the fewest bundles of a namespace, which often leaves the planned one out",
                    EVEN_DISTRIBUTION + "=false")));
        }
    }

    private void onUnusedKeys() {
        UNUSED_LIMITS.keySet().stream().sorted().forEach(key -> {
            if (broker.apply(key) instanceof Number value && value.doubleValue() != UNUSED_LIMITS.get(key)) {
                findings.add(Finding.warning(key + "=" + value, key + " is " + value + ", which is not used: both "
                        + "brokers of a pair end level. To move less per round, write into broker.conf: "
                        + SettingKeys.MAX_UNLOADS_PER_ROUND.name() + "=<bundles>"));
            }
        });
        if (broker.apply(UNUSED_CAP) instanceof Number value && value.doubleValue() > 0) {
            String ours = SettingKeys.MAX_UNLOADS_PER_ROUND.name();
            findings.add(Finding.warning(UNUSED_CAP + "=" + value, UNUSED_CAP + " is " + value + ", which is not used: "
                    + ours + " is. To keep this limit, write into broker.conf: " + ours + "=" + value));
        }
        UNUSED_WEIGHTS.keySet().stream().sorted().forEach(key -> {
            if (broker.apply(key) instanceof Number value && value.doubleValue() != 0 && value.doubleValue() != 1) {
                String ours = UNUSED_WEIGHTS.get(key);
                findings.add(Finding.warning(key + "=" + value, key + " is " + value + ", which is not used: " + ours
                        + " is, because brokers have different defaults. To weight it, write into broker.conf: "
                        + ours + "=" + value));
            }
        });
    }

    private Answer names(String key, String expected) {
        Object value = broker.apply(key);
        if (value == null || value instanceof BrokerGetters.Failure) {
            return Answer.UNKNOWN;
        }
        return value.toString().trim().equals(expected) ? Answer.YES : Answer.NO;
    }

    private void error(String key, String consequence, String line) {
        findings.add(Finding.error(key + "=" + broker.apply(key), sentence(key, consequence, line)));
    }

    private String sentence(String key, String consequence, String line) {
        return key + " is " + broker.apply(key) + ": " + consequence + ". Write into broker.conf: " + line;
    }

    private static List<String> keys() {
        List<String> keys = new ArrayList<>(List.of(LOAD_BALANCER, SHEDDING, EVEN_DISTRIBUTION, SHEDDING_STRATEGY,
                PLACEMENT_STRATEGY, OLD_PLACEMENT_STRATEGY));
        keys.addAll(UNUSED_LIMITS.keySet());
        keys.add(UNUSED_CAP);
        keys.addAll(UNUSED_WEIGHTS.keySet());
        return List.copyOf(keys);
    }

    private enum Answer { YES, NO, UNKNOWN }
}
