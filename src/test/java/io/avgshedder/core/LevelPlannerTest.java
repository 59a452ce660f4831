package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The planner that levels: several donors to one receiver, none beyond the mean. */
class LevelPlannerTest {

    private static Rounds level(String cluster) {
        return Rounds.of(cluster).with(Settings.builder().plan(PlanMode.LEVEL));
    }

    /** Case C13 (b): four at 80 and one at 0; the mean is 64. */
    @Test
    void allTheHotOnesServeANewBrokerInOneRound() {
        Rounds rounds = level("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}, D 80 20000 {20x1000}, "
                + "E 0 0").moving();

        assertThat(rounds.run(1)).isEqualTo("nothing");
        String plan = rounds.run(1);
        assertThat(rounds.last().transfers()).hasSizeBetween(12, 16)
                .allSatisfy(transfer -> assertThat(transfer.target()).isEqualTo("E"));
        assertThat(rounds.last().transfers()).extracting(Transfer::source).contains("A", "B", "C", "D");
        assertThat(rounds.cluster.spread()).as(plan).isLessThan(15);
        assertThat(rounds.run(120)).as("and nothing ever after").isEqualTo("nothing");
    }

    /** Case C13 (a) and (c). */
    @Test
    void tenHotOnesAndFiveHalfHotOnesToo() {
        Rounds ten = level("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}, D 80 20000 {20x1000}, "
                + "E 80 20000 {20x1000}, F 80 20000 {20x1000}, G 80 20000 {20x1000}, H 80 20000 {20x1000}, "
                + "I 80 20000 {20x1000}, J 80 20000 {20x1000}, Z 0 0").moving();
        ten.run(2);
        assertThat(ten.cluster.spread()).isLessThan(15);

        Rounds five = level("A 50 10000 {10x1000}, B 50 10000 {10x1000}, C 50 10000 {10x1000}, D 50 10000 {10x1000}, "
                + "E 50 10000 {10x1000}, F 0 0").moving();
        five.run(2);
        assertThat(five.cluster.spread()).isLessThan(15);
    }

    /** 90/90/20/30: both pairs fire, and what the pairs would do is what leads to the mean of 57.5. */
    @Test
    void pairsThatLeadToTheMeanAreServedAsTheyAre() {
        Rounds rounds = level("A 90 18000 {18x1000}, B 90 18000 {18x1000}, C 20 4000, D 30 6000").moving();

        rounds.run(2);
        assertThat(rounds.last().transfers()).hasSizeBetween(12, 14);
        assertThat(rounds.cluster.spread()).isLessThan(6);
        assertThat(rounds.run(60)).isEqualTo("nothing");
    }

    @Test
    void noBundleMovesTwiceAndNoReceiverEndsAboveTheMeanByMoreThanHalfABundle() {
        Rounds rounds = level("A 90 18000 {9x2000}, B 85 17000 {17x1000}, C 60 12000 {12x1000}, D 10 2000, E 5 1000")
                .moving(5);
        rounds.run(2);

        Set<String> bundles = new HashSet<>(rounds.bundles());
        assertThat(bundles).hasSameSizeAs(rounds.last().transfers()).isNotEmpty();
        assertThat(rounds.cluster.broker("D").score).isLessThanOrEqualTo(50 + 5);
        assertThat(rounds.cluster.broker("E").score).isLessThanOrEqualTo(50 + 5);
        assertThat(rounds.cluster.spread()).isLessThan(15);
    }

    @Test
    void aHelperOutsideTheFiredPairsIsNamed() {
        Rounds rounds = level("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}, D 80 20000 {20x1000}, "
                + "E 0 0");
        rounds.run(2);

        assertThat(rounds.last().verdicts()).filteredOn(verdict -> verdict.reason() == Reason.MOVED)
                .extracting(Verdict::hot).containsExactlyInAnyOrder("A", "B", "C", "D");
        assertThat(rounds.verdict("D").sentence())
                .matches("D -> E: cpu gap 80\\.0 >= 40, hits 2/2: \\d+ bundles and \\d+ from others, "
                        + "forecast [\\d.]+ / [\\d.]+");
    }

