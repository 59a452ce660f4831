package io.avgshedder.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;

/**
 * The strategies that can be simulated, by short name: this plugin with either planner, and the broker's built-in ones
 * with the placement that usually goes with them and the settings that the broker's own documentation recommends (half
 * of the difference at most for the built-in AvgShedder). They are created by class name from the class path.
 */
public final class Strategies {

    private static final String BUILT_IN = "org.apache.pulsar.broker.loadbalance.impl.";
    private static final String PLUGIN = "io.avgshedder.AvgShedder";
    private static final Map<String, Strategy> KNOWN = known();

    /**
     * A shedding and a placement class with what they are called.
     *
     * @param settings broker.conf keys that make it what its name says
     */
    public record Strategy(String name, String shedding, String placement, Map<String, String> settings) {

        /** Whether this plugin sheds. */
        public boolean isPlugin() {
            return shedding.equals(PLUGIN);
        }

        /** What it is, in a few words. */
        public String title() {
            String what = isPlugin() ? "this plugin"
                    : (shedding.startsWith(BUILT_IN) ? "the broker's " : "") + simple(shedding);
            String where = placement.equals(shedding) ? "" : " with " + simple(placement);
            String how = settings.entrySet().stream()
                    .map(entry -> ", " + entry.getKey().replace("loadBalancerAvgShedderPlan", "plan") + "="
                            + entry.getValue()).collect(Collectors.joining());
            return what + where + how;
        }

        private static String simple(String type) {
            return type.substring(type.lastIndexOf('.') + 1);
        }

        /** Why it cannot run on this class path; empty where it can. */
        public Optional<String> missing() {
            return Stream.of(new Wanted(shedding, LoadSheddingStrategy.class),
                    new Wanted(placement, ModularLoadManagerStrategy.class)).map(Wanted::missing)
                    .flatMap(Optional::stream).findFirst();
        }
    }

    private record Wanted(String name, Class<?> type) {

        Optional<String> missing() {
            try {
                Class<?> found = Class.forName(name);
                found.getDeclaredConstructor();
                return type.isAssignableFrom(found) ? Optional.empty()
                        : Optional.of(name + " is no " + type.getSimpleName());
            } catch (ClassNotFoundException | LinkageError e) {
                return Optional.of("there is no class " + name + " on the class path");
            } catch (NoSuchMethodException e) {
                return Optional.of(name + " has no constructor without arguments");
            }
        }
    }

    private Strategies() {
    }

    private static Map<String, Strategy> known() {
        Map<String, Strategy> known = new LinkedHashMap<>();
        add(known, "avg", PLUGIN, PLUGIN, Map.of("loadBalancerAvgShedderPlan", "pairs"));
        add(known, "level", PLUGIN, PLUGIN, Map.of("loadBalancerAvgShedderPlan", "level"));
        add(known, "builtin", BUILT_IN + "AvgShedder", BUILT_IN + "AvgShedder",
                Map.of("maxUnloadPercentage", "0.5"));
        add(known, "threshold", BUILT_IN + "ThresholdShedder", BUILT_IN + "LeastResourceUsageWithWeight", Map.of());
        add(known, "uniform", BUILT_IN + "UniformLoadShedder", BUILT_IN + "LeastLongTermMessageRate", Map.of());
        add(known, "overload", BUILT_IN + "OverloadShedder", BUILT_IN + "LeastLongTermMessageRate", Map.of());
        return known;
    }

    private static void add(Map<String, Strategy> known, String name, String shedding, String placement,
                            Map<String, String> settings) {
        known.put(name, new Strategy(name, shedding, placement, settings));
    }

    /** All short names. */
    public static List<String> names() {
        return List.copyOf(KNOWN.keySet());
    }

    /** A strategy by its short name, or by {@code SHEDDING_CLASS+PLACEMENT_CLASS}. */
    public static Optional<Strategy> find(String name) {
        Strategy known = KNOWN.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        String[] classes = name.split("\\+");
        return classes.length == 2 ? Optional.of(new Strategy(name, classes[0], classes[1], Map.of()))
                : Optional.empty();
    }
}
