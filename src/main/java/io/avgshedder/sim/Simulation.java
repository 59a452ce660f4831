package io.avgshedder.sim;

import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.sim.Scenario.Event;
import io.avgshedder.telemetry.RoundListeners;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.function.DoubleConsumer;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * One run of a scenario with one strategy and one seed, in virtual time.
 *
 * <p>The plugin's clock is replaced while a run lasts, so runs in one process follow one another. A run of this plugin
 * is the same for the same seed; some of the broker's own strategies draw from generators of their own.
 */
public final class Simulation {

    /** The wall time of the leader's first moment. */
    static final long EPOCH = 1_767_225_600_000L;
    private static final long MINUTE = 60_000;
    private static final long SAMPLE_MILLIS = 15_000;
    private static final long SESSION_MILLIS = 30_000;
    private static final long ELECTION_MILLIS = 2_000;
    private static final double UPDATES_PER_BUNDLE = 1 / 2_000.0;
    private static final double TAKE_OVER_SECONDS = 0.2;

    private final Scenario scenario;
    private final Strategies.Strategy strategy;
    private final VirtualCluster cluster;
    private final EventQueue events;
    private final Random timing;
    private final Random noise;
    private final ServiceConfiguration conf;
    private final Set<String> registered = new LinkedHashSet<>();
    private final Map<String, LocalBrokerData> reports = new LinkedHashMap<>();
    private final Recorder recorder;
    private VirtualLoadManager manager;
    private String leader;
    private int term;
    private boolean inRound;
    private boolean updatePlanned;
    private boolean updateMissed;
    private long lastUpdate = Long.MIN_VALUE / 2;

    private Simulation(Scenario scenario, Strategies.Strategy strategy, long seed, boolean traced) {
        this.scenario = scenario;
        this.strategy = strategy;
        cluster = new VirtualCluster(scenario, seed);
        events = new EventQueue(-Math.round(scenario.warmUp() * MINUTE));
        timing = new Random(seed * 31 + 3);
        noise = new Random(seed * 31 + 4);
        conf = configuration(scenario, strategy);
        recorder = new Recorder(scenario, cluster, conf, traced);
    }

    /**
     * Runs a scenario.
     *
     * @param traced whether every round's verdicts, placements and true effects are kept as lines
     * @throws IllegalArgumentException where a class of the strategy is not on the class path
     */
    public static Run run(Scenario scenario, Strategies.Strategy strategy, long seed, boolean traced) {
        return run(scenario, strategy, seed, traced, minute -> { });
    }

    /**
     * Runs a scenario.
     *
     * @param traced   whether every round's verdicts, placements and true effects are kept as lines
     * @param progress is told how many minutes are simulated so far
     * @throws IllegalArgumentException where a class of the strategy is not on the class path
     */
    public static Run run(Scenario scenario, Strategies.Strategy strategy, long seed, boolean traced,
                          DoubleConsumer progress) {
        synchronized (Simulation.class) {
            Simulation simulation = new Simulation(scenario, strategy, seed, traced);
            TimeSource before = PluginClock.use(simulation.clock());
            RoundListeners.Subscription rounds = RoundListeners.subscribe(simulation.recorder::pluginRound);
            try {
                return simulation.run(seed, progress);
            } finally {
                rounds.close();
                PluginClock.use(before);
            }
        }
    }

    private TimeSource clock() {
        return new TimeSource() {
            @Override
            public long millis() {
                return wall();
            }
        };
    }

    private long wall() {
        return EPOCH + events.now();
    }

