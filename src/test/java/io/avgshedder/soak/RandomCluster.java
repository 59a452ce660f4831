package io.avgshedder.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Multimap;
import io.avgshedder.AvgShedder;
import io.avgshedder.core.Round;
import io.avgshedder.pulsar.SharedState;
import io.avgshedder.pulsar.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * A cluster of 0 to 200 brokers and its load manager, both out of one seed: brokers join, leave, restart and freeze,
 * bundles split, figures are none, the clock jumps, the manager's filters refuse and its unloads fail. Two plugins see
 * the same, their maps in different orders, and must answer alike.
 */
final class RandomCluster {

    private static final long MINUTE = 60_000;
    private static final int QUIET_ROUNDS = 18;
    private static final long[] STRANGE_TIMES = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE};

    /** The clock of a test, which goes where it is set. */
    static final class Clock implements TimeSource {
        private static final long START = 1_700_000_000_000L;
        long now;

        @Override
        public long millis() {
            return now;
        }
    }

    final Map<String, Broker> brokers = new TreeMap<>();
    final RandomSettings settings;
    final Map<String, Long> unloaded = new HashMap<>();
    final OrderedLoadData loadData;
    final Clock clock;
    /** What the last round planned, bundle to target. */
    final Map<String, String> planned = new LinkedHashMap<>();
    private final OrderedLoadData other;
    private final AvgShedder plugin = new AvgShedder();
    private final AvgShedder placing = new AvgShedder();
    private final Random random;
    private final Random order;
    private final int garbage;
    private final int most;
    private final Map<String, Double> inLimbo = new HashMap<>();
    private final Collection<Round> told;
    private final Promises promises;
    private boolean everRandom;
    private int bundleNumber;

    /** @param told where every round of any plugin arrives */
    RandomCluster(long seed, Clock clock, Collection<Round> told) {
        this.clock = clock;
        this.told = told;
        clock.now = Clock.START;
        random = new Random(seed);
        order = new Random(~seed);
        settings = new RandomSettings(random, random.nextInt(3) > 0);
        garbage = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(200);
        Map<String, BundleData> bundles = new HashMap<>();
        loadData = new OrderedLoadData(bundles, unloaded);
        other = new OrderedLoadData(bundles, unloaded);
        int size = random.nextInt(100);
        most = size == 0 ? 200 : size < 8 ? 60 : size < 30 ? 20 : 8;
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            join();
        }
        promises = new Promises(this);
    }

    private void join() {
        String name = String.format("b%03d:8080", random.nextInt(2 * most));
        Broker broker = new Broker(name, random, garbage, clock.now);
        if (brokers.size() < most && brokers.putIfAbsent(name, broker) == null && random.nextInt(4) > 0) {
            for (int i = random.nextInt(most > 60 ? 10 : 30); i > 0; i--) {
                broker.bundles.put(bundleName(), 400 * random.nextDouble() * random.nextDouble());
            }
        }
    }

    private String bundleName() {
        long from = 0x100 * (long) bundleNumber++;
        String namespace = switch (random.nextInt(14)) {
            case 0 -> "t/excluded";
            case 1 -> random.nextBoolean() ? "pulsar/system" : "pulsar/test/b000:8080";
            case 2 -> RandomSettings.EXEMPT;
            case 3, 4 -> RandomSettings.RATIONED;
            case 5 -> "t/other";
            default -> "t/n";
        };
        return String.format("%s/0x%08x_0x%08x", namespace, from, from + 0x100);
    }

    private boolean oneIn(int chance) {
        return random.nextInt(chance) == 0;
    }

    private <T> T pick(Collection<T> all) {
        return new ArrayList<>(all).get(random.nextInt(all.size()));
    }

    /** What a minute brings. */
    void change() {
        clock.now += oneIn(40) ? 5 * MINUTE : oneIn(200) ? 1_440 * MINUTE : MINUTE;
        if (oneIn(150)) {
            clock.now -= oneIn(3) ? 60 * MINUTE : random.nextInt(100) * 1_000L;
        }
        settings.change(clock.now, List.copyOf(brokers.keySet()));
        unloaded.values().removeIf(time -> time == null || time < clock.now - settings.graceMinutes * MINUTE);
        if (garbage > 0 && oneIn(50)) {
            unloaded.put(oneIn(2) ? null : "t/n/x", oneIn(2) ? null : STRANGE_TIMES[random.nextInt(4)]);
        }
        inLimbo.forEach(this::lookUp);
        inLimbo.clear();
        if (oneIn(25)) {
            join();
        }
        if (!brokers.isEmpty()) {
            changeOne();
        }
        report();
    }

    private void changeOne() {
        Broker one = pick(brokers.values());
        if (oneIn(30)) {
            brokers.remove(one.name);
            inLimbo.putAll(one.bundles);
        }
        if (oneIn(30)) {
            one.started = clock.now;
        }
        if (oneIn(30)) {
            one.frozenFor = random.nextInt(25);
        }
        if (oneIn(10)) {
            split(one);
        }
        if (oneIn(15)) {
            double factor = 4 * random.nextDouble();
            one.bundles.replaceAll((bundle, rate) -> rate * factor);
        }
        if (oneIn(20)) {
            lookUp(bundleName(), 100 * random.nextDouble());
        }
    }

    private void split(Broker broker) {
        if (broker.bundles.isEmpty()) {
            return;
        }
        String whole = pick(broker.bundles.keySet());
        int slash = whole.lastIndexOf('/');
        long from = Long.decode(whole.substring(slash + 1, whole.indexOf('_', slash)));
        long to = Long.decode(whole.substring(whole.indexOf('_', slash) + 1));
        if (to - from < 2) {
            return;
        }
        double rate = broker.bundles.remove(whole);
        String half = "%s/0x%08x_0x%08x";
        broker.bundles.put(String.format(half, whole.substring(0, slash), from, (from + to) / 2), rate / 2);
        broker.bundles.put(String.format(half, whole.substring(0, slash), (from + to) / 2, to), rate / 2);
    }

    /** Most brokers write, and the load manager's maps follow. */
    private void report() {
        for (Broker broker : brokers.values()) {
            if (broker.report == null || broker.frozenFor-- <= 0 && random.nextInt(5) > 0) {
                broker.write(clock.now);
            }
        }
        Map<String, BundleData> bundles = loadData.bundles;
        Set<String> reported = new TreeSet<>();
        loadData.brokers.clear();
        for (Broker broker : brokers.values()) {
            boolean isSilent = garbage > 0 && oneIn(100);
            loadData.brokers.put(broker.name, isSilent && oneIn(2) ? null : new BrokerData(isSilent ? null : broker.report));
            if (broker.report.getLastStats() != null) {
                broker.report.getLastStats().forEach((bundle, stats) -> {
                    if (bundle != null && stats != null) {
                        reported.add(bundle);
                        bundles.computeIfAbsent(bundle, any -> new BundleData(10, 1000)).update(stats);
                    }
                });
            }
        }
        bundles.keySet().retainAll(reported);
    }

    /** Takes a round of both plugins, holds it to its promises, and unloads. */
    void round() {
        other.copy(loadData, order);
        Round round = shed(loadData);
        brokers.keySet().stream().map(this::report).filter(Objects::nonNull)
                .forEach(report -> Broker.shuffle(report, order));
        Round same = shed(other);
        if (wasDeterministic()) {
            assertThat(same).as("round %d in another order", round.number()).isEqualTo(round);
        }
        planned.clear();
        if (!settings.isDryRun) {
            round.transfers().forEach(transfer -> planned.put(transfer.bundle(), transfer.target()));
        }
        promises.check(round);
        if (!settings.isDryRun) {
            round.transfers().forEach(transfer -> unload(transfer.bundle(), transfer.source()));
        }
    }

    /** Whether both plugins gave the same answers so far. */
    private boolean wasDeterministic() {
        everRandom |= !settings.isDeterministic();
        return !everRandom;
    }

    private Round shed(OrderedLoadData data) {
        told.clear();
        Remembered.seed(SharedState.of(data), order.nextLong());
        Multimap<String, String> unloads = plugin.findBundlesForUnloading(data, settings.conf);
        assertThat(told).as("the round is told").hasSize(1);
        Round round = told.iterator().next();
        Map<String, List<String>> expected = new HashMap<>();
        if (!round.dryRun()) {
            round.transfers().forEach(transfer ->
                    expected.computeIfAbsent(transfer.source(), any -> new ArrayList<>()).add(transfer.bundle()));
        }
        assertThat(unloads.asMap()).as("what the manager is told to unload").isEqualTo(expected);
        return round;
    }

    /** What the load manager does with one line of the plan, for better or worse. */
    private void unload(String bundle, String source) {
        int fate = random.nextInt(20);
        Broker from = brokers.get(source);
        Double rate = from.bundles.get(bundle);
        if (fate == 0 || rate == null) {
            return;
        }
        Optional<String> target = select(bundle, fate > 1, false);
        if (target.isEmpty() || target.get().equals(source)) {
            return;
        }
        if (fate > 2) {
            unloaded.put(bundle, clock.now);
            from.bundles.remove(bundle);
            promises.unloaded(bundle, source);
            String owner = select(bundle, true, true).orElse(null);
            if (fate == 3 || owner == null) {
                inLimbo.put(bundle, rate);
            } else {
                brokers.get(owner).bundles.put(bundle, rate);
            }
        }
    }

    private void lookUp(String bundle, double rate) {
        select(bundle, true, true).map(brokers::get).ifPresent(broker -> broker.bundles.put(bundle, rate));
    }

    /** Asks both plugins where a bundle goes, with its target among the candidates or without. */
    private Optional<String> select(String bundle, boolean withTarget, boolean isLookup) {
        Set<String> candidates = new TreeSet<>();
        loadData.brokers.keySet().stream().filter(name -> !oneIn(20)).forEach(candidates::add);
        String target = planned.get(bundle);
        if (target != null && withTarget && brokers.containsKey(target)) {
            candidates.add(target);
        } else if (!withTarget) {
            candidates.remove(target);
        }
        if (oneIn(50)) {
            candidates.add("nobody:1");
        }
        if (oneIn(100)) {
            candidates.clear();
        }
        BundleData data = loadData.bundles.getOrDefault(bundle, new BundleData(10, 1000));
        Optional<String> answer = select(candidates, data, loadData, isLookup);
        Optional<String> same = select(candidates, data, other, isLookup);
        if (wasDeterministic()) {
            assertThat(same).as("place of %s in another order", bundle).isEqualTo(answer);
        }
        promises.check(bundle, candidates, isLookup, answer);
        return answer;
    }

    /** Lookups come in threads of their own; the load manager sheds, and asks while it does, in one. */
    private Optional<String> select(Set<String> candidates, BundleData data, OrderedLoadData of, boolean isLookup) {
        return isLookup ? CompletableFuture.supplyAsync(() -> placing.selectBroker(candidates, data, of, settings.conf)).join()
                : placing.selectBroker(candidates, data, of, settings.conf);
    }

    LocalBrokerData report(String broker) {
        BrokerData data = loadData.brokers.get(broker);
        return data == null ? null : data.getLocalData();
    }

    /** Nothing more happens, everybody is level and reports so; after that only what is kept per broker is left. */
    void calmDown() {
        inLimbo.clear();
        for (int round = 0; round < QUIET_ROUNDS; round++) {
            clock.now += 10 * MINUTE;
            unloaded.clear();
            loadData.brokers.clear();
            for (Broker broker : brokers.values()) {
                loadData.brokers.put(broker.name, new BrokerData(broker.level(clock.now)));
            }
            other.copy(loadData, order);
            told.clear();
            assertThat(plugin.findBundlesForUnloading(loadData, settings.conf).size()).as("moves of a level cluster").isZero();
        }
        assertThat(SharedState.of(loadData).liveTargets()).as("shed targets").isEmpty();
        Remembered.of(SharedState.of(loadData)).check(brokers.size());
    }
}
