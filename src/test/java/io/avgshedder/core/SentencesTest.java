package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.avgshedder.core.MultiHitCounter.Count;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator reads, letter by letter. What is said of pairs that move is in the cases. */
class SentencesTest {

    private static final Settings SETTINGS = Settings.defaults();
    private static final long MINUTE = Rounds.MINUTE;
    private static final BrokerPair PAIR = pair(50);

    private static BrokerPair pair(double gap) {
        return BrokerPair.of(Cluster.report("A " + (30 + gap) + " 20000"), Cluster.report("B 30 2000"), 0, SETTINGS);
    }

    private static Donor donor(String bundles) {
        return Donor.read(Cluster.report("A 80 20000 {" + bundles + "}"),
                TrafficScale.of(Metric.MSG_RATE, new TrafficScale.Totals(1, 1, 1)), bundle -> true);
    }

    private static PairPlanner.Plan plan(BrokerPair pair, Reason reason, Count count) {
        return PairPlanner.Plan.withheld(pair, reason, null).counted(count);
    }

    private static String withoutPlace(Reason reason, String bundles) {
        return Sentences.withoutPlace(reason, PAIR, donor(bundles), "as a rule says", new Failures(), 0).sentence();
    }

    @Test
    void aLevelPair() {
        Verdict verdict = Sentences.belowThreshold(plan(pair(14.96), Reason.BELOW_THRESHOLD, new Count(0, 0, false)));

        assertThat(verdict.reason()).isEqualTo(Reason.BELOW_THRESHOLD);
        assertThat(verdict.hot()).isEqualTo("A");
        assertThat(verdict.cold()).isEqualTo("B");
        assertThat(verdict.sentence()).isEqualTo("A -> B: cpu gap 14.9 < 15: level; would move with "
                + "loadBalancerAvgShedderLowThreshold <= 14");
    }

    @ParameterizedTest(name = "gap {0}")
    @CsvSource(delimiter = ';', value = {
            "9.9; ''",
            "10; '; would move with loadBalancerAvgShedderLowThreshold <= 10'",
            "12.9; '; would move with loadBalancerAvgShedderLowThreshold <= 12'",
            "14.9999999; ''",
            "0; ''",
            "-12; ''"})
    void aPairThatIsNearlyOutOfLevelSaysWhatWouldMoveIt(double gap, String hint) {
        Verdict verdict = Sentences.belowThreshold(plan(pair(gap), Reason.BELOW_THRESHOLD, new Count(0, 0, false)));

        assertThat(verdict.sentence()).endsWith(": level" + hint);
    }

    @Test
    void noThresholdIsBelowOne() {
        BrokerPair pair = BrokerPair.of(Cluster.report("A 30.8 20000"), Cluster.report("B 30 2000"), 0,
                Settings.builder().thresholds(1, 40).build());

        assertThat(Sentences.belowThreshold(plan(pair, Reason.BELOW_THRESHOLD, new Count(0, 0, false))).sentence())
                .isEqualTo("A -> B: cpu gap 0.8 < 1: level");
    }

    @Test
    void aThresholdOfOneIsOne() {
        BrokerPair pair = BrokerPair.of(Cluster.report("A 31.25 20000"), Cluster.report("B 30 2000"), 0,
                Settings.builder().thresholds(1.5, 40).build());

        assertThat(Sentences.belowThreshold(plan(pair, Reason.BELOW_THRESHOLD, new Count(0, 0, false))).sentence())
                .isEqualTo("A -> B: cpu gap 1.3 < 1.5: level; would move with loadBalancerAvgShedderLowThreshold <= 1");
    }