    @Test
    void aHelperThatGivesToTwoNamesBoth() {
        Rounds rounds = level("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}, D 80 20000 {20x1000}, "
                + "E 80 20000 {20x1000}, Y 0 0, Z 0 0");
        rounds.run(2);

        assertThat(rounds.last().transfers()).filteredOn(transfer -> transfer.source().equals("A"))
                .extracting(Transfer::target).contains("Y", "Z");
        assertThat(rounds.last().verdicts()).extracting(Verdict::sentence)
                .anyMatch(sentence -> sentence.matches("A -> (Y, Z|Z, Y): helps to level: \\d+ bundles, .*"));
    }

    @Test
    void allWhoGaveSettle() {
        Rounds rounds = level("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}, D 80 20000 {20x1000}, "
                + "E 0 0");
        rounds.run(2);
        assertThat(rounds.run(2)).as("nothing moves before all reports can show it").isEqualTo("nothing");
    }

    @Test
    void theRoundsCapHoldsForAllTogether() {
        Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 80 20000 {20x1000}, C 80 20000 {20x1000}, E 0 0")
                .with(Settings.builder().plan(PlanMode.LEVEL).maxUnloadsPerRound(5));

        rounds.run(2);
        assertThat(rounds.last().transfers()).hasSize(5);
    }

    @Test
    void aStrongBrokerTakesItsShareOfTheMean() {
        Rounds rounds = level("A 80 20000 {40x500}, B 80 20000 {40x500}, Z 0@400 0").moving();
        rounds.run(2);

        assertThat(rounds.last().transfers()).extracting(Transfer::target).containsOnly("Z");
        int moved = rounds.last().transfers().size();
        assertThat(moved).as("two thirds of 80 bundles, by capacity 1, 1 and 4, less what low allows").isBetween(38, 54);
    }

    /** D is new, which the overloaded A need not wait for; C, at 80, has to. */
    @Test
    void onlyOverloadedDonorsGiveWhileOthersAreQuiet() {
        Rounds rounds = level("A 90 18000 {18x1000}, B 5 1000, C 80 16000 {16x1000}");
        rounds.run(1);
        rounds.cluster.join("D 80 16000 {16x1000}");

        rounds.next();
        assertThat(rounds.last().transfers()).isNotEmpty()
                .allSatisfy(transfer -> assertThat(transfer.source()).isEqualTo("A"));
    }

    /** The mean is 55.4. F takes from A, which began at 120, and from E, which began at 58. */
    @Test
    void noReceiverEndsAboveWhereAnyOfItsDonorsBegan() {
        Rounds rounds = Rounds.of("A 120 30000 {30x500, 2x7500}, B 29 7250, D 30 7500, E 58 14500 {58x250}, F 40 10000")
                .with(Settings.builder().plan(PlanMode.LEVEL).hitCounts(2, 2)).moving(4);
        rounds.run(1);

        assertThat(rounds.run(1)).contains("A>F").contains("E>F");
        assertThat(rounds.cluster.broker("F").score).isLessThanOrEqualTo(58);
    }

    /** 75, 60, 50 and 35: three bundles of 5 leave 60, 60, 50 and 50; a fourth would lower no spread. */
    @Test
    void aStepThatCannotLowerTheSpreadIsNotTaken() {
        Rounds rounds = level("A 75 15000 {15x1000}, B 60 12000 {12x1000}, C 50 10000 {10x1000}, D 35 7000 {7x1000}")
                .moving();

        assertThat(rounds.run(2)).isEqualTo("2: 3 A>D");
        assertThat(rounds.cluster.scores()).isEqualTo("A 60.0, B 60.0, C 50.0, D 50.0");
    }