    private static ServiceConfiguration configuration(Scenario scenario, Strategies.Strategy strategy) {
        Properties properties = new Properties();
        properties.setProperty("clusterName", "simulated");
        properties.setProperty("metadataStoreUrl", "zk:none");
        properties.setProperty("configurationMetadataStoreUrl", "zk:none");
        properties.setProperty("loadBalancerLoadSheddingStrategy", strategy.shedding());
        properties.setProperty("loadBalancerLoadPlacementStrategy", strategy.placement());
        properties.setProperty("loadBalancerPlacementStrategy", strategy.placement());
        properties.setProperty("loadBalancerDistributeBundlesEvenlyEnabled", "false");
        properties.setProperty("loadBalancerMemoryResourceWeight", "0");
        properties.setProperty("loadBalancerDirectMemoryResourceWeight", "0");
        properties.putAll(strategy.settings());
        properties.putAll(scenario.settingsFor(strategy.name()));
        try {
            return PulsarConfigurationLoader.create(properties, ServiceConfiguration.class);
        } catch (IOException e) {
            throw new IllegalArgumentException("the settings of " + scenario.name() + " cannot be used: " + e, e);
        }
    }

    private Run run(long seed, DoubleConsumer progress) {
        cluster.step(events.now());
        scenario.brokers().stream().filter(Scenario.BrokerGroup::present).flatMap(group -> group.names().stream())
                .forEach(name -> start(cluster.broker(name), true));
        every(VirtualCluster.STEP_SECONDS, VirtualCluster.STEP_SECONDS, () -> cluster.step(events.now()));
        elect(registered.iterator().next());
        events.at(0, this::beginTerm);
        events.at(0, () -> cluster.toBeLookedUp().forEach(bundle ->
                events.after(5 * timing.nextDouble(), () -> lookUp(bundle))));
        scenario.events().forEach(this::plan);
        long end = Math.round(scenario.minutes() * MINUTE);
        for (long time = 0; time <= end; time += SAMPLE_MILLIS) {
            events.at(time, () -> {
                recorder.sample(events.now());
                progress.accept((double) events.now() / MINUTE);
            });
        }
        events.runUntil(end);
        return recorder.finish(strategy, seed);
    }

    private void every(double first, double seconds, Runnable action) {
        events.after(first, () -> {
            action.run();
            every(seconds, seconds, action);
        });
    }

    // ---- brokers

    private void everyWhileUp(SimBroker broker, double first, double seconds, Runnable action) {
        int life = broker.life;
        events.after(first, new Runnable() {
            @Override
            public void run() {
                if (broker.alive && broker.life == life) {
                    action.run();
                    events.after(seconds, this);
                }
            }
        });
    }

    private void start(SimBroker broker, boolean longRunning) {
        broker.start(events.now() - (longRunning ? 24 * 60 * MINUTE : 0));
        broker.accrue(events.now());
        broker.sampleUsage(events.now(), 0);
        if (longRunning) {
            broker.owned.forEach(bundle -> bundle.startReading(events.now()));
            broker.readStats(events.now());
        }
        registered.add(broker.name);
        report(broker);
        Scenario.Reporting reporting = scenario.reporting();
        double phase = longRunning ? timing.nextDouble() : 1;
        everyWhileUp(broker, reporting.usage() * phase, reporting.usage(), () -> {
            if (!isBusy(broker)) {
                broker.sampleUsage(events.now(), scenario.noise().usage() * noise.nextGaussian());
            }
        });
        everyWhileUp(broker, reporting.stats() * (longRunning ? timing.nextDouble() : 1), reporting.stats(),
                () -> broker.readStats(events.now()));
        everyWhileUp(broker, reporting.check() * timing.nextDouble(), reporting.check(), () -> {
            if (!isBusy(broker)) {
                report(broker);
            }
        });
    }

    /** The leader's usage sampling and reporting share their thread with shedding. */
    private boolean isBusy(SimBroker broker) {
        return inRound && broker.name.equals(leader);
    }

    private void report(SimBroker broker) {
        LocalBrokerData report = broker.reportIfDue(events.now(), EPOCH, scenario.reporting());
        if (report != null) {
            reports.put(broker.name, report);
            events.after(scenario.reporting().delay(), this::planUpdate);
        }
    }

