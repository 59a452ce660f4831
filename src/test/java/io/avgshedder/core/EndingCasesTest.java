package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How the story of a transfer ends, in each way that it can. */
class EndingCasesTest {

    private static Rounds planned() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000");
        rounds.run(1);
        return rounds;
    }

    private static void expect(Rounds rounds, Ending.How how, String sentence) {
        List<Ending> endings = rounds.last().endings();
        assertThat(endings).hasSize(1);
        assertThat(endings.get(0)).isEqualTo(new Ending(new Transfer("t/n/small", "A", "B"), how, sentence));
    }

    @Test
    void theBundleIsOnItsTarget() {
        Rounds rounds = planned().moving();
        rounds.run(1);
        assertThat(rounds.last().endings()).isEmpty();

        rounds.run(1);
        expect(rounds, Ending.How.ARRIVED, "t/n/small is on B, 60 s after its plan");
        rounds.run(1);
        assertThat(rounds.last().endings()).as("said once").isEmpty();
    }

    @Test
    void anotherBrokerTookIt() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000, C 25 2500").moving();
        rounds.run(1);
        rounds.candidates((bundle, broker) -> !broker.equals("B"));
        rounds.run(2);

        expect(rounds, Ending.How.ARRIVED, "t/n/small is on C instead of B, 60 s after its plan");
    }

    @Test
    void theManagerDroppedIt() {
        Rounds rounds = planned().drops(transfer -> true);
        rounds.run(2);

        expect(rounds, Ending.How.NOT_UNLOADED,
                "t/n/small was not unloaded from A: the load manager's own lines say why");
    }

    @Test
    void nobodyElseWouldEndBelow() {
        Rounds rounds = planned().candidates((bundle, broker) -> broker.equals("A"));
        rounds.run(2);

        expect(rounds, Ending.How.STAYED,
                "t/n/small stays on A: B cannot be had, and nobody else would end below");
    }

    @Test
    void itCameBack() {
        Rounds rounds = planned();
        rounds.run(7);

        expect(rounds, Ending.How.BACK, "t/n/small is on A still or again, 6 min after its unload");
        assertThat(rounds.shedder.placement().inFlightCount()).as("on the way").isZero();
    }

    @Test
    void noReportListsIt() {
        Rounds rounds = planned();
        rounds.run(1);
        rounds.cluster.broker("A").bundles.remove("t/n/small");
        rounds.run(6);

        expect(rounds, Ending.How.UNSEEN,
                "t/n/small is in no report of B, 6 min after its unload: it is idle or elsewhere");
    }

    @Test
    void itsTargetLeft() {
        Rounds rounds = planned();
        rounds.run(1);
        rounds.cluster.leave("B");
        rounds.run(1);

        expect(rounds, Ending.How.WITHOUT_TARGET, "t/n/small goes wherever it is asked for: B left or was refused");
    }

    /** The manager asked where it goes, and could not unload it: its owner was dead, and a lookup brought it to B. */
    @Test
    void itsSourceDied() {
        Rounds rounds = planned().drops(transfer -> true);
        rounds.run(1);
        assertThat(rounds.place("t/n/small").broker()).isEqualTo("B");
        rounds.cluster.leave("A");
        rounds.cluster.broker("B").bundles.put("t/n/small", 1000.0);
        rounds.run(1);

        expect(rounds, Ending.How.ARRIVED, "t/n/small is on B, 60 s after its plan");
    }

    /** B was proved to be cold before it took what A had: it has to settle, and to be proved cold again. */
    @Test
    void whoTookFromASourceThatDiedSettles() {
        Rounds rounds = Rounds.of("A 90 10000 {large:9000, small:1000}, B 20 2000, C 75 7500 {5x1500}");
        rounds.run(1);
        rounds.drops(transfer -> true);
        rounds.run(1);
        assertThat(Rounds.plan(rounds.last())).isEqualTo("1 A>B");
        rounds.place("t/n/small");
        rounds.cluster.leave("A");
        rounds.run(1);

        assertThat(rounds.reason("C")).isEqualTo(Reason.SETTLING);
    }

    @Test
    void itWasSplit() {
        Rounds rounds = Rounds.of(
                "A 90 10000 {t/n/0x00000000_0x80000000:9000, t/n/0x80000000_0xffffffff:1000}, B 20 2000");
        rounds.run(2);
        rounds.cluster.broker("A").bundles.remove("t/n/0x80000000_0xffffffff");
        rounds.cluster.broker("A").bundles.put("t/n/0x80000000_0xc0000000", 500.0);
        rounds.cluster.broker("A").bundles.put("t/n/0xc0000000_0xffffffff", 500.0);
        rounds.run(1);

        assertThat(rounds.last().endings()).extracting(Ending::sentence)
                .containsExactly("t/n/0x80000000_0xffffffff was split: its parts have no plan");
        assertThat(rounds.shedder.placement().inFlightCount()).as("on the way").isZero();
    }
}
