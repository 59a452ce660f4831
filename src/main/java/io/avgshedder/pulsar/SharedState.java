package io.avgshedder.pulsar;

import com.google.common.collect.Multimap;
import com.google.common.collect.MultimapBuilder;
import io.avgshedder.core.BrokerLoad;
import io.avgshedder.core.BudgetUse;
import io.avgshedder.core.BundleLoad;
import io.avgshedder.core.ClusterSnapshot;
import io.avgshedder.core.Placed;
import io.avgshedder.core.Placement;
import io.avgshedder.core.Round;
import io.avgshedder.core.Settings;
import io.avgshedder.core.Shedder;
import io.avgshedder.core.Transfer;
import io.avgshedder.telemetry.PlacementListeners;
import io.avgshedder.telemetry.PluginLog;
import io.avgshedder.telemetry.RoundListeners;
import io.avgshedder.telemetry.RoundReport;
import io.avgshedder.telemetry.StateTelemetry;
import io.avgshedder.telemetry.Watched;
import java.lang.ref.Cleaner;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * What the plugin knows of one load manager.
 *
 * <p>Brokers up to 3.0.5 create the shedding and the placement strategy as two objects of the same class. The naive rule
 * keeps the plan in the object that made it, and the one that places never sees it. State here belongs to the
 * {@link LoadData} instance, which both are given: held weakly and by identity (it has no {@code equals}), so that
 * several brokers in one process do not meet, and a closed broker's state goes with it. Nothing in here may refer to
 * the {@code LoadData} itself.
 */
public final class SharedState {

    private static final Map<LoadData, SharedState> STATES = Collections.synchronizedMap(new WeakHashMap<>());
    private static final Cleaner CLEANER = Cleaner.create();

    /** Lookups come by the thousand and read the settings again after this long, in milliseconds; rounds always do. */
    private static final long SETTINGS_LIFE = 1_000;
    /** A clock that steps back by less changes nothing that matters, in milliseconds of wall time. */
    private static final long LARGEST_STEP_BACK = 60_000;

    private volatile Shedder shedder = new Shedder(new SplittableRandom());
    private long lastRound;
    private final SettingsReader settingsReader = new SettingsReader();
    private final KnownReports reports = new KnownReports();
    private final PluginLog log = new PluginLog();
    private final StateTelemetry telemetry = StateTelemetry.of(new View());
    private volatile Map<BundleData, String> plannedNames = Map.of();
    /** The thread that takes rounds. From 3.0.2 on it asks for a bundle's place itself, while the source still has it. */
    private volatile Thread shedding;
    /** The settings that were last told: an object that stays the same as long as none changes. */
    private volatile Settings told;
    /** The same by key. */
    private volatile Map<String, EffectiveSetting> toldSettings = Map.of();
    private volatile ServiceConfiguration lastConf;
    private volatile Recent recent = new Recent(null, null, 0);

    private SharedState() {
    }

    /** The state of the load manager that owns this data; made at the first call. */
    public static SharedState of(LoadData loadData) {
        return STATES.computeIfAbsent(loadData, SharedState::watchedAsLongAs);
    }

    private static SharedState watchedAsLongAs(LoadData loadData) {
        SharedState state = new SharedState();
        CLEANER.register(loadData, state.telemetry::close);
        return state;
    }

    /** What may be seen from outside. */
    private final class View implements Watched {

        @Override
        public long now() {
            return PluginClock.current().millis();
        }

        @Override
        public List<String> settings() {
            ServiceConfiguration conf = lastConf;
            return conf == null ? List.of() : effective(conf);
        }

        @Override
        public List<Placement.LiveTarget> liveTargets() {
            return SharedState.this.liveTargets();
        }

        @Override
        public List<Placement.LearntRefusal> refusals() {
            return shedder.placement().learntRefusals(now());
        }

        @Override
        public int inFlight() {
            return shedder.placement().inFlightCount();
        }

        @Override
        public List<BudgetUse> budget() {
            return shedder.budgetUse(now());
        }
    }

    /** How many load managers are known in this process. */
    public static int count() {
        return STATES.size();
    }