    @ParameterizedTest(name = "gap {0}, low {1}, high {2}: {3}")
    @CsvSource(delimiter = ';', value = {
            "20; 3; 0; 20.0 >= 15, hits 3/8",
            "20.38; 3; 0; 20.4 >= 15, hits 3/8",
            "50; 3; 1; 50.0 >= 40, hits 1/2",
            "50; 8; 1; 50.0 >= 15, hits 8/8",
            "50; 9; 2; 50.0 >= 40, hits 2/2",
            "50; 31; 31; 50.0 >= 40, hits 2/2",
            "20; 31; 0; 20.0 >= 15, hits 8/8",
            "39.96; 1; 0; 39.9 >= 15, hits 1/8"})
    void theProofNamesTheThresholdThatCounts(double gap, int low, int high, String proof) {
        Count count = new Count(low, high, false);

        assertThat(Sentences.counting(plan(pair(gap), Reason.COUNTING, count), SETTINGS).sentence())
                .isEqualTo("A -> B: cpu gap " + proof + ": counting");
    }

    /** Only what is below a threshold must not read as if it had reached it. */
    @Test
    void aGapAtAThresholdIsRounded() {
        Settings settings = Settings.builder().thresholds(14.96, 24.96).build();
        BrokerPair low = BrokerPair.of(Cluster.report("A 14.96 20000"), Cluster.report("B 0 2000"), 0, settings);
        BrokerPair high = BrokerPair.of(Cluster.report("A 24.96 20000"), Cluster.report("B 0 2000"), 0, settings);

        assertThat(Sentences.counting(plan(low, Reason.COUNTING, new Count(1, 0, false)), settings).sentence())
                .isEqualTo("A -> B: cpu gap 15.0 >= 14.96, hits 1/8: counting");
        assertThat(Sentences.counting(plan(high, Reason.COUNTING, new Count(1, 1, false)), settings).sentence())
                .isEqualTo("A -> B: cpu gap 25.0 >= 24.96, hits 1/2: counting");
    }

    @Test
    void aThresholdIsWrittenAsItIsSet() {
        BrokerPair pair = BrokerPair.of(Cluster.report("A 35 20000"), Cluster.report("B 30 2000"), 0,
                Settings.builder().thresholds(12.5, 40).build());

        assertThat(Sentences.belowThreshold(plan(pair, Reason.BELOW_THRESHOLD, new Count(0, 0, false))).sentence())
                .isEqualTo("A -> B: cpu gap 5.0 < 12.5: level");
    }

    @Test
    void aSettlingPair() {
        Evidence evidence = new Evidence();
        evidence.observe(Cluster.of("A 80 1, B 30 1").snapshot(java.util.Map.of()), SETTINGS, 0);
        evidence.happened("B", 0);
        PairPlanner.Plan plan = plan(PAIR, Reason.SETTLING, new Count(0, 0, false));

        assertThat(Sentences.settling(plan, evidence, SETTINGS, MINUTE).sentence())
                .isEqualTo("A -> B: cpu gap 50.0: B gave or took bundles and has to settle");
        assertThat(Sentences.settling(plan, evidence, SETTINGS, 2 * MINUTE).sentence())
                .isEqualTo("A -> B: cpu gap 50.0: B has not written a new report since it gave or took bundles");
    }

    @Test
    void whyABrokerHasNoHotPlace() {
        assertThat(withoutPlace(Reason.NO_TRAFFIC, "x:1")).isEqualTo(
                "A: cpu gap 50.0 to B: nothing in the cluster carries traffic that could be moved for cpu");
        assertThat(withoutPlace(Reason.NOTHING_MOVABLE, "x:1, y:0")).isEqualTo(
                "A: cpu gap 50.0 to B: its only bundle with traffic, t/n/x, is never moved: split it");
        assertThat(withoutPlace(Reason.NOTHING_MOVABLE, "x:1, y:1"))
                .isEqualTo("A: cpu gap 50.0 to B: no bundle that carries traffic may move");
        assertThat(withoutPlace(Reason.BUNDLE_STATS_UNRELIABLE, "x:1")).isEqualTo(
                "A: cpu gap 50.0 to B: its bundles explain less than a tenth of the traffic it reports");
        assertThat(withoutPlace(Reason.NOTHING_FITS, "x:15600, y:4400")).isEqualTo("A: cpu gap 50.0 to B: no choice of "
                + "bundles brings the two nearer; one bundle, t/n/x, carries 78 % of the traffic of A: split it");
        assertThat(withoutPlace(Reason.NOTHING_FITS, "x:9900, y:9900"))
                .isEqualTo("A: cpu gap 50.0 to B: no choice of bundles brings the two nearer");
        assertThat(withoutPlace(Reason.NOTHING_FITS, "x:10000, y:10000")).isEqualTo("A: cpu gap 50.0 to B: no choice of "
                + "bundles brings the two nearer; one bundle, t/n/x, carries 50 % of the traffic of A: split it");
        assertThat(withoutPlace(Reason.NAMESPACE_RULE, "x:1")).isEqualTo("A: cpu gap 50.0 to B: as a rule says");
        assertThat(withoutPlace(Reason.REFUSED, "x:1")).isEqualTo(
                "A: cpu gap 50.0 to B: the load manager's filters refuse every colder broker to its bundles");
    }

