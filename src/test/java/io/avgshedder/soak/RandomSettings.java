package io.avgshedder.soak;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;

/**
 * A configuration that changes at run time, for better and for worse, and what must be in force: of a value that is none
 * the last good one, else the default.
 */
final class RandomSettings {

    private static final List<String> NO_VALUES = List.of("abc", "-1", "NaN", "1e999", "cpu=", "=", ";;x", "a\u0000b",
            "9".repeat(500), "exempt exempt", "cluster=1/0m", "true false");
    static final Set<String> EXCLUDED = Set.of("t/excluded");
    static final String EXEMPT = "t/exempt";
    static final String RATIONED = "t/rationed";
    static final int RATION = 2;
    static final long RATION_WINDOW = 60 * 60_000;

    final ServiceConfiguration conf = new ServiceConfiguration();
    private final Random random;
    private final boolean changes;
    private boolean begun;
    int low = 15;
    int hitsLow = 8;
    int hitsHigh = 2;
    int mostUnloads = 200;
    int graceMinutes = 30;
    double overload = 85;
    double msgRateCapacity;
    boolean isLevel;
    boolean isRandomPlacement;
    boolean isQuietPeriod = true;
    boolean isDryRun;
    long holdUntil = Long.MIN_VALUE;
    Set<String> draining = Set.of();
    final boolean hasRules;
    /** Unloads in ten minutes, of all, from one and to one broker; 0 for no limit. */
    final int clusterBudget;
    final int brokerBudget;
    final boolean hasCeilings;
    /** Of CPU, in percent. */
    final int ceiling;
    final boolean hasMetricThresholds;

    RandomSettings(Random random, boolean changes) {
        this.random = random;
        this.changes = changes;
        conf.setProperties(new Properties());
        set("loadBalancerSheddingExcludedNamespaces", "t/excluded");
        low = 5 + random.nextInt(30);
        conf.setLoadBalancerAvgShedderLowThreshold(low);
        conf.setLoadBalancerAvgShedderHighThreshold(low + random.nextInt(40));
        hitsLow = 1 + random.nextInt(8);
        hitsHigh = 1 + random.nextInt(3);
        conf.setLoadBalancerAvgShedderHitCountLowThreshold(hitsLow);
        conf.setLoadBalancerAvgShedderHitCountHighThreshold(hitsHigh);
        graceMinutes = random.nextInt(31);
        conf.setLoadBalancerSheddingGracePeriodMinutes(graceMinutes);
        hasRules = random.nextInt(3) == 0;
        if (hasRules) {
            ours("NamespaceRules", EXEMPT + " exempt; " + RATIONED + " max " + RATION + "/1h");
        }
        boolean hasBudget = random.nextInt(3) == 0;
        clusterBudget = hasBudget ? 1 + random.nextInt(20) : 0;
        brokerBudget = hasBudget ? 1 + random.nextInt(8) : 0;
        if (hasBudget) {
            ours("MaxUnloads", String.format("cluster=%d/10m, source=%2$d/10m, target=%2$d/10m", clusterBudget,
                    brokerBudget));
        }
        hasCeilings = random.nextInt(6) == 0;
        ceiling = 30 + random.nextInt(70);
        if (hasCeilings) {
            ours("Ceilings", "cpu=" + ceiling);
        }
        hasMetricThresholds = random.nextInt(6) == 0;
        if (hasMetricThresholds) {
            ours("MetricThresholds", "bandwidthIn=10/30, msgRate=5/20");
        }
        plan();
        placement();
        quietPeriod();
        cap();
        if (random.nextInt(3) == 0) {
            capacity();
        }
    }

    private void set(String key, String value) {
        conf.getProperties().setProperty(key, value);
    }

    private void ours(String key, String value) {
        set("loadBalancerAvgShedder" + key, value);
    }

    private void plan() {
        isLevel = random.nextBoolean();
        ours("Plan", isLevel ? "level" : "pairs");
    }

    private void placement() {
        isRandomPlacement = random.nextInt(6) == 0;
        ours("Placement", isRandomPlacement ? "random" : "predicted");
    }

    private void quietPeriod() {
        isQuietPeriod = random.nextInt(4) > 0;
        ours("QuietPeriod", String.valueOf(isQuietPeriod));
    }

    private void cap() {
        mostUnloads = 1 + random.nextInt(40);
        ours("MaxUnloadsPerRound", String.valueOf(mostUnloads));
    }

    private void capacity() {
        msgRateCapacity = 100 + random.nextInt(20_000);
        ours("MsgRateCapacity", String.format(Locale.ROOT, "%.1f", msgRateCapacity));
    }

    /** What an operator does, seldom, at this instant of a cluster of these brokers. */
    void change(long now, List<String> brokers) {
        // what was never read is no last good value
        boolean isFirst = !begun;
        begun = true;
        if (!changes || isFirst || random.nextInt(15) > 0) {
            return;
        }
        switch (random.nextInt(12)) {
            case 0 -> plan();
            case 1 -> placement();
            case 2 -> quietPeriod();
            case 3 -> cap();
            case 4 -> capacity();
            case 5 -> {
                isDryRun = !isDryRun && random.nextInt(3) == 0;
                ours("DryRun", String.valueOf(isDryRun));
            }
            case 6 -> {
                holdUntil = now + (random.nextInt(3) == 0 ? random.nextInt(600) * 1000L : -1);
                holdUntil -= holdUntil % 1000;
                ours("HoldUntil", Instant.ofEpochMilli(holdUntil).toString());
            }
            case 7 -> {
                draining = brokers.isEmpty() ? Set.of() : Set.of(brokers.get(random.nextInt(brokers.size())));
                ours("Drain", draining.isEmpty() ? "none:1" : draining.iterator().next());
            }
            case 8 -> {
                graceMinutes = random.nextInt(31);
                conf.setLoadBalancerSheddingGracePeriodMinutes(graceMinutes);
            }
            default -> breakSomething();
        }
    }

    /** A value that is none: what was good last stays in force. */
    private void breakSomething() {
        String nothing = NO_VALUES.get(random.nextInt(NO_VALUES.size()));
        switch (random.nextInt(8)) {
            case 0 -> ours("Plan", nothing);
            case 1 -> ours("Placement", nothing);
            case 2 -> ours("MaxUnloadsPerRound", nothing);
            case 3 -> ours("NamespaceRules", nothing);
            case 4 -> ours("MaxUnloads", nothing);
            case 5 -> ours("HoldUntil", nothing);
            case 6 -> ours("Unheard" + random.nextInt(5), nothing);
            default -> ours("QuietPeriod", nothing);
        }
    }

    /** Whether the answers of two equal clusters are equal. */
    boolean isDeterministic() {
        return !isRandomPlacement;
    }
}