    /** The shed targets that are alive now, in the order of planning. */
    public List<Placement.LiveTarget> liveTargets() {
        return shedder.placement().liveTargets(PluginClock.current().millis());
    }

    /** Settings, and when they were read from what. */
    private record Recent(ServiceConfiguration conf, Settings settings, long readAt) {

        private boolean isGood(ServiceConfiguration asked, long now) {
            return conf == asked && settings != null && now >= readAt && now - readAt < SETTINGS_LIFE;
        }
    }

    private Settings settings(ServiceConfiguration conf, long now) {
        lastConf = conf;
        Reading reading = settingsReader.read(conf);
        reading.problems().forEach(problem -> log.problem(problem.level() == Problem.Level.ERROR, problem.message()));
        recent = new Recent(conf, reading.settings(), now);
        return reading.settings();
    }

    private Settings recentSettings(ServiceConfiguration conf, long now) {
        Recent last = recent;
        return last.isGood(conf, now) ? last.settings : settings(conf, now);
    }

    /** Takes one round; the answer maps each source to its bundles. */
    public Multimap<String, String> shed(LoadData loadData, ServiceConfiguration conf) {
        TimeSource clock = PluginClock.current();
        Settings settings = settings(conf, clock.millis());
        reports.retain(loadData);
        shedding = Thread.currentThread();
        tellSettings(conf, settings);
        long begin = System.nanoTime();
        Round round = takeRound(LoadDataReader.snapshot(loadData, clock), settings, clock);
        plannedNames = index(loadData);
        long duration = System.nanoTime() - begin;
        log.round(round);
        telemetry.round(new RoundReport(round, settings.unloadLimits(), settings.sheddingIntervalMillis(),
                shedder.oldestReportAge(), duration));
        RoundListeners.publish(round);
        Multimap<String, String> unloads = MultimapBuilder.linkedHashKeys().arrayListValues().build();
        if (!round.dryRun()) {
            for (Transfer transfer : round.transfers()) {
                unloads.put(transfer.source(), transfer.bundle());
            }
        }
        return unloads;
    }

    /**
     * Nothing remembered survives a clock that steps back, as it does not survive a change of leader. By that clock it
     * lies in the future: brokers would settle, and load would be on its way, longer by as much as the clock was wrong.
     */
    private synchronized Round takeRound(ClusterSnapshot snapshot, Settings settings, TimeSource clock) {
        long now = clock.millis();
        if (lastRound - now > clock.duration(LARGEST_STEP_BACK)) {
            shedder = new Shedder(new SplittableRandom());
            log.forgetStories();
            log.problem(false, "The clock has stepped back by " + (lastRound - now) / 1000 + " s: hits, shed targets and "
                    + "all else that is remembered start anew, as after a change of leader");
        }
        lastRound = now;
        return shedder.round(snapshot, settings, now);
    }

    /** All settings at the first round, those that differ from their defaults first; later each that has changed. */
    private void tellSettings(ServiceConfiguration conf, Settings settings) {
        if (settings == told) {
            return;
        }
        told = settings;
        Map<String, EffectiveSetting> now = new LinkedHashMap<>();
        settingsReader.effective(conf).forEach(setting -> now.put(setting.key(), setting));
        if (toldSettings.isEmpty()) {
            Map<Boolean, List<String>> byDefault = now.values().stream().collect(Collectors.partitioningBy(
                    SettingsReader::isAsByDefault, Collectors.mapping(EffectiveSetting::text, Collectors.toList())));
            log.effective(byDefault.get(false), byDefault.get(true));
        } else {
            now.values().stream().filter(setting -> !setting.value().equals(toldSettings.get(setting.key()).value()))
                    .forEach(setting -> log.changed(setting.text(), toldSettings.get(setting.key()).value()));
        }
        toldSettings = now;
    }

    private List<String> effective(ServiceConfiguration conf) {
        return settingsReader.effective(conf).stream().map(EffectiveSetting::text).toList();
    }

