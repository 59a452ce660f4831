package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Traffic is in msg/s. */
class DonorTest {

    private static final TrafficScale MESSAGES = TrafficScale.of(Metric.MSG_RATE, new TrafficScale.Totals(1, 1, 1));
    private static final Predicate<BundleLoad> ALL = bundle -> true;

    private static Donor read(String broker, Predicate<BundleLoad> mayMove) {
        return Donor.read(Cluster.report(broker), MESSAGES, mayMove);
    }

    private static List<String> names(Donor donor) {
        return donor.movable().stream().map(candidate -> candidate.bundle().name()).toList();
    }

    @Test
    void theLargestComesFirstAndEqualOnesByName() {
        assertThat(names(read("A 80 10 {b:2, c:3, a:2, d:1}", ALL)))
                .containsExactly("t/n/c", "t/n/a", "t/n/b", "t/n/d");
    }

    @Test
    void trafficThatDiffersInItsLastDigitsIsOrderedAsWell() {
        double next = Math.nextUp(1.0);
        List<BundleLoad> bundles = new ArrayList<>(List.of(Cluster.load("a", 1), Cluster.load("b", next),
                Cluster.load("c", Math.nextUp(next)), Cluster.load("d", Double.MIN_VALUE), Cluster.load("e", 1)));
        for (int i = 0; i < 1000; i++) {
            bundles.add(Cluster.load("f" + i, 1e300));
        }
        BrokerLoad broker = BrokerLoad.named("A").bundles(bundles.size(), BundleReport.of(bundles)).build();

        List<String> expected = new ArrayList<>(bundles.stream().skip(5).map(BundleLoad::name).sorted().toList());
        assertThat(Donor.read(broker, MESSAGES, ALL).movable()).as("next to 1e300 the others are dust")
                .extracting(candidate -> candidate.bundle().name()).isEqualTo(expected);
        BrokerLoad small = BrokerLoad.named("A").bundles(5, BundleReport.of(bundles.subList(0, 5))).build();
        assertThat(names(Donor.read(small, MESSAGES, ALL))).containsExactly("t/n/c", "t/n/b", "t/n/a", "t/n/e");
    }

    @Test
    void trafficIsTheLargerOfTheBrokersOwnAndItsBundles() {
        assertThat(read("A 80 20000 {5x1000}", ALL).traffic()).isEqualTo(20_000);
        assertThat(read("A 80 2000 {5x1000}", ALL).traffic()).isEqualTo(5000);
    }

    @Test
    void whatMayNotMoveCountsForTheTraffic() {
        Donor donor = read("A 80 0 {kept:4000, 5x1000}", bundle -> !bundle.name().endsWith("kept"));

        assertThat(donor.traffic()).isEqualTo(9000);
        assertThat(donor.movable()).hasSize(5);
        assertThat(donor.withTraffic()).isEqualTo(6);
        assertThat(donor.largest().bundle().name()).isEqualTo("t/n/kept");
        assertThat(donor.largestShare()).isEqualTo(4000.0 / 9000);
    }

    @Test
    void dustIsBelowATenthOfTheMeanOfBundlesWithTraffic() {
        assertThat(names(read("A 80 0 {a:100, b:100, c:4.9, 100x0}", ALL)))
                .as("the mean is 68.3, bundles without traffic left out").containsExactly("t/n/a", "t/n/b");
        assertThat(names(read("A 80 0 {a:100, b:7}", ALL))).as("a tenth of 53.5 is 5.35")
                .containsExactly("t/n/a", "t/n/b");
        assertThat(names(read("A 80 0 {a:190, b:10}", ALL))).as("a tenth of 100 is 10").containsExactly("t/n/a", "t/n/b");
    }

    @Test
    void equalBundlesAreNeverDustHoweverSmall() {
        assertThat(read("A 80 0 {20x0.001}", ALL).movable()).hasSize(20);
    }

    @Test
    void bundlesMustExplainATenthOfTheirBrokersTraffic() {
        assertThat(read("A 80 10000 {10x101}", ALL).isReliable()).isTrue();
        assertThat(read("A 80 10000 {10x99}", ALL).isReliable()).isFalse();
    }

    @Test
    void aBrokerWithoutBundlesHasNothingToGive() {
        Donor donor = read("A 80 10000", ALL);

        assertThat(donor.movable()).isEmpty();
        assertThat(donor.largest()).isNull();
        assertThat(donor.largestShare()).isZero();
    }

    @Test
    void theOrderOfTheReportDoesNotReachTheTraffic() {
        List<BundleLoad> bundles = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            bundles.add(Cluster.load("b" + i, random.nextDouble()));
        }
        Set<Double> traffic = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(bundles, random);
            BrokerLoad broker = BrokerLoad.named("A").bundles(50, BundleReport.of(bundles)).build();
            traffic.add(Donor.read(broker, MESSAGES, ALL).traffic());
        }

        assertThat(traffic).hasSize(1);
    }
}
