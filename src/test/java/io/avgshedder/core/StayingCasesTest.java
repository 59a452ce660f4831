package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A at 80 gives seven bundles of 4.3 points to B at 20, and C stands at 58. Whether a bundle that B cannot take goes to C,
 * which would stand at 62.3, or stays, depends on where A ends: at 54.3 after the other six.
 */
class StayingCasesTest {

    private final Rounds rounds = Rounds.of("A 80 20000 {20x1000}, B 20 6000, C 58 14500");
    private List<Transfer> plan;

    /** The plan alone, without a manager that asks. */
    @BeforeEach
    void plan() {
        rounds.drops(transfer -> true);
        rounds.run(2);
        plan = rounds.last().transfers();
        assertThat(plan).hasSize(7).allMatch(transfer -> transfer.source().equals("A") && transfer.target().equals("B"));
    }

    private Placed placeAnywhere(Transfer transfer) {
        rounds.candidates((bundle, broker) -> true);
        return rounds.place(transfer.bundle());
    }

    private Placed placeElsewhere(Transfer transfer) {
        rounds.candidates((bundle, broker) -> !broker.equals("B"));
        return rounds.place(transfer.bundle());
    }

    /** The refusal of one is its namespace's, and so that of all: A would stay at 80. */
    @Test
    void whatIsKnownToBeRefusedDoesNotCountAsGone() {
        assertThat(placeElsewhere(plan.get(0))).isEqualTo(new Placed("C", PlacementReason.PREDICTED));
    }

    @Test
    void whatWasPlacedCountsAsGone() {
        plan.subList(1, 7).forEach(transfer ->
                assertThat(placeAnywhere(transfer)).isEqualTo(new Placed("B", PlacementReason.PLANNED)));

        assertThat(placeElsewhere(plan.get(0))).isEqualTo(new Placed("A", PlacementReason.STAYED));
    }

    /** B is above the overload threshold now, which is no refusal, so that the rest of the plan still counts. */
    @Test
    void whatIsToComeCountsAsGone() {
        rounds.cluster.score("B", 90);
        rounds.cluster.write(rounds.now + 1);

        assertThat(placeAnywhere(plan.get(0))).isEqualTo(new Placed("A", PlacementReason.STAYED));
    }

    /** Each that stayed will not leave: the other five bring A to 58.6, and the other four to 62.9. */
    @Test
    void whatStayedDoesNotCountAsGone() {
        rounds.cluster.score("B", 90);
        rounds.cluster.write(rounds.now + 1);
        List<String> answers = new ArrayList<>();
        for (Transfer transfer : plan.subList(0, 3)) {
            answers.add(placeAnywhere(transfer).broker());
        }

        assertThat(answers).containsExactly("A", "A", "C");
    }
}
