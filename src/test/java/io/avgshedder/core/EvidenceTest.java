package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.MultiHitCounter.Hits;
import io.avgshedder.core.MultiHitCounter.Role;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Usage is averaged over one minute, so a transfer needs two to show; a report is written every 15 at least. */
class EvidenceTest {

    private static final Settings SETTINGS = Settings.defaults();
    private static final long MINUTE = Rounds.MINUTE;

    private final Evidence evidence = new Evidence();
    private final Cluster cluster = Cluster.of("A 50 1000");

    @BeforeEach
    void firstReport() {
        written(0);
    }

    private void written(long minute) {
        cluster.write(minute * MINUTE);
        unwritten(minute);
    }

    private void unwritten(long minute) {
        evidence.observe(cluster.snapshot(Map.of()), SETTINGS, minute * MINUTE);
    }

    private Hits hitsSince(long minute) {
        Cluster then = Cluster.of("A 50 1000");
        then.write(minute * MINUTE);
        return new Hits(Role.HOT, 1, 1, then.broker("A").report.reportTime());
    }

    @Test
    void bothTimeAndANewReportEndTheSettling() {
        evidence.planned("A");
        evidence.happened("A", MINUTE);
        written(2);
        assertThat(evidence.isSettling("A")).as("one minute is too soon").isTrue();
        assertThat(evidence.lacksOnlyReport("A", SETTINGS, 2 * MINUTE)).isFalse();

        written(3);
        assertThat(evidence.isSettling("A")).isFalse();
    }

    @Test
    void timeAloneDoesNotEndIt() {
        evidence.planned("A");
        evidence.happened("A", MINUTE);
        unwritten(15);
        assertThat(evidence.isSettling("A")).isTrue();
        assertThat(evidence.lacksOnlyReport("A", SETTINGS, 15 * MINUTE)).isTrue();

        written(16);
        assertThat(evidence.isSettling("A")).isFalse();
    }

    @Test
    void theLatestUnloadOfSeveralCounts() {
        evidence.planned("A");
        evidence.happened("A", 3 * MINUTE);
        evidence.happened("A", 2 * MINUTE);
        written(4);
        assertThat(evidence.isSettling("A")).isTrue();

        written(5);
        assertThat(evidence.isSettling("A")).isFalse();
    }

    @Test
    void untilItIsKnownWhetherAnythingHappenedABrokerSettles() {
        evidence.planned("A");
        written(10);
        assertThat(evidence.isSettling("A")).isTrue();

        evidence.nothingHappened("A");
        assertThat(evidence.isSettling("A")).isFalse();
    }

    @Test
    void aBrokerThatGotABundleInAnothersPlaceSettlesToo() {
        evidence.happened("A", MINUTE);
        assertThat(evidence.isSettling("A")).isTrue();

        written(3);
        assertThat(evidence.isSettling("A")).isFalse();
    }

    @Test
    void aReportIsStaleTwoMinutesAfterAHealthyBrokerWouldHaveWritten() {
        unwritten(16);
        assertThat(evidence.isStale("A", SETTINGS, 17 * MINUTE - 1)).isFalse();
        assertThat(evidence.isStale("A", SETTINGS, 17 * MINUTE)).isTrue();
        assertThat(evidence.age("A", 17 * MINUTE)).isEqualTo(17 * MINUTE);

        written(17);
        assertThat(evidence.isStale("A", SETTINGS, 17 * MINUTE)).isFalse();
        assertThat(evidence.age("A", 17 * MINUTE)).isZero();
    }

    @Test
    void theOldestReportIsTheOneThatHasNotChangedForLongest() {
        cluster.join("B 50 1000");
        written(3);
        cluster.broker("A").frozen = true;
        written(5);

        assertThat(evidence.oldestAge(9 * MINUTE)).isEqualTo(6 * MINUTE);
        assertThat(new Evidence().oldestAge(9 * MINUTE)).isZero();
    }

    @Test
    void aReportWhoseClockStepsBackIsANewOne() {
        written(10);
        cluster.write(5 * MINUTE);
        unwritten(11);

        assertThat(evidence.age("A", 11 * MINUTE)).isZero();
    }

    @Test
    void aContradictionIsBelievedOnceTheReportIsNewerThanTheFirstHit() {
        assertThat(evidence.isFresh("A", hitsSince(0))).isFalse();
        assertThat(evidence.isFresh("A", null)).isFalse();

        written(1);
        assertThat(evidence.isFresh("A", hitsSince(0))).isTrue();
        assertThat(evidence.isFresh("A", hitsSince(1))).isFalse();
    }

    @Test
    void aContradictionIsBelievedOnlyInAReportWrittenAfterSettling() {
        evidence.planned("A");
        evidence.happened("A", 0);
        written(1);
        assertThat(evidence.isFresh("A", hitsSince(0))).as("settling").isFalse();
        written(2);
        assertThat(evidence.isFresh("A", hitsSince(0))).as("the report that ended the settling").isFalse();

        written(3);
        assertThat(evidence.isFresh("A", hitsSince(0))).isTrue();
    }

    @Test
    void aReportIsDatedByItsFirstSight() {
        long report = cluster.broker("A").report.reportTime();
        unwritten(4);

        assertThat(evidence.seenAt("A", report, 5 * MINUTE)).isZero();
        assertThat(evidence.seenAt("A", report + 1, 5 * MINUTE)).as("not yet observed").isEqualTo(5 * MINUTE);
        assertThat(evidence.seenAt("B", report, 5 * MINUTE)).isEqualTo(5 * MINUTE);
    }

    @Test
    void whoLeftIsForgotten() {
        evidence.planned("A");
        evidence.retain(Set.of("B"));

        assertThat(evidence.isSettling("A")).isFalse();
        assertThat(evidence.isStale("A", SETTINGS, 100 * MINUTE)).isFalse();
    }

    @Test
    void unknownBrokersAreNoError() {
        evidence.planned("X");
        evidence.happened("X", 1);
        evidence.nothingHappened("X");

        assertThat(evidence.isSettling("X")).isFalse();
        assertThat(evidence.lacksOnlyReport("X", SETTINGS, 1)).isFalse();
        assertThat(evidence.age("X", 1)).isZero();
    }
}
