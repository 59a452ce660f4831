package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random clusters, with brokers that come and go, figures that are none, frozen reports, splits, and a manager that
 * refuses and drops, through many rounds; each twice, with its maps in another order. The seed is in the name of a
 * failure.
 */
class RandomClusterTest {

    private static final int ROUNDS = 150;
    private static final long MINUTE = Rounds.MINUTE;
    private static final Pattern FORECAST = Pattern.compile("forecast (-?[\\d.]+) / (-?[\\d.]+)");
    private static final double[] GARBAGE = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1, 0, 1e300};

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void everyRoundKeepsItsPromises(long seed) {
        for (PlanMode plan : PlanMode.values()) {
            World world = new World(seed, plan);
            int moved = 0;
            for (int number = 1; number <= ROUNDS; number++) {
                world.change();
                Round round = world.shed();
                moved += round.transfers().size();
                String where = plan + ", seed " + seed + ", round " + number;
                check(round, world, where);
                if (plan == PlanMode.PAIRS) {
                    checkPairs(round, world, where);
                } else {
                    checkReceivers(round, where);
                }
            }

            assertThat(moved).as("%s, seed %d moves something", plan, seed).isPositive();
        }
    }

    private static void check(Round round, World world, String where) {
        Map<String, BrokerLoad> active = new HashMap<>();
        world.snapshot.brokers().forEach(broker -> active.put(broker.name(), broker));
        Map<String, BrokerScore> scores = new HashMap<>();
        round.brokers().forEach(score -> scores.put(score.broker(), score));
        Set<String> moved = new HashSet<>();
        RestingBundles resting = new RestingBundles(world.snapshot.unloaded().keySet());
        check(round.transfers().size() <= world.settings.maxUnloadsPerRound(), "no more than the cap", round, where);
        for (Transfer transfer : round.transfers()) {
            String bundle = transfer.bundle();
            BrokerLoad source = active.get(transfer.source());
            check(source != null && active.containsKey(transfer.target()), "both are active", transfer, where);
            check(scores.keySet().containsAll(Set.of(transfer.source(), transfer.target())), "both are known", transfer,
                    where);
            check(source.bundles().contains(bundle), "the source has it", transfer, where);
            check(moved.add(bundle), "no bundle twice", transfer, where);
            check(!resting.contains(bundle), "no resting bundle", transfer, where);
            check(!SystemBundles.contains(bundle), "no system bundle", transfer, where);
            check(!bundle.startsWith("t/excluded/"), "no excluded bundle", transfer, where);
        }
        Set<String> said = new HashSet<>();
        round.verdicts().forEach(verdict -> said.add(verdict.hot()));
        check(said.containsAll(round.transfers().stream().map(Transfer::source).toList()),
                "a verdict for each that moves", round, where);
    }

    private static Map<String, Double> scores(Round round) {
        Map<String, Double> scores = new HashMap<>();
        round.brokers().forEach(score -> scores.put(score.broker(), score.score()));
        return scores;
    }

    /** Several may give to one, which must not end above where any of them began. */
    private static void checkReceivers(Round round, String where) {
        Map<String, Double> scores = scores(round);
        Map<String, Set<String>> donors = new HashMap<>();
        round.transfers().forEach(transfer ->
                donors.computeIfAbsent(transfer.target(), any -> new HashSet<>()).add(transfer.source()));
        check(donors.values().stream().noneMatch(givers -> givers.stream().anyMatch(donors::containsKey)),
                "nobody gives and takes", round, where);
        for (Verdict verdict : round.verdicts()) {
            Matcher forecast = FORECAST.matcher(verdict.sentence());
            if (verdict.reason() == Reason.MOVED && donors.containsKey(verdict.cold()) && forecast.find()) {
                double least = donors.get(verdict.cold()).stream().mapToDouble(scores::get).min().orElseThrow();
                check(Double.parseDouble(forecast.group(2)) <= least + 0.05 + 1e-12 * least,
                        "no receiver ends above a donor's start", verdict, where);
            }
        }
    }

    private static void checkPairs(Round round, World world, String where) {
        Map<String, Double> scores = scores(round);
        Set<String> hot = new HashSet<>();
        for (Verdict verdict : round.verdicts()) {
            check(hot.add(verdict.hot()), "one verdict for each", verdict, where);
            List<Transfer> given = round.transfers().stream()
                    .filter(transfer -> transfer.source().equals(verdict.hot())).toList();
            check(given.isEmpty() == (verdict.reason() != Reason.MOVED), "it moves or does not", verdict, where);
            if (verdict.reason() == Reason.MOVED) {
                Matcher forecast = FORECAST.matcher(verdict.sentence());
                double donor = scores.get(verdict.hot());
                check(verdict.gap() >= world.settings.lowThreshold(), "not level", verdict, where);
                check(given.stream().allMatch(transfer -> transfer.target().equals(verdict.cold())), "to its partner",
                        verdict, where);
                check(forecast.find() && Double.parseDouble(forecast.group(2)) <= donor + 0.05 + 1e-12 * donor,
                        "no receiver ends above its donor's start", verdict, where);
            }
        }
    }

    private static void check(boolean holds, String promise, Object subject, String where) {
        assertThat(holds).as("%s: %s: %s", where, promise, subject).isTrue();
    }

    /** One broker of the random cluster, as it is. */
    private static final class Node {
        private final String name;
        private final double limit;
        private final double idle;
        private final double speed;
        private final Map<String, Double> bundles = new TreeMap<>();
        private long started;
        private long written;
        private BrokerLoad report;
        private int frozenFor;

        private Node(String name, Random random, long now) {
            this.name = name;
            limit = random.nextInt(4) == 0 ? 400 : 100;
            idle = random.nextInt(20);
            speed = random.nextInt(5) == 0 ? 0.5 : 1;
            started = now;
        }

        private double cpu() {
            double rate = bundles.values().stream().mapToDouble(Double::doubleValue).sum();
            return idle + rate * speed / 200 * 100 / limit;
        }
    }

    private static final class World {
        private final Random random;
        private final Random order;
        private final Map<String, Node> nodes = new TreeMap<>();
        private final Set<String> withoutData = new TreeSet<>();
        private final Map<String, Long> unloaded = new TreeMap<>();
        private final Map<String, Object> identities = new HashMap<>();
        private final Shedder shedder = new Shedder(new Random(1));
        private final Shedder shuffled = new Shedder(new Random(1));
        private final Settings settings;
        private final String seed;
        private ClusterSnapshot snapshot;
        private long now = 10 * MINUTE;
        private int bundleNumber;

        private World(long seed, PlanMode plan) {
            this.seed = "seed " + seed;
            random = new Random(seed);
            order = new Random(seed + 1_000_000);
            settings = Settings.builder().plan(plan).maxUnloadsPerRound(1 + random.nextInt(40))
                    .excludedNamespaces(Set.of("t/excluded")).hitCounts(2 + random.nextInt(7), 1 + random.nextInt(2))
                    .gracePeriodMillis(random.nextInt(31) * MINUTE).quietPeriod(random.nextInt(4) > 0)
                    .msgRateCapacity(random.nextInt(3) == 0 ? 20_000 : 0).weight(Metric.CPU, random.nextInt(5) == 0 ? 0 : 1)
                    .build();
            for (int i = 3 + random.nextInt(10); i > 0; i--) {
                join();
            }
        }

        private void join() {
            Node node = new Node(String.format("b%02d", random.nextInt(25)), random, now);
            if (nodes.putIfAbsent(node.name, node) == null && random.nextInt(4) > 0) {
                for (int i = random.nextInt(60); i > 0; i--) {
                    node.bundles.put(bundleName(), 400 * random.nextDouble() * random.nextDouble());
                }
            }
        }

        private String bundleName() {
            long from = 0x100 * (long) bundleNumber++;
            String namespace = switch (random.nextInt(12)) {
                case 0 -> "t/excluded";
                case 1 -> "pulsar/system";
                case 2 -> "t/other";
                default -> "t/n";
            };
            return String.format("%s/0x%08x_0x%08x", namespace, from, from + 0x100);
        }

        /** What a minute brings. */
        private void change() {
            now += MINUTE + (random.nextInt(40) == 0 ? 5 * MINUTE : 0);
            if (random.nextInt(25) == 0) {
                join();
            }
            if (random.nextInt(25) == 0 && nodes.size() > 2) {
                Node gone = nodes.remove(pick(nodes.keySet()));
                gone.bundles.forEach((bundle, rate) -> {
                    Placed placed = place(bundle, rate, random.nextBoolean());
                    if (placed != null) {
                        nodes.get(placed.broker()).bundles.put(bundle, rate);
                    }
                });
            }
            if (random.nextInt(30) == 0) {
                nodes.get(pick(nodes.keySet())).started = now;
            }
            if (random.nextInt(30) == 0) {
                nodes.get(pick(nodes.keySet())).frozenFor = random.nextInt(25);
            }
            if (random.nextInt(10) == 0) {
                split(nodes.get(pick(nodes.keySet())));
            }
            if (random.nextInt(15) == 0) {
                Node hot = nodes.get(pick(nodes.keySet()));
                double factor = 4 * random.nextDouble();
                hot.bundles.replaceAll((bundle, rate) -> rate * factor);
            }
            withoutData.clear();
            if (random.nextInt(10) == 0) {
                withoutData.add("x" + random.nextInt(3));
            }
        }

        private void split(Node node) {
            if (node.bundles.isEmpty()) {
                return;
            }
            String whole = pick(node.bundles.keySet());
            BundleRange range = BundleRange.of(whole);
            if (range.to() - range.from() < 2) {
                return;
            }
            double rate = node.bundles.remove(whole);
            long middle = (range.from() + range.to()) / 2;
            node.bundles.put(String.format("%s/0x%08x_0x%08x", range.namespace(), range.from(), middle), rate / 2);
            node.bundles.put(String.format("%s/0x%08x_0x%08x", range.namespace(), middle, range.to()), rate / 2);
        }

        private String pick(Collection<String> names) {
            return new ArrayList<>(names).get(random.nextInt(names.size()));
        }

        private Round shed() {
            unloaded.values().removeIf(time -> time < now - settings.gracePeriodMillis());
            Map<String, BrokerLoad> reports = new TreeMap<>();
            Map<String, BrokerLoad> otherReports = new TreeMap<>();
            for (Node node : nodes.values()) {
                if (node.report == null || node.frozenFor-- <= 0) {
                    node.written = now;
                }
                boolean garbage = random.nextInt(40) == 0;
                double usage = garbage ? GARBAGE[random.nextInt(GARBAGE.length)] : node.cpu();
                double limit = random.nextInt(60) == 0 ? GARBAGE[random.nextInt(GARBAGE.length)] : node.limit;
                List<BundleLoad> bundles = new ArrayList<>();
                node.bundles.forEach((bundle, rate) -> bundles.add(random.nextInt(500) == 0
                        ? new BundleLoad(bundle, GARBAGE[random.nextInt(GARBAGE.length)], 1, 1)
                        : new BundleLoad(bundle, rate, 700 * rate, 900 * rate)));
                if (node.written == now) {
                    node.report = report(node, usage, limit, bundles);
                }
                reports.put(node.name, node.report);
                List<BundleLoad> others = new ArrayList<>();
                node.report.bundles().forEach(others::add);
                Collections.shuffle(others, order);
                otherReports.put(node.name, copy(node, others));
            }
            snapshot = new ClusterSnapshot(List.copyOf(reports.values()), withoutData, unloaded);
            List<BrokerLoad> shuffledBrokers = new ArrayList<>(otherReports.values());
            Collections.shuffle(shuffledBrokers, order);
            Round round = shedder.round(snapshot, settings, now);
            Round same = shuffled.round(new ClusterSnapshot(shuffledBrokers, withoutData, unloaded), settings, now);
            assertThat(same).as("%s, round %d in another order", seed, round.number()).isEqualTo(round);
            round.transfers().forEach(this::unload);
            return round;
        }

        private BrokerLoad report(Node node, double usage, double limit, List<BundleLoad> bundles) {
            double rate = bundles.stream().mapToDouble(BundleLoad::messages).sum();
            return builder(node, bundles).usage(Metric.CPU, usage * limit / 100, limit)
                    .usage(Metric.BANDWIDTH_IN, rate / 100, 100).traffic(rate, 700 * rate, 900 * rate).build();
        }

        private BrokerLoad copy(Node node, List<BundleLoad> bundles) {
            BrokerLoad report = node.report;
            BrokerLoad.Builder builder = builder(node, bundles)
                    .traffic(report.messages(), report.bytesIn(), report.bytesOut()).reportTime(report.reportTime())
                    .started(report.startTime(), report.upMillis());
            for (Metric metric : List.of(Metric.CPU, Metric.BANDWIDTH_IN)) {
                double limit = report.limit(metric, settings);
                double usage = report.usage(metric, settings) * limit / 100;
                builder.usage(metric, usage, limit);
            }
            return builder.build();
        }

        private BrokerLoad.Builder builder(Node node, List<BundleLoad> bundles) {
            return BrokerLoad.named(node.name).reportTime(node.written + 7).started(node.started, node.written - node.started)
                    .bundles(bundles.size(), BundleReport.of(bundles));
        }

        private void unload(Transfer transfer) {
            int fate = random.nextInt(20);
            Node source = nodes.get(transfer.source());
            Double rate = source.bundles.get(transfer.bundle());
            if (fate == 0 || rate == null) {
                return;
            }
            Placed placed = place(transfer.bundle(), rate, fate > 1);
            if (placed == null || placed.broker().equals(transfer.source())) {
                return;
            }
            unloaded.put(transfer.bundle(), now);
            if (fate > 2) {
                source.bundles.remove(transfer.bundle());
                nodes.get(placed.broker()).bundles.put(transfer.bundle(), rate);
            }
        }

        /** Asks both shedders, which must agree. */
        private Placed place(String bundle, double rate, boolean targetAllowed) {
            List<BrokerLoad> candidates = new ArrayList<>();
            nodes.values().stream().filter(node -> node.report != null).forEach(node -> candidates.add(node.report));
            Placed placed = place(shedder.placement(), bundle, rate, candidates, targetAllowed);
            Collections.shuffle(candidates, order);
            assertThat(place(shuffled.placement(), bundle, rate, candidates, targetAllowed)).as(seed).isEqualTo(placed);
            return placed;
        }

        private Placed place(Placement placement, String bundle, double rate, List<BrokerLoad> candidates,
                             boolean targetAllowed) {
            String target = placement.plannedTarget(bundle, now);
            List<BrokerLoad> able = candidates.stream()
                    .filter(broker -> targetAllowed || !broker.name().equals(target)).toList();
            if (target != null) {
                Node node = nodes.get(target);
                Placed planned = placement.placeAsPlanned(bundle, targetAllowed && node != null,
                        node == null ? null : node.report, settings, now);
                if (planned != null) {
                    return planned;
                }
            }
            Object identity = identities.computeIfAbsent(bundle, name -> new Object());
            return placement.place(new Placement.Question(bundle, identity, new BundleLoad(bundle, rate, rate, rate), true),
                    able, settings, now);
        }
    }
}