    /** B and D, at 2 of 8 hits, would settle and count anew if they gave or took a bundle now. */
    @Test
    void aPairThatCountsIsLeftAlone() {
        Rounds rounds = level("A 90 18000 {18x1000}, B 65 13000 {13x1000}, C 10 2000, D 30 6000").moving();

        assertThat(rounds.run(2)).isEqualTo("2: 8 A>C");
        assertThat(rounds.verdict("B").sentence()).isEqualTo("B -> D: cpu gap 35.0 >= 15, hits 2/8: counting");
    }

    /** The mean of one broker at 90 and seventy at 20 is 21: no bundle of 5 points fits below it, and A was never served. */
    @Test
    void oneHotBrokerAmongManyIsLevelledWithItsPartner() {
        StringBuilder cluster = new StringBuilder("A 90 18000 {18x1000}");
        for (int i = 0; i < 70; i++) {
            cluster.append(", b").append(i).append(" 20 4000 {4x1000}");
        }
        Rounds rounds = level(cluster.toString()).moving();

        rounds.run(2);
        assertThat(rounds.last().transfers()).hasSize(7);
        rounds.run(120);
        assertThat(rounds.cluster.spread()).isLessThan(15);
    }

    @Test
    void aBrokerThatDrainsDoesNotLowerTheMeanOfTheOthers() {
        Rounds rounds = Rounds.of("A 80 16000 {16x1000}, C 30 6000 {6x1000}, X 0 0")
                .with(Settings.builder().plan(PlanMode.LEVEL).draining(Set.of("X"))).moving(5);

        rounds.run(120);
        assertThat(rounds.cluster.broker("A").score).isEqualTo(55);
        assertThat(rounds.cluster.broker("C").score).isEqualTo(55);
    }

    @Test
    void aCeilingHoldsForAllThatAReceiverTakes() {
        Rounds rounds = Rounds.of("A 80 16000 {16x1000}, D 80 16000 {16x1000}, B 20 4000 {4x1000}")
                .with(Settings.builder().plan(PlanMode.LEVEL).ceilings(Ceilings.parse("cpu=40"))).moving(5);

        rounds.run(2);
        assertThat(rounds.last().transfers()).isNotEmpty();
        assertThat(rounds.cluster.broker("B").score).isLessThanOrEqualTo(40);
    }

    /** E is at 5 % of bandwidthOut and at 70 of CPU: a metric looked at by itself is no score. */
    @Test
    void aMetricWithThresholdsOfItsOwnIsNotMixedWithScores() {
        Cluster cluster = Cluster.of("A 95 19000 {19x1000}, F 90 12000 {12x1000}, E 70 1000 {1000}, D 50 10000 {10x1000}");
        cluster.broker("A").usage(Metric.BANDWIDTH_OUT, 5, 100);
        cluster.broker("F").usage(Metric.BANDWIDTH_OUT, 60, 100);
        cluster.broker("E").usage(Metric.BANDWIDTH_OUT, 5, 100);
        cluster.broker("D").usage(Metric.BANDWIDTH_OUT, 5, 100);
        Rounds rounds = Rounds.of(cluster).with(Settings.builder().plan(PlanMode.LEVEL).hitCounts(2, 2)
                .metricThresholds(MetricThresholds.parse("bandwidthOut=10/20")));

        assertThat(rounds.run(2)).isEqualTo("2: 4 A>D, 5 F>E");
    }

    /** With room for two bundles on C, D still takes what C may not. */
    @Test
    void whatOneReceiverMayNotTakeIsNotLostForAnother() {
        Rounds rounds = Rounds.of("A 90 18000 {18x1000}, B 85 17000 {17x1000}, C 10 2000, D 20 4000")
                .with(Settings.builder().plan(PlanMode.LEVEL).unloadLimits(UnloadLimits.parse("target=2/1h")));

        rounds.run(2);
        assertThat(rounds.last().transfers()).filteredOn(transfer -> transfer.target().equals("D")).hasSize(2);
    }