    /** Finds names of planned bundles fast, also where the object was replaced since: one object is one bundle's. */
    private Map<BundleData, String> index(LoadData loadData) {
        Map<BundleData, String> names = new IdentityHashMap<>();
        for (String bundle : shedder.placement().plannedBundles()) {
            BundleData data = loadData.getBundleData().get(bundle);
            if (data != null) {
                names.put(data, bundle);
            }
        }
        return names;
    }

    /**
     * The bundle's name, where it has a live shed target. The load manager passes the very object that its data holds
     * for the bundle at that moment. Its {@code equals} compares rates, which every report changes and which two bundles
     * may share, so only identity tells.
     */
    private String plannedName(BundleData bundle, LoadData loadData) {
        if (bundle == null) {
            return null;
        }
        String indexed = plannedNames.get(bundle);
        return indexed != null ? indexed : named(shedder.placement().plannedBundles(), bundle, loadData);
    }

    private static String named(Iterable<String> names, BundleData bundle, LoadData loadData) {
        for (String name : names) {
            if (loadData.getBundleData().get(name) == bundle) {
                return name;
            }
        }
        return null;
    }

    /**
     * Where the bundle goes; empty where no candidate has a load report. The candidates are the load manager's own set,
     * and are not kept.
     */
    public Optional<String> place(Set<String> candidates, BundleData bundle, LoadData loadData,
                                  ServiceConfiguration conf) {
        return place(candidates, plannedName(bundle, loadData), bundle, loadData, conf);
    }

    /** The same for a caller that knows the bundle's name. */
    public Optional<String> place(Set<String> candidates, String name, BundleData bundle, LoadData loadData,
                                  ServiceConfiguration conf) {
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        TimeSource clock = PluginClock.current();
        long now = clock.millis();
        Settings settings = recentSettings(conf, now);
        Placement placement = shedder.placement();
        String target = name == null ? null : placement.plannedTarget(name, now);
        if (target != null) {
            Placed planned = placement.placeAsPlanned(name, candidates.contains(target),
                    reports.of(target, loadData, clock), settings, now);
            if (planned != null) {
                return answer(name, true, planned);
            }
        }
        List<BrokerLoad> loads = reports.of(candidates, loadData, clock);
        boolean measured = ReportedBundles.isMeasured(bundle);
        String known = name != null || measured ? name : orphanName(bundle, loadData, settings, now);
        BundleLoad load = ReportedBundles.average(known == null ? "" : known, bundle);
        BrokerLoad owner = name == null || Thread.currentThread() != shedding ? null : owner(name, loadData, now);
        boolean isPlanned = name != null && placement.plannedSource(name, now) != null;
        Placement.Question question = new Placement.Question(known, bundle, load, measured, owner);
        return answer(known, isPlanned, placement.place(question, loads, settings, now));
    }

    /** The broker that a planned bundle is still on: asked by the thread that sheds, so before the unload. */
    private BrokerLoad owner(String bundle, LoadData loadData, long now) {
        String source = shedder.placement().plannedSource(bundle, now);
        return source == null ? null : reports.of(source, loadData, PluginClock.current());
    }

    private String orphanName(BundleData bundle, LoadData loadData, Settings settings, long now) {
        Set<String> active = loadData.getBrokerData().keySet();
        return named(shedder.placement().orphanNames(active, settings, now), bundle, loadData);
    }

    private Optional<String> answer(String bundle, boolean isPlanned, Placed placed) {
        if (placed == null) {
            return Optional.empty();
        }
        log.placed(bundle, isPlanned, placed);
        telemetry.placed(placed);
        PlacementListeners.publish(placed);
        return Optional.of(placed.broker());
    }

    /** What to answer where {@link #place} failed: any candidate that the load manager can look up. */
    public static Optional<String> anyOf(Set<String> candidates, LoadData loadData) {
        String fewest = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            BrokerData data = candidate == null ? null : loadData.getBrokerData().get(candidate);
            LocalBrokerData report = data == null ? null : data.getLocalData();
            if (report != null && (fewest == null || report.getNumBundles() < least)) {
                fewest = candidate;
                least = report.getNumBundles();
            }
        }
        return Optional.ofNullable(fewest);
    }
}
