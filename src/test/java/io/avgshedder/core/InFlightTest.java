package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.InFlight.Entry;
import io.avgshedder.core.InFlight.Identity;
import org.junit.jupiter.api.Test;

class InFlightTest {

    private final InFlight inFlight = new InFlight();

    private static Entry entry(String broker, double points, long time) {
        return new Entry(broker, points, Cluster.load("x", 100 * points), Metric.CPU, time);
    }

    @Test
    void loadAddsUpForEachBroker() {
        inFlight.put("x", entry("A", 5, 0), 50);
        inFlight.put("y", entry("A", 3, 0), 50);
        inFlight.put("z", entry("B", 1, 0), 50);

        assertThat(inFlight.on("A").points()).isEqualTo(8);
        assertThat(inFlight.on("A").bundles()).isEqualTo(2);
        assertThat(inFlight.on("A").traffic().messages()).isEqualTo(800);
        assertThat(inFlight.on("B").points()).isEqualTo(1);
        assertThat(inFlight.on("C")).isEqualTo(InFlight.Sum.NONE);
    }

    @Test
    void aBundleCountsOnceAndWhereItWentLast() {
        inFlight.put("x", entry("A", 5, 0), 50);
        inFlight.put("x", entry("A", 5, 1), 50);
        assertThat(inFlight.on("A").points()).isEqualTo(5);

        inFlight.put("x", entry("B", 5, 2), 50);
        assertThat(inFlight.on("A")).isEqualTo(InFlight.Sum.NONE);
        assertThat(inFlight.all()).containsOnlyKeys("B");
    }

    @Test
    void aBundleWithoutANameIsKnownByIdentityAndNotByEquality() {
        String one = new String("equal");
        String other = new String("equal");
        inFlight.put(new Identity(one), entry("A", 5, 0), 50);
        inFlight.put(new Identity(other), entry("A", 5, 0), 50);
        inFlight.put(new Identity(one), entry("A", 5, 0), 50);

        assertThat(new Identity(one)).isEqualTo(new Identity(one)).isNotEqualTo(new Identity(other)).isNotEqualTo(one);
        assertThat(inFlight.on("A").bundles()).isEqualTo(2);
        assertThat(inFlight.remove(new Identity(other))).isNotNull();
        assertThat(inFlight.remove(new Identity(other))).isNull();
    }

    @Test
    void whatIsTakenOutLeavesNoRoundingBehind() {
        for (int i = 0; i < 10; i++) {
            inFlight.put("x" + i, entry("A", 0.1, i), 50);
        }
        for (int i = 0; i < 10; i++) {
            inFlight.remove("x" + i);
        }

        assertThat(inFlight.on("A").points()).isZero();
        assertThat(inFlight.isEmpty()).isTrue();
    }

    @Test
    void whatIsProvedIsDropped() {
        inFlight.put("x", entry("A", 5, 0), 50);
        inFlight.put("y", entry("B", 3, 0), 50);
        inFlight.removeIf(entry -> entry.getKey().equals("x"));

        assertThat(inFlight.all()).containsOnlyKeys("B");
        assertThat(inFlight.withdraw("x")).isNull();
        assertThat(inFlight.isEmpty()).isFalse();
        assertThat(inFlight.withdraw("y")).isEqualTo(entry("B", 3, 0));
    }

    @Test
    void whatHasChangedIsToldOnce() {
        inFlight.put("x", entry("A", 5, 0), 50);
        inFlight.put("y", entry("B", 3, 0), 50);
        assertThat(inFlight.takeChanged()).containsExactlyInAnyOrder("A", "B");

        inFlight.remove("y");
        assertThat(inFlight.takeChanged()).containsExactly("B");
        assertThat(inFlight.takeChanged()).isEmpty();
    }

    @Test
    void entriesEndAtTheirAge() {
        inFlight.put("x", entry("A", 5, 100), 50);
        inFlight.put("y", entry("A", 3, 200), 50);
        inFlight.put("x", entry("A", 5, 300), 50);
        inFlight.expire(1000, 1199);
        assertThat(inFlight.on("A").bundles()).isEqualTo(2);

        inFlight.expire(1000, 1200);
        assertThat(inFlight.on("A").points()).as("y is as old as it may be").isEqualTo(5);
        inFlight.expire(1000, 1300);
        assertThat(inFlight.isEmpty()).isTrue();
    }

    /** 20 points on the way to a broker at 30: what a report rewritten on the way shows already counts once. */
    @Test
    void whatAReportShowsAlreadyIsNoLongerMissing() {
        inFlight.put("x", entry("A", 12, 0), 30);
        inFlight.put("y", entry("A", 8, 0), 30);

        assertThat(inFlight.missing("A", 30).points()).isEqualTo(20);
        assertThat(inFlight.missing("A", 25).points()).as("less than nothing arrived").isEqualTo(20);
        assertThat(inFlight.missing("A", 44).points()).isEqualTo(6);
        assertThat(inFlight.missing("A", 44).traffic().messages()).as("its traffic in proportion").isEqualTo(600);
        assertThat(inFlight.missing("A", 55).points()).isZero();

        inFlight.remove("x");
        assertThat(inFlight.missing("A", 44).points()).as("12 of 14 points were x").isEqualTo(6);
    }

    /** Seven bundles of 5 points, planned for a broker at 20 and then asked for one by one: 35 points are missing, not more. */
    @Test
    void aBundleThatIsAskedForAgainHasNotArrived() {
        for (int bundle = 0; bundle < 7; bundle++) {
            inFlight.put(bundle, entry("A", 5, 0), 20);
        }
        for (int bundle = 0; bundle < 7; bundle++) {
            inFlight.withdraw(bundle);
            inFlight.put(bundle, entry("A", 5, 10), 20);
        }

        assertThat(inFlight.missing("A", 45).points()).as("55 are to be expected").isEqualTo(10);
    }

    @Test
    void whatIsPutAgainKeepsWhatItsBrokerBeganWith() {
        inFlight.put("x", entry("A", 10, 0), 30);
        inFlight.put("x", entry("A", 10, 5), 38);

        assertThat(inFlight.missing("A", 38).points()).isEqualTo(2);
    }
}