    /** The mean of a hundred at 80 and one at 0 is 79: each donor ends below it, by less than half of low. */
    @Test
    void aBrokerThatJoinsAHundredIsFilledInOneRound() {
        StringBuilder cluster = new StringBuilder("new 0 0");
        for (int i = 0; i < 100; i++) {
            cluster.append(", b").append(i).append(" 80 20000 {20x1000}");
        }
        Rounds rounds = level(cluster.toString()).moving();

        rounds.run(2);
        assertThat(rounds.last().transfers()).extracting(Transfer::target).hasSizeBetween(15, 20).containsOnly("new");
        assertThat(rounds.cluster.spread()).isLessThan(15);
    }

    /** The mean is 56.5. D, which did not fire, would fall to 38 with its larger bundle and to 28 with both. */
    @Test
    void aHelperDoesNotFallFarBelowTheMean() {
        Rounds rounds = Rounds.of("A 80 16000 {s/a:14000, a:1000, b:1000}, B 80 16000 {s/b:15000, c:1000}, "
                + "D 66 13200 {x:7600, y:5600}, E 0 0").with(Settings.builder().plan(PlanMode.LEVEL)
                .excludedNamespaces(Set.of("t/s"))).moving(5);

        rounds.run(2);
        assertThat(rounds.cluster.broker("D").score).isEqualTo(66);
    }

    // ---- how large a bundle of a helper may be; 200 msg/s are a point, and A, whose pair fires, gives E three of them

    private static final String SIX = "A %s {s/a:4000, a:600}, B %s, D %s {s/d:4000, x:%s}, G %s, F %s, E %s";

    /** What moves where D has x, so many points in size, and the six brokers stand at these. */
    private static String helped(String low, double x, double... scores) {
        String[] brokers = new String[6];
        for (int i = 0; i < 6; i++) {
            brokers[i] = scores[i] + " " + Math.round(200 * scores[i]);
        }
        return Rounds.of(String.format(SIX, brokers[0], brokers[1], brokers[2], Math.round(200 * x), brokers[3],
                brokers[4], brokers[5])).with(Settings.builder().plan(PlanMode.LEVEL).excludedNamespaces(Set.of("t/s"))
                .thresholds(Double.parseDouble(low), 40)).run(2);
    }

    /** D is 52 points above E by then, and the two may be turned round by three quarters of low: 31.6 may move. */
    @Test
    void aHelperAndItsReceiverAreNotTurnedRoundByMoreThanThreeQuartersOfLow() {
        assertThat(helped("15", 31, 67, 66, 65, 50.5, 27, 10)).isEqualTo("2: 1 A>E, 1 D>E");
        assertThat(helped("15", 33, 67, 66, 65, 50.5, 27, 10)).isEqualTo("2: 1 A>E");
    }

    /** Low is 40, of which three quarters are 30; half of the gap of 52 is less, and 39 may move. */
    @Test
    void aHelperAndItsReceiverAreNotTurnedRoundByMoreThanHalfOfTheirGap() {
        assertThat(helped("40", 38.5, 67, 66, 65, 30, 27, 10)).isEqualTo("2: 1 A>E, 1 D>E");
        assertThat(helped("40", 40.3, 67, 66, 65, 30, 27, 10)).isEqualTo("2: 1 A>E");
    }

    /** The mean is 50, and D, at 60, may end at 40. */
    @Test
    void aHelperEndsNoFurtherBelowTheMeanThanItBeganAbove() {
        assertThat(helped("15", 19.5, 62, 61, 60, 50, 47, 20)).isEqualTo("2: 1 A>E, 1 D>E");
        assertThat(helped("15", 20.5, 62, 61, 60, 50, 47, 20)).isEqualTo("2: 1 A>E");
    }

