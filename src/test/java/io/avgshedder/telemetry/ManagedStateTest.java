package io.avgshedder.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.Reason;
import io.avgshedder.core.UnloadScope;
import io.avgshedder.core.Verdict;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is read over JMX, by name and as open types. */
class ManagedStateTest {

    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private final WatchedByHand watched = new WatchedByHand();
    private final StateTelemetry state = StateTelemetry.of(watched, Metrics.NONE);

    @AfterEach
    void close() {
        state.close();
    }

    private Object attribute(String name) {
        try {
            return SERVER.getAttribute(state.name(), name);
        } catch (JMException e) {
            throw new AssertionError(name, e);
        }
    }

    private List<String> lines(String name) {
        return List.of((String[]) attribute(name));
    }

    @Test
    void everyAttributeReadsWell() {
        watched.budget = List.of(WatchedByHand.use(UnloadScope.CLUSTER, "", 7),
                WatchedByHand.use(UnloadScope.SOURCE, "A", 2));

        assertThat(lines("Settings")).containsExactly("one=1 (default)", "two=2 (getter)");
        assertThat(lines("ShedTargets")).containsExactly("t/n/x from A to B, for 90 s");
        assertThat(lines("Budget")).containsExactly("cluster 20/10m: 7 used", "source 5/10m of A: 2 used");
        assertThat(lines("Refusals")).containsExactly("B takes nothing, for another 1 s",
                "C takes nothing of t/n, for another 60 s");
        assertThat(attribute("ShedTargetCount")).isEqualTo(1);
        assertThat(attribute("RefusalCount")).isEqualTo(2);
        assertThat(attribute("InFlightCount")).isEqualTo(3);
        assertThat(attribute("Leader")).isEqualTo(false);
        assertThat(lines("Rounds")).isEmpty();
    }

    @Test
    void roundsAreThereWithTheirVerdictsTheNewestFirst() {
        state.round(watched.round(false));
        watched.now += WatchedByHand.MINUTE;
        state.round(watched.round(true, WatchedByHand.level("C", "D")));

        assertThat(lines("Rounds")).containsExactly(
                "Round 2 at 1970-01-01T16:41:00Z: would move 1 bundle",
                "  DRY_RUN A -> B: moves",
                "  BELOW_THRESHOLD C -> D: level",
                "Round 1 at 1970-01-01T16:40:00Z: moves 1 bundle",
                "  MOVED A -> B: moves");
        assertThat(attribute("Leader")).isEqualTo(true);
    }

    @Test
    void sixtyRoundsAndFiftyVerdictsOfEachAreKept() {
        Verdict[] many = new Verdict[70];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Verdict(Reason.COUNTING, "h" + i, "c" + i, 20, 1, 0, "h" + i + ": counting");
        }
        for (int i = 0; i < 100; i++) {
            state.round(watched.round(false, many));
        }

        assertThat(lines("Rounds")).hasSize(60 * 52);
        assertThat(lines("Rounds").get(0)).startsWith("Round 100 ");
        assertThat(lines("Rounds").get(50)).isEqualTo("  COUNTING h48: counting");
        assertThat(lines("Rounds").get(51)).isEqualTo("  and 21 more");
        assertThat(lines("Rounds").get(59 * 52)).startsWith("Round 41 ");
    }

    @Test
    void twoLoadManagersOfOneProcessHaveNamesOfTheirOwn() throws JMException {
        try (StateTelemetry other = StateTelemetry.of(new WatchedByHand(), Metrics.NONE)) {
            assertThat(other.name()).isNotEqualTo(state.name());
            assertThat(state.name().toString()).matches("io\\.avgshedder:type=AvgShedder,name=\\d+");
            assertThat(SERVER.isRegistered(state.name())).isTrue();
            assertThat(SERVER.isRegistered(other.name())).isTrue();
            assertThat(SERVER.getMBeanInfo(other.name()).getAttributes()).hasSize(9);
        }
    }

    @Test
    void closingUnregisters() {
        var name = state.name();
        state.close();

        assertThat(SERVER.isRegistered(name)).isFalse();
        state.close();
    }
}
