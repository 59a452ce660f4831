package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Z has a bundle of 3,000 msg/s and one of 3, and leaves. */
class OrphansTest {

    private static final Settings SETTINGS = Settings.defaults();
    private static final long MINUTE = Rounds.MINUTE;
    private static final Map<String, BrokerLoad> OTHERS = Map.of("A", Cluster.report("A 40 10000 {10x1000}"));

    private final Orphans orphans = new Orphans();

    /** What a round does with them. */
    private void round(Map<String, BrokerLoad> brokers, long now) {
        orphans.removeAll(Orphans.listed(orphans.observe(brokers, now, SETTINGS), brokers.values()));
    }

    @BeforeEach
    void everybodyIsThere() {
        round(Map.of("A", OTHERS.get("A"), "Z", Cluster.report("Z 50 3003 {x:3000, y:3}")), 0);
        assertThat(orphans.isEmpty()).isTrue();
    }

    @Test
    void theLastFiguresOfALostBrokersBundlesAreKept() {
        round(OTHERS, MINUTE);

        assertThat(orphans.isEmpty()).isFalse();
        assertThat(orphans.figures("t/n/x", MINUTE).messages()).isEqualTo(3000);
        assertThat(orphans.figures("t/n/y", MINUTE).messages()).isEqualTo(3);
        assertThat(orphans.figures("t/n/A-001", MINUTE)).isNull();
        assertThat(orphans.figures(null, MINUTE)).isNull();
    }

    @Test
    void alsoBetweenTwoRounds() {
        assertThat(orphans.names(Set.of("A", "Z"), SETTINGS, 5)).isEmpty();
        assertThat(orphans.names(Set.of("A"), SETTINGS, 10)).containsExactlyInAnyOrder("t/n/x", "t/n/y");
        assertThat(orphans.figures("t/n/x", 10).messages()).isEqualTo(3000);
    }

    @Test
    void whoIsReportedAgainIsNoOrphan() {
        round(OTHERS, MINUTE);
        round(Map.of("A", Cluster.report("A 40 10000 {x:3000, 10x1000}")), 2 * MINUTE);

        assertThat(orphans.figures("t/n/x", 2 * MINUTE)).isNull();
        assertThat(orphans.figures("t/n/y", 2 * MINUTE)).isNotNull();
    }

    /** A lookup tries every name. */
    @Test
    void onlyTheLargestAreTriedAndOthersFollowWhenThoseAreReported() {
        BrokerLoad owner = Cluster.report("Y 50 500 {1000x0.25}");
        round(Map.of("A", OTHERS.get("A"), "Y", owner, "Z", Cluster.report("Z 50 3003 {x:3000, y:3}")), 0);

        List<String> names = orphans.names(Set.of("A"), SETTINGS, 10);
        assertThat(names).hasSize(1_000).startsWith("t/n/x", "t/n/y");
        assertThat(orphans.names(Set.of("A"), SETTINGS, 20)).isSameAs(names);

        BrokerLoad heir = Cluster.report("A 40 10000 {x:3000, y:3}");
        round(Map.of("A", heir), MINUTE);
        assertThat(orphans.names(Set.of("A"), SETTINGS, MINUTE)).hasSize(1_000).doesNotContain("t/n/x", "t/n/y");

        round(Map.of("A", heir, "Y", owner), 2 * MINUTE);
        assertThat(orphans.names(Set.of("A", "Y"), SETTINGS, 2 * MINUTE)).isEmpty();
    }

    @Test
    void theyAreForgottenAfterTheGracePeriod() {
        round(OTHERS, MINUTE);
        assertThat(orphans.figures("t/n/x", 31 * MINUTE - 1)).isNotNull();
        assertThat(orphans.figures("t/n/x", 31 * MINUTE)).isNull();

        assertThat(orphans.names(Set.of("A"), SETTINGS, 31 * MINUTE)).containsExactly("t/n/x", "t/n/y");

        round(OTHERS, 31 * MINUTE);
        assertThat(orphans.isEmpty()).isTrue();
        assertThat(orphans.names(Set.of("A"), SETTINGS, 31 * MINUTE)).as("names to try").isEmpty();
    }
}