    /** The mean is 50, and D, at 55, may end at 42.5. */
    @Test
    void aHelperNearTheMeanMayEndBelowByHalfOfLow() {
        assertThat(helped("15", 12, 62, 56, 55, 55, 52, 20)).isEqualTo("2: 1 A>E, 1 D>E");
        assertThat(helped("15", 13, 62, 56, 55, 55, 52, 20)).isEqualTo("2: 1 A>E");
    }

    /** The mean is 52.6, and E, at 43 by then, may end as far above as it is below: 19.2 may move. */
    @Test
    void aReceiverEndsNoFurtherAboveTheMeanThanItWasBelow() {
        assertThat(helpedAmongEight(19)).isEqualTo("2: 1 A>E, 1 D>E");
        assertThat(helpedAmongEight(20)).isEqualTo("2: 1 A>E");
    }

    private static String helpedAmongEight(double x) {
        return Rounds.of(String.format("A 76 15200 {s/a:4000, a:600}, D 75 15000 {s/d:4000, x:%d}, E 40 8000, "
                + "c1 46 9200, c2 46 9200, c3 46 9200, c4 46 9200, c5 46 9200", Math.round(200 * x)))
                .with(Settings.builder().plan(PlanMode.LEVEL).excludedNamespaces(Set.of("t/s")).thresholds(30, 30)).run(2);
    }

    /** A point of D, at 70, is nine of E, which is at 33 by then: with 4.1 of them E is where D began. */
    @Test
    void aSmallReceiverDoesNotEndAboveWhereItsHelperBegan() {
        assertThat(helpsTheSmall(7300)).isEqualTo("2: 1 A>E, 1 D>E");
        assertThat(helpsTheSmall(7600)).isEqualTo("2: 1 A>E");
    }

    private static String helpsTheSmall(int x) {
        return Rounds.of("A 75 15000 {s/a:4000, a:600}, D 70@900 126000 {s/d:40000, x:" + x
                + "}, G 56@900 100800, E 30 6000").with(Settings.builder().plan(PlanMode.LEVEL)
                .excludedNamespaces(Set.of("t/s")).hitCounts(2, 2)).run(2);
    }

    private static String twentyAt(double score) {
        StringBuilder brokers = new StringBuilder();
        for (int i = 10; i < 30; i++) {
            brokers.append(", c").append(i).append(' ').append(score).append(' ').append(Math.round(200 * score));
        }
        return brokers.toString();
    }

    /** The mean is 27.4, up to which E takes four bundles. Half of the 43 points left between the two are four more. */
    @Test
    void aPairThatTheMeanLeavesOutOfLevelGoesOnFromWhereItIs() {
        Rounds rounds = level("A 88 17600 {17x1000}, E 5 1000" + twentyAt(25.5)).moving();

        assertThat(rounds.run(2)).isEqualTo("2: 8 A>E");
        assertThat(rounds.cluster.broker("A").score).isEqualTo(48);
        assertThat(rounds.cluster.broker("E").score).isEqualTo(45);
    }

    /** E has taken 6 points from D, which began at 40: A's bundle of 48 would take it to 59. */
    @Test
    void alsoAPairOnItsOwnDoesNotEndAboveWhereAHelperBegan() {
        Rounds rounds = level("A 90 18000 {s/a:4000, x:9600}, D 40 8000 {s/d:4000, y:1200}, E 5 1000" + twentyAt(25.5))
                .with(Settings.builder().plan(PlanMode.LEVEL).excludedNamespaces(Set.of("t/s")));

        assertThat(rounds.run(2)).isEqualTo("2: 1 D>E");
    }

    /** Of CPU X tells no limit, so that it does not count for the mean, which is 53.3. */
    @Test
    void aBrokerWithoutALimitCountsForNoMean() {
        Cluster cluster = Cluster.of("A 80 20000 {20x1000}, B 80 20000 {20x1000}, X 0 10000, E 0 0");
        cluster.broker("X").usage(Metric.CPU, 50, Double.POSITIVE_INFINITY).usage(Metric.BANDWIDTH_IN, 75, 100);

        assertThat(Rounds.of(cluster).with(Settings.builder().plan(PlanMode.LEVEL)).run(2)).isEqualTo("2: 6 A>E, 7 B>E");
    }