    @Test
    void aWaitAfterFailures() {
        Failures failures = new Failures();
        for (int i = 0; i < 3; i++) {
            failures.add(new Transfer("t/n/x", "A", "B"), 30 * MINUTE, 0);
        }

        assertThat(Sentences.withoutPlace(Reason.BACKED_OFF, PAIR, donor("x:1"), "", failures, 5 * MINUTE).sentence())
                .isEqualTo("A: cpu gap 50.0 to B: these transfers failed repeatedly, the next try is in 25 min");
    }

    @ParameterizedTest
    @EnumSource(names = {"MOVED", "BELOW_THRESHOLD", "COUNTING", "SETTLING", "ROUND_CAP"})
    void thatAPairMayHaveIsNoReasonForNone(Reason reason) {
        assertThatThrownBy(() -> withoutPlace(reason, "x:1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void brokersThatTakeNoPart() {
        Verdict verdict = Sentences.noLoadData("X");

        assertThat(verdict.cold()).isNull();
        assertThat(verdict.gap()).isNaN();
        assertThat(verdict.sentence()).isEqualTo("X: no load report with a known metric: takes no part");
        assertThat(Sentences.stale("X", 1_020_000).sentence())
                .isEqualTo("X: the report has not changed for 17 min: takes no part until it is rewritten");
        assertThat(Sentences.restless("X").sentence())
                .isEqualTo("X: returned again and again: takes no part until it has stayed for 10 min");
        assertThat(Sentences.incomparable("X").sentence())
                .isEqualTo("X: no metric is known of it and of any colder broker");
    }

    @Test
    void manyNewcomersAreNotAllNamed() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 30 2000");
        rounds.run(1);
        new TreeSet<>(Set.of("n1", "n2", "n3", "n4", "n5")).forEach(name -> rounds.cluster.join(name + " 50 1"));
        rounds.run(1);

        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: "
                + "new in this round: n1, n2, n3 and 2 more, nothing moves before the next round");
    }

    @Test
    void threeNewcomersAreNamed() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 30 2000");
        rounds.run(1);
        rounds.cluster.join("n1 50 1, n2 50 1, n3 50 1");
        rounds.run(1);

        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: "
                + "new in this round: n1, n2, n3, nothing moves before the next round");
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0", "34.04, 34.0", "34.06, 34.1", "-3.26, -3.3", "-0.04, 0.0", "100, 100.0"})
    void pointsHaveOneDigit(double value, String text) {
        assertThat(Sentences.points(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 s", "499, 0 s", "1500, 2 s", "119000, 119 s", "120000, 2 min", "150000, 3 min", "3600000, 60 min",
            "-5, 0 s"})
    void durationsAreInSecondsOrMinutes(long millis, String text) {
        assertThat(Sentences.duration(millis)).isEqualTo(text);
    }

    @Test
    void oneBundleIsSingular() {
        assertThat(Sentences.bundles(1)).isEqualTo("1 bundle");
        assertThat(Sentences.bundles(0)).isEqualTo("0 bundles");
        assertThat(Sentences.bundles(2)).isEqualTo("2 bundles");
    }
}