    private void planUpdate() {
        if (manager == null || updatePlanned) {
            return;
        }
        updatePlanned = true;
        long gap = Math.round(1000 * cluster.bundleCount() * UPDATES_PER_BUNDLE);
        events.at(Math.max(events.now(), lastUpdate + gap), () -> {
            updatePlanned = false;
            if (inRound) {
                updateMissed = true;
            } else if (manager != null) {
                update();
            }
        });
    }

    private void update() {
        lastUpdate = events.now();
        recorder.guard("onActiveBrokersChange", manager::updateAll);
    }

    private void stop(SimBroker broker, boolean killed) {
        if (!broker.alive) {
            return;
        }
        broker.alive = false;
        int life = broker.life;
        List<SimBundle> orphans = List.copyOf(broker.owned);
        orphans.forEach(bundle -> broker.remove(bundle, events.now()));
        boolean led = broker.name.equals(leader);
        if (led) {
            abdicate();
        }
        events.at(events.now() + (killed ? SESSION_MILLIS : 0), () -> {
            if (broker.life == life) {
                registered.remove(broker.name);
                reports.remove(broker.name);
            }
            events.after(scenario.reporting().delay(), this::planUpdate);
            orphans.forEach(bundle -> events.after(0.1 + 3 * timing.nextDouble(), () -> lookUp(bundle)));
            if (led) {
                electAnother(ELECTION_MILLIS);
            }
        });
    }

    // ---- leaders

    private void elect(String broker) {
        leader = broker;
        term++;
        inRound = false;
        manager = new VirtualLoadManager(cluster, strategy, conf, registered, reports);
        update();
    }

    private void abdicate() {
        manager = null;
        leader = null;
        term++;
        recorder.endRound();
        inRound = false;
    }

    private void electAnother(long after) {
        events.at(events.now() + after, () -> {
            List<String> others = registered.stream().filter(name -> cluster.broker(name).alive).toList();
            if (leader == null && !others.isEmpty()) {
                elect(others.get(timing.nextInt(others.size())));
                beginTerm();
            }
        });
    }

    private void beginTerm() {
        int began = term;
        events.after(60.0 * conf.getLoadBalancerSheddingIntervalMinutes(), () -> round(began));
    }

    // ---- rounds

    private void round(int began) {
        if (began != term) {
            return;
        }
        recorder.beginRound(events.now());
        List<VirtualLoadManager.Wish> wishes =
                recorder.guard("findBundlesForUnloading", () -> manager.wishes(wall()), List.of());
        inRound = true;
        unloadNext(began, wishes.iterator());
    }

    private void unloadNext(int began, Iterator<VirtualLoadManager.Wish> wishes) {
        while (began == term && wishes.hasNext()) {
            VirtualLoadManager.Wish wish = wishes.next();
            SimBundle bundle = cluster.bundle(wish.bundle());
            if (bundle == null || bundle.owner == null || !bundle.owner.name.equals(wish.broker())
                    || !manager.mayUnload(wish)) {
                continue;
            }
            Optional<String> target = select(bundle);
            recorder.placed(bundle, wish.broker(), target.orElse("nowhere"), "unload");
            if (target.isEmpty() || target.get().equals(wish.broker())) {
                continue;
            }
            Scenario.Unloading unloading = scenario.unloading();
            SimBroker source = bundle.owner;
            source.remove(bundle, events.now());
            events.after(unloading.least() + (unloading.most() - unloading.least()) * timing.nextDouble(), () -> {
                if (began == term) {
                    unloaded(bundle, source, target.get());
                    unloadNext(began, wishes);
                } else {
                    lookUp(bundle);
                }
            });
            return;
        }
        if (began == term) {
            recorder.endRound();
            inRound = false;
            if (updateMissed) {
                updateMissed = false;
                planUpdate();
            }
            events.after(60.0 * conf.getLoadBalancerSheddingIntervalMinutes(), () -> round(began));
        }
    }