    /** Lookups have sent 20 points to B: it stands at 30, the mean is 53.3, and A, B and C end at 55, 55 and 50. */
    @Test
    void whatIsOnTheWayCountsForTheMean() {
        Rounds rounds = level("A 90 18000 {18x1000}, B 10 2000, C 40 8000 {8x1000}");
        rounds.run(1);
        assertThat(rounds.place("t/n/new", Cluster.load("new", 4000), true).broker()).isEqualTo("B");

        assertThat(rounds.run(1)).isEqualTo("2: 5 A>B, 2 A>C");
    }

    @Test
    void aRoundThatIsJustFullHeldNothingBack() {
        Rounds rounds = Rounds.of("A 80 20000 {11x900}, B 30 2000").with(
                Settings.builder().plan(PlanMode.LEVEL).maxUnloadsPerRound(10));
        rounds.run(2);
        assertThat(rounds.verdict("A").sentence())
                .isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: 10 bundles, forecast 55.0 / 55.0");

        rounds = Rounds.of("A 80 20000 {11x900}, B 30 2000").with(
                Settings.builder().plan(PlanMode.LEVEL).maxUnloadsPerRound(7));
        rounds.run(2);
        assertThat(rounds.verdict("A").sentence()).isEqualTo("A -> B: cpu gap 50.0 >= 40, hits 2/2: 7 bundles, forecast "
                + "62.5 / 47.5; 3 more wait: the round's 7 bundles went to more urgent ones");
    }

    // ---- where giving and taking end; most brokers have 200 msg/s a point

    private static Rounds fired(String cluster, Settings.Builder settings) {
        Rounds rounds = Rounds.of(cluster).with(settings.plan(PlanMode.LEVEL).hitCounts(2, 2)
                .excludedNamespaces(Set.of("t/s")));
        rounds.run(2);
        return rounds;
    }

    private static String plan(String cluster, Settings.Builder settings) {
        return Rounds.plan(fired(cluster, settings).last());
    }

    private static Settings.Builder limits(String limits) {
        return Settings.builder().unloadLimits(UnloadLimits.parse(limits));
    }

    /** B is at 24.5, and the mean is 25. */
    @Test
    void aReceiverNearTheMeanTakesNoMore() {
        assertThat(plan("A 50 10000 {x:4900, 20x100}, B 0 0", Settings.builder())).isEqualTo("1 A>B");
    }

    /** A, twice as large as the others, is at 10 after x, and the mean is 11: y brings it there. */
    @Test
    void aReceiverAPointBelowTheMeanTakesMore() {
        Rounds rounds = fired("A 0@200 0, B 40 8000 {s/z:1000, x:4000, y:400, z:2600}, C 10 2000 {2x1000}, D 5 1000",
                limits("target=2/1h"));

        assertThat(Rounds.plan(rounds.last())).isEqualTo("2 B>A");
        assertThat(rounds.bundles()).containsExactly("x", "y");
    }

    /** The mean is 33. B is at 34, and y, worth 3 points, would lower no spread: E and D are at 30. */
    @Test
    void aDonorAPointAboveTheMeanGivesNoMore() {
        assertThat(plan("A 5 1000 {1000}, B 65 13000 {s/z:1800, w:6200, x:4400, y:600}, C 65 13000 {6x2000}, D 0 0, "
                + "E 30 6000 {s/e:5400, e:600}", Settings.builder())).isEqualTo("1 B>A, 3 C>D");
    }

    /** A is at 29 after x, a point below D, which may not take it. */
    @Test
    void aReceiverAPointBelowTheLowestOfTheOthersIsNotLower() {
        assertThat(plan("A 85 17000 {s/z:7200, v:800, w:8000, x:600}, B 20@200 8000 {4x2000}, C 40 8000 {4x2000}, "
                + "D 30 6000 {s/d:6000}, E 40 8000 {e:7800}, F 25 5000 {2x2000}", Settings.builder()))
                .isEqualTo("1 A>B, 1 A>F");
    }

