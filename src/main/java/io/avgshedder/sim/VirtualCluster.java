package io.avgshedder.sim;

import io.avgshedder.sim.Scenario.BrokerGroup;
import io.avgshedder.sim.Scenario.BundleGroup;
import io.avgshedder.sim.Scenario.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * The hidden truth: brokers, bundles, who owns what, and how load changes.
 *
 * <p>Load depends on the scenario and the seed alone and never on what a strategy does, so that all strategies meet the
 * same.
 */
final class VirtualCluster {

    /** Load changes in steps of this many seconds. */
    static final double STEP_SECONDS = 10;
    private static final double DRIFT_MEMORY_MINUTES = 60;
    private static final long RANGES = 1L << 32;

    private final Scenario scenario;
    private final Map<String, SimBroker> brokers = new LinkedHashMap<>();
    private final Map<String, SimBundle> bundles = new LinkedHashMap<>();
    private final Map<String, LoadProfile> profiles = new LinkedHashMap<>();
    private final List<SimBundle> toBeLookedUp = new ArrayList<>();
    private final Random setUp;
    private final Random load;

    VirtualCluster(Scenario scenario, long seed) {
        this.scenario = scenario;
        setUp = new Random(seed * 31 + 1);
        load = new Random(seed * 31 + 2);
        for (BrokerGroup group : scenario.brokers()) {
            for (String name : group.names()) {
                brokers.put(name, new SimBroker(name, group.capacity(), group.cores(), group.idle(), group.other(),
                        group.nic(), group.isolation()));
            }
        }
        scenario.bundles().forEach(this::create);
    }

    private void create(BundleGroup group) {
        profiles.put(group.namespace(), new LoadProfile(group.namespace(), scenario.load()));
        List<Double> rates = new ArrayList<>();
        for (double share : shares(group)) {
            rates.add(share * group.rate());
        }
        List<SimBundle> created = new ArrayList<>();
        long width = RANGES / group.count();
        for (int i = 0; i < group.count(); i++) {
            long to = i + 1 == group.count() ? RANGES - 1 : (i + 1) * width;
            String name = String.format("%s/0x%08x_0x%08x", group.namespace(), i * width, to);
            SimBundle bundle = new SimBundle(name, group.namespace(), group.isolation(), rates.get(i), group.size());
            bundles.put(name, bundle);
            created.add(bundle);
        }
        place(group, created);
    }

    private double[] shares(BundleGroup group) {
        double[] shares = new double[group.count()];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = switch (group.distribution()) {
                case EQUAL -> 1;
                case ZIPF -> Math.pow(i + 1, -group.skew());
                case DOMINANT -> i == 0 ? shares.length == 1 ? 1 : group.skew()
                        : (1 - group.skew()) / (shares.length - 1);
                case LOGNORMAL -> Math.exp(group.skew() * setUp.nextGaussian());
            };
        }
        double sum = 0;
        for (double share : shares) {
            sum += share;
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] /= sum;
        }
        return shares;
    }

    private void place(BundleGroup group, List<SimBundle> created) {
        List<SimBroker> present = scenario.brokers().stream().filter(BrokerGroup::present)
                .filter(broker -> broker.isolation().equals(group.isolation()))
                .flatMap(broker -> broker.names().stream()).map(brokers::get).toList();
        List<SimBundle> shuffled = new ArrayList<>(created);
        Collections.shuffle(shuffled, setUp);
        if (group.start() instanceof Start.Lookup) {
            toBeLookedUp.addAll(shuffled);
        } else if (group.start() instanceof Start.Random) {
            shuffled.forEach(bundle -> placeAtStart(bundle, present.get(setUp.nextInt(present.size()))));
        } else if (group.start() instanceof Start.On on) {
            List<SimBroker> order = new ArrayList<>();
            boolean evenly = on.counts().containsValue(-1);
            on.counts().forEach((name, count) -> order.addAll(Collections.nCopies(evenly ? 1 : count,
                    brokers.get(name))));
            for (int i = 0; i < shuffled.size(); i++) {
                placeAtStart(shuffled.get(i), order.get(i % order.size()));
            }
        } else {
            for (int i = 0; i < shuffled.size(); i++) {
                placeAtStart(shuffled.get(i), present.get(i % present.size()));
            }
        }
    }

    private static void placeAtStart(SimBundle bundle, SimBroker broker) {
        broker.owned.add(bundle);
        bundle.owner = broker;
        bundle.unshed = broker;
    }

    SimBroker broker(String name) {
        return brokers.get(name);
    }

    SimBundle bundle(String name) {
        return bundles.get(name);
    }

    Iterable<SimBroker> brokers() {
        return brokers.values();
    }

    Iterable<SimBundle> bundles() {
        return bundles.values();
    }

    int bundleCount() {
        return bundles.size();
    }

    /** Bundles that nobody owns at the start. */
    List<SimBundle> toBeLookedUp() {
        return toBeLookedUp;
    }

    /** Lets all loads take one step. */
    void step(long now) {
        double minute = now / 60_000.0;
        Map<String, Double> factors = profiles.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, profile -> profile.getValue().at(minute)));
        Scenario.Noise noise = scenario.noise();
        double stepMinutes = STEP_SECONDS / 60;
        double kept = 1 - stepMinutes / DRIFT_MEMORY_MINUTES;
        brokers.values().forEach(broker -> broker.accrue(now));
        for (SimBundle bundle : bundles.values()) {
            bundle.accrue(now);
            if (noise.drift() > 0) {
                bundle.drift = bundle.drift * kept + noise.drift() * Math.sqrt(stepMinutes) * load.nextGaussian();
            }
            if (noise.burstsPerHour() > 0 && load.nextDouble() < noise.burstsPerHour() * stepMinutes / 60) {
                bundle.burstUntil = minute + noise.burstMinutes();
            }
            bundle.expected = bundle.base * factors.get(bundle.namespace) * Math.exp(bundle.drift);
            double jitter = noise.jitter() > 0 ? Math.max(0, 1 + noise.jitter() * load.nextGaussian()) : 1;
            bundle.current = bundle.expected * jitter * (minute < bundle.burstUntil ? noise.burstFactor() : 1);
        }
        brokers.values().forEach(SimBroker::recompute);
    }

    /** The largest difference of true usage between living brokers of one isolation group, in points. */
    double spread() {
        Map<String, double[]> extremes = new LinkedHashMap<>();
        for (SimBroker broker : brokers.values()) {
            if (broker.alive) {
                double usage = broker.trueUsage();
                double[] of = extremes.computeIfAbsent(broker.isolation, group -> new double[] {usage, usage});
                of[0] = Math.min(of[0], usage);
                of[1] = Math.max(of[1], usage);
            }
        }
        return extremes.values().stream().mapToDouble(of -> of[1] - of[0]).max().orElse(0);
    }
}
