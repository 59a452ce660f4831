package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.MultiHitCounter.Count;
import io.avgshedder.core.MultiHitCounter.Role;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Thresholds 15 and 40, hit counts 8 and 2. */
class MultiHitCounterTest {

    private static final Settings SETTINGS = Settings.defaults();

    private final MultiHitCounter counter = new MultiHitCounter();

    private static BrokerPair pair(String hot, String cold, double gap) {
        return BrokerPair.of(Cluster.report(hot + " " + (10 + gap) + " 1000"), Cluster.report(cold + " 10 1000"), 0,
                SETTINGS);
    }

    private Count count(String hot, String cold, double gap) {
        return counter.count(pair(hot, cold, gap), SETTINGS);
    }

    @ParameterizedTest(name = "gaps {0}: low {1}, high {2}, fires: {3}")
    @CsvSource({
            "14, 0, 0, false",
            "15, 1, 0, false",
            "39, 1, 0, false",
            "40, 1, 1, false",
            "40 40, 2, 2, true",
            "40 39 40, 3, 1, false",
            "40 39 40 40, 4, 2, true",
            "40 14 40, 1, 1, false",
            "15 15 15 15 15 15 15, 7, 0, false",
            "15 15 15 15 15 15 15 15, 8, 0, true",
            "15 15 15 15 15 15 15 15 15, 9, 0, true",
            "15 15 15 15 15 15 15 14, 0, 0, false"})
    void countsRoundsInARow(String gaps, int low, int high, boolean fires) {
        Count count = null;
        for (String gap : gaps.split(" ")) {
            count = count("A", "B", Double.parseDouble(gap));
        }

        assertThat(count).isEqualTo(new Count(low, high, fires));
    }

    @Test
    void hitsBelongToEachBrokerAndThePairHasTheLargerOnes() {
        count("A", "C", 50);

        assertThat(count("B", "C", 50)).as("C has two").isEqualTo(new Count(2, 2, true));
        assertThat(count("A", "D", 20)).as("A has two").isEqualTo(new Count(2, 0, false));
    }

    @Test
    void aPairFiresByOneBrokerAloneAndNotByTheHitsOfTwo() {
        for (int i = 0; i < 6; i++) {
            count("A", "C", 20);
        }
        assertThat(count("A", "D", 41)).as("A: 7 low; D: 1 high").isEqualTo(new Count(7, 1, false));
    }

    @Test
    void aBrokerInAnotherRoleStartsAgain() {
        count("A", "B", 50);

        assertThat(count("B", "A", 50)).isEqualTo(new Count(1, 1, false));
        assertThat(count("A", "B", 50)).isEqualTo(new Count(1, 1, false));
    }

    @Test
    void lookingDoesNotCount() {
        count("A", "B", 50);

        assertThat(counter.peek(pair("A", "B", 50), SETTINGS)).isEqualTo(new Count(1, 1, false));
        assertThat(counter.peek(pair("A", "B", 50), SETTINGS)).isEqualTo(new Count(1, 1, false));
        assertThat(count("A", "B", 50)).isEqualTo(new Count(2, 2, true));
    }

    @Test
    void hitsAreSpentAndGivenBack() {
        count("A", "B", 50);
        MultiHitCounter.Spent before = counter.spend("A");
        counter.clear("B");
        MultiHitCounter.Spent nothing = counter.spend("B");
        assertThat(counter.knows("A")).isFalse();

        counter.restore("A", before);
        counter.restore("B", nothing);
        assertThat(count("A", "C", 50)).isEqualTo(new Count(2, 2, true));
        assertThat(counter.knows("B")).isFalse();
    }

    @Test
    void whoLeftIsForgotten() {
        count("A", "B", 50);
        counter.retain(Set.of("B"));
        assertThat(counter.knows("A")).isFalse();
        assertThat(counter.knows("B")).isTrue();

        counter.clearAll();
        assertThat(counter.knows("B")).isFalse();
    }

    @Test
    void theReportAtTheFirstHitIsKept() {
        Cluster cluster = Cluster.of("A 60 1000, B 10 1000");
        long[] reports = new long[4];
        double[] scores = {60, 60, 12, 60};
        for (int i = 0; i < 4; i++) {
            cluster.score("A", scores[i]).write(i);
            BrokerLoad hot = cluster.broker("A").report;
            reports[i] = hot.reportTime();
            BrokerPair pair = BrokerPair.of(hot, cluster.broker("B").report, 0, SETTINGS);
            counter.count(pair, SETTINGS);
            assertThat(counter.in(pair, hot, Role.HOT).firstReport()).isEqualTo(i < 2 ? reports[0] : reports[i]);
        }
    }
}