    /** The mean is 28.8. C, at 35 by then, is 15 above B, and gives it one of 10. */
    @Test
    void lowIsEnoughToHelp() {
        assertThat(plan("A 15@200 6000 {6x1000}, B 20 4000 {s/z:3000, b:1000}, C 65 13000 {6x2000}", Settings.builder()))
                .isEqualTo("3 C>A, 1 C>B");
    }

    /** A is at the mean of 25. */
    @Test
    void whoIsAtTheMeanDoesNotHelp() {
        assertThat(plan("A 25 5000 {5x1000}, B 0 0, C 60 12000 {6x2000}, D 0@200 0, E 65 13000 {6x2000}",
                limits("source=2/1h"))).isEqualTo("1 C>B, 1 C>D, 1 E>B, 1 E>D");
    }

    /** D is at 40 after two, and still 15 above B, the lowest of the others, so the third goes to A too. */
    @Test
    void aDonorThatIsFarAboveTheLowestGivesOn() {
        assertThat(plan("A 5 1000 {1000}, B 25@200 10000 {s/z:4600, b:5400}, C 40 8000 {c:7600}, D 50@200 20000 {10x2000}",
                Settings.builder())).isEqualTo("3 D>A");
    }

    @Test
    void whatWasHeldBackIsNotAskedForAgain() {
        assertThat(plan("B 50 10000 {5x2000}, A 0 0, C 0 0", limits("source=1/1h"))).isEqualTo("1 B>A");
    }

    /** B may take two. A is at 49 by then, and D at 45; E stays at 50, so that what A might give to D lowers no spread. */
    @Test
    void aRefusalIsNoStep() {
        assertThat(plan("A 70 14000 {v:2400, w:400, x:2800, y:4200, z:2800}, B 0 0, C 45 9000 {4x2000}, "
                + "D 35 7000 {3x2000}, E 50@200 20000 {20x1000}, F 75 15000 {7x2000}", limits("target=2/1h")))
                .isEqualTo("1 A>B, 1 F>B, 1 F>D");
    }

    /** The pair of C and D has just the gap of 15 that counts. */
    @Test
    void aPairAtItsThresholdIsLeftAlone() {
        Rounds rounds = level("A 90 18000 {18x1000}, B 45 9000 {9x1000}, C 10 2000, D 30 6000");

        rounds.run(2);
        assertThat(rounds.verdict("B").sentence()).isEqualTo("B -> D: cpu gap 15.0 >= 15, hits 2/8: counting");
        assertThat(rounds.last().transfers()).isNotEmpty().allSatisfy(transfer -> {
            assertThat(transfer.source()).isEqualTo("A");
            assertThat(transfer.target()).isEqualTo("C");
        });
    }

    // ---- what is said

    private static String said(String hot, String cluster, Settings.Builder settings) {
        return fired(cluster, settings).verdict(hot).sentence();
    }