    private Optional<String> select(SimBundle bundle) {
        return recorder.guard("selectBroker", () -> manager.select(bundle), Optional.empty());
    }

    private void unloaded(SimBundle bundle, SimBroker source, String target) {
        manager.unloaded(bundle.name, wall());
        String owner = target;
        if (timing.nextDouble() < scenario.unloading().races()) {
            owner = recorder.guard("selectBroker", () -> manager.assign(bundle), Optional.<String>empty())
                    .orElse(target);
            recorder.placed(bundle, source.name, owner, "lookup that raced the unload to " + target);
        }
        SimBroker broker = cluster.broker(owner);
        if (broker.alive) {
            broker.add(bundle, events.now());
            recorder.moved(bundle, source, broker, events.now());
        } else {
            lookUp(bundle);
        }
    }

    // ---- lookups

    private void lookUp(SimBundle bundle) {
        if (bundle.owner != null) {
            return;
        }
        Optional<SimBroker> broker = manager == null ? Optional.empty()
                : recorder.guard("selectBroker", () -> manager.assign(bundle), Optional.<String>empty())
                        .map(cluster::broker);
        if (broker.isEmpty() || !broker.get().alive) {
            events.after(1, () -> lookUp(bundle));
            return;
        }
        SimBroker owner = broker.get();
        events.after(TAKE_OVER_SECONDS, () -> {
            if (owner.alive && bundle.owner == null) {
                owner.add(bundle, events.now());
                bundle.unshed = owner;
            } else {
                lookUp(bundle);
            }
        });
    }

    // ---- events

    private void plan(Event event) {
        long at = Math.round(event.at() * MINUTE);
        if (event instanceof Event.Join join) {
            inTurn(at, join.brokers(), join.every(), broker -> start(broker, false));
        } else if (event instanceof Event.Stop stop) {
            inTurn(at, stop.brokers(), stop.every(), broker -> stop(broker, stop.killed()));
        } else if (event instanceof Event.Restart restart) {
            inTurn(at, restart.brokers(), restart.every(), broker -> stop(broker, false));
            inTurn(at + Math.round(restart.down() * MINUTE), restart.brokers(), restart.every(),
                    broker -> start(broker, false));
        } else if (event instanceof Event.Crash crash) {
            for (int time = 0; time < crash.times(); time++) {
                long crashAt = at + Math.round(time * crash.every() * MINUTE);
                inTurn(crashAt, crash.brokers(), 0, broker -> stop(broker, true));
                inTurn(crashAt + Math.round(crash.down() * MINUTE), crash.brokers(), 0,
                        broker -> start(broker, false));
            }
        } else if (event instanceof Event.Freeze freeze) {
            inTurn(at, freeze.brokers(), 0, broker -> broker.frozen = true);
            inTurn(Math.round(freeze.until() * MINUTE), freeze.brokers(), 0, broker -> broker.frozen = false);
        } else if (event instanceof Event.OtherLoad other) {
            inTurn(at, other.brokers(), 0, broker -> broker.otherLoad(other.points(), events.now()));
        } else if (event instanceof Event.NewLeader) {
            events.at(at, () -> {
                String before = leader;
                abdicate();
                List<String> others = registered.stream().filter(name -> !name.equals(before)).toList();
                events.after(ELECTION_MILLIS / 1000.0, () -> {
                    elect(others.isEmpty() ? before : others.get(timing.nextInt(others.size())));
                    beginTerm();
                });
            });
        }
    }

    private void inTurn(long at, List<String> brokers, double everyMinutes,
                        java.util.function.Consumer<SimBroker> action) {
        for (int i = 0; i < brokers.size(); i++) {
            SimBroker broker = cluster.broker(brokers.get(i));
            events.at(at + Math.round(i * everyMinutes * MINUTE), () -> action.accept(broker));
        }
    }
}
