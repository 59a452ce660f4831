package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random clusters whose load does not change: every broker's usage is its idle usage and a share of its traffic, machines
 * differ in size and some in speed, and reports come as brokers write them, late and seldom. Rounds then lead to a fixed
 * point: after some hours nothing moves ever again, and no bundle ever went in a circle.
 *
 * <p>Where many are levelled at once, no bundle comes back to where it was. Where pairs are levelled two at a time, one
 * may, once: a receiver of the first rounds is left above the rest when its donor has gone on to give to others, and its
 * donor may then be the coldest of all (seed 1927). It makes no way twice.
 */
class ConvergenceTest {

    private static final long MINUTE = Rounds.MINUTE;
    private static final int CLUSTERS = Integer.getInteger("convergence.clusters", 150);
    private static final long FIRST_SEED = Long.getLong("convergence.seed", 1L);
    /** Rounds that may move something, and those after them. */
    private static final int HOURS_TO_LEVEL = 6;
    private static final int HOURS_OF_REST = 6;

    @ParameterizedTest
    @EnumSource(PlanMode.class)
    void constantLoadComesToRestAndNoBundleGoesInACircle(PlanMode plan) {
        int moved = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + CLUSTERS; seed++) {
            moved += new World(seed, plan).comesToRest("seed " + seed + ", " + plan);
        }

        assertThat(moved).as("bundles moved in all").isGreaterThan(CLUSTERS);
    }

    private static final class Node {
        private final String name;
        private final double limit;
        private final double idle;
        private final double pointsPerMessage;
        private final Map<String, Double> bundles = new LinkedHashMap<>();
        private double usageBefore;
        private double reportedUsage;
        private double reportedRate;
        private int reportedBundles;
        private long written = Long.MIN_VALUE;
        private BrokerLoad report;

        private Node(String name, Random random) {
            this.name = name;
            limit = random.nextInt(4) == 0 ? 400 : 100;
            idle = 10 * random.nextDouble();
            double speed = random.nextInt(6) == 0 ? 0.7 : 1;
            pointsPerMessage = 0.01 / speed * 100 / limit;
        }

        private double rate() {
            return bundles.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        /** A new report where something changed by a tenth or by ten points, or after a quarter of an hour. */
        private void write(long now) {
            double usage = usageBefore;
            usageBefore = idle + pointsPerMessage * rate();
            double rate = rate();
            boolean isNew = written == Long.MIN_VALUE || now - written >= 15 * MINUTE
                    || Math.abs(usage - reportedUsage) >= 10 || Math.abs(rate - reportedRate) > 0.1 * reportedRate
                    || Math.abs(bundles.size() - reportedBundles) > 0.1 * reportedBundles;
            if (!isNew) {
                return;
            }
            written = now;
            reportedUsage = usage;
            reportedRate = rate;
            reportedBundles = bundles.size();
            List<BundleLoad> loads = new ArrayList<>();
            bundles.forEach((bundle, messages) -> loads.add(Cluster.load(bundle, messages)));
            report = BrokerLoad.named(name).usage(Metric.CPU, usage * limit / 100, limit)
                    .traffic(rate, rate * 512, rate * 512).reportTime(now + name.hashCode())
                    .bundles(loads.size(), BundleReport.of(loads)).build();
        }
    }

    private static final class World {
        private final Map<String, Node> nodes = new LinkedHashMap<>();
        private final Map<String, Long> unloaded = new HashMap<>();
        private final Map<String, List<String>> ways = new HashMap<>();
        private final Set<String> returned = new HashSet<>();
        private final Shedder shedder;
        private final Settings settings;
        private long now = 1_000 * MINUTE;

        private World(long seed, PlanMode plan) {
            Random random = new Random(seed);
            settings = Settings.builder().plan(plan).build();
            shedder = new Shedder(random);
            for (int i = 2 + random.nextInt(15); i > 0; i--) {
                Node node = new Node("b" + i, random);
                nodes.put(node.name, node);
                double most = 2_000 * random.nextDouble() * node.limit / 100;
                for (int bundle = random.nextInt(40); bundle > 0; bundle--) {
                    node.bundles.put(Cluster.bundle(node.name + "-" + bundle), most * random.nextDouble() / 10);
                }
                node.usageBefore = node.idle + node.pointsPerMessage * node.rate();
            }
        }

        private int comesToRest(String where) {
            int moved = 0;
            for (int round = 1; round <= 60 * (HOURS_TO_LEVEL + HOURS_OF_REST); round++) {
                now += MINUTE;
                unloaded.values().removeIf(time -> now - time > settings.gracePeriodMillis());
                nodes.values().forEach(node -> node.write(now));
                ClusterSnapshot snapshot = new ClusterSnapshot(nodes.values().stream().map(node -> node.report).toList(),
                        Set.of(), unloaded);
                List<Transfer> transfers = shedder.round(snapshot, settings, now).transfers();
                assertThat(round <= 60 * HOURS_TO_LEVEL || transfers.isEmpty())
                        .as("%s: rest in round %d: %s", where, round, transfers).isTrue();
                transfers.forEach(transfer -> move(transfer, where));
                moved += transfers.size();
            }
            return moved;
        }

        private void move(Transfer transfer, String where) {
            List<String> way = ways.computeIfAbsent(transfer.bundle(), any -> new ArrayList<>(List.of(transfer.source())));
            BrokerLoad target = nodes.get(transfer.target()).report;
            Placed placed = shedder.placement().placeAsPlanned(transfer.bundle(), true, target, settings, now);
            String to = placed == null ? transfer.source() : placed.broker();
            if (to.equals(transfer.source())) {
                return;
            }
            boolean mayReturn = settings.plan() == PlanMode.PAIRS && way.indexOf(to) == way.size() - 2;
            assertThat(!way.contains(to) || mayReturn && !returned.contains(transfer.bundle()))
                    .as("%s: no circle in the way of %s, %s, which goes on to %s", where, transfer.bundle(), way, to).isTrue();
            if (way.contains(to)) {
                returned.add(transfer.bundle());
            }
            way.add(to);
            nodes.get(to).bundles.put(transfer.bundle(), nodes.get(transfer.source()).bundles.remove(transfer.bundle()));
            unloaded.put(transfer.bundle(), now);
        }
    }
}