    @Test
    void whereBothEndIsForecastWithAllThatTheyGaveAndTook() {
        assertThat(said("D", "A 60 12000 {12x1000}, B 45 9000 {s/z:8000, b:1000}, C 40 8000 {4x2000}, "
                + "D 70 14000 {14x1000}, E 80 16000 {16x1000}, F 50 10000 {10x1000}", Settings.builder()))
                .isEqualTo("D -> B: cpu gap 25.0 >= 15, hits 2/2: 2 bundles and 1 from others, forecast 60.0 / 60.0");
        assertThat(said("C", "A 55 11000 {11x1000}, B 15 3000 {b:3000}, C 95 19000 {9x2000}, D 70 14000 {7x2000}, "
                + "E 75 15000 {15x1000}", Settings.builder()))
                .isEqualTo("C -> B: cpu gap 80.0 >= 40, hits 2/2: 3 bundles and 3 from others, forecast 65.0 / 60.0");
        assertThat(said("A", "A 75 15000 {15x1000}, B 5 1000 {1000}, C 0 0, D 40 8000 {4x2000}",
                Settings.builder().maxUnloadsPerRound(4))).startsWith(
                "A -> C: cpu gap 75.0 >= 40, hits 2/2: 2 bundles and 2 to others, forecast 55.0 / 10.0; ");
        assertThat(said("B", "A 75 15000 {7x2000}, B 90@200 36000 {18x2000}", Settings.builder()))
                .isEqualTo("B -> A: cpu gap 15.0 >= 15, hits 2/2: 1 bundle, forecast 85.0 / 85.0");
    }

    @Test
    void aHelperIsForecastTooWhetherItGaveOnceOrNot() {
        assertThat(said("C", "A 90 18000 {18x1000}, B 35 7000 {b:5400, c:1600}, C 70@200 28000 {14x2000}",
                Settings.builder())).isEqualTo("C -> B: helps to level: 1 bundle, forecast 65.0 after 70.0");
        assertThat(said("B", "A 50 10000 {10x1000}, B 90 18000 {9x2000}, C 95@200 38000 {19x2000}",
                limits("source=2/1h"))).isEqualTo("B -> A: helps to level: 1 bundle, forecast 80.0 after 90.0");
    }

    @Test
    void aBundleThatStandsInTheWayIsNamedWhereLowIsLeft() {
        assertThat(said("A", "A 50 10000 {x:8000, y:2000}, B 15 3000 {2000}", Settings.builder())).isEqualTo("A -> B: cpu "
                + "gap 35.0 >= 15, hits 2/2: 1 bundle, forecast 40.0 / 25.0; one bundle, t/n/x, carries 80 % of the "
                + "traffic of A: split it");
        assertThat(said("B", "A 0 0, B 60 12000 {s/z:7200, b:4600}", Settings.builder()))
                .isEqualTo("B -> A: cpu gap 60.0 >= 40, hits 2/2: 1 bundle, forecast 37.0 / 23.0");
    }

    /** E could give three to level the pair, of which the round has room for one. */
    @Test
    void whatIsLeftWhenTheRoundIsFullWaitsOnce() {
        assertThat(said("E", "A 40@200 16000 {8x2000}, B 85 17000 {17x1000}, C 40 8000 {s/z:5800, c:2200}, D 0@200 0, "
                + "E 60 12000 {12x1000}", limits("target=1/1h").maxUnloadsPerRound(2))).isEqualTo("E -> A: cpu gap 20.0 >= "
                + "15, hits 2/2: 1 bundle, forecast 55.0 / 42.5; 2 more wait: the round's 2 bundles went to more urgent ones");
    }

    /** D is above the overload threshold, and C is not; G's gap is 75, and B's 55. */
    @Test
    void theMostUrgentUnloadsComeFirst() {
        Rounds overloaded = level("A 5 1000, B 15@200 6000 {3x2000}, C 75 15000 {15x1000}, D 95 19000 {19x1000}, "
                + "E 10@200 4000 {2x2000}, F 30 6000 {s/z:3000, f:3000}");
        overloaded.run(2);
        assertThat(overloaded.bundles()).endsWith("D-010", "D-011", "C-006", "C-007");

        Rounds gaps = level("A 30 6000 {3x2000}, B 85 17000 {8x2000}, C 45 9000 {v:6800, w:2200}, D 10 2000 {d:2000}, "
                + "E 30@200 12000 {1400, 4400, 1600, 4600}, F 45 9000 {x:5800, y:3200}, G 85 17000 {8x2000}");
        gaps.run(2);
        assertThat(gaps.bundles()).containsExactly("G-001", "B-001", "G-002", "B-002", "G-003", "B-003");
    }
}
