package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** What an operator is told once, of things that last. */
class NoticesTest {

    private static final String SHORT = "3 of 4 brokers score above 85 (loadBalancerBrokerOverloadedThresholdPercentage)"
            + ": capacity is short, which moving bundles cannot change; add brokers";

    private final Shortage shortage = new Shortage();
    private final Suspects suspects = new Suspects();

    private List<String> scores(double... scores) {
        return shortage.notices(DoubleStream.of(scores).mapToObj(score -> new BrokerScore("b" + score, score,
                Metric.CPU)).toList(), Settings.defaults());
    }

    @Test
    void mostBrokersOverloadedIsAShortageOfCapacity() {
        assertThat(scores(90, 91, 85, 80)).as("half of them, 85 is not above").isEmpty();
        assertThat(scores(90, 91, 86, 80)).containsExactly(SHORT);
    }

    @Test
    void itIsSaidOnceUntilOnlyAQuarterIs() {
        scores(90, 91, 86, 80);

        assertThat(scores(90, 91, 86, 86)).isEmpty();
        scores(90, 91, 80, 80);
        assertThat(scores(90, 91, 86, 80)).as("half of them were still").isEmpty();
        scores(90, 80, 80, 80);
        assertThat(scores(90, 91, 86, 80)).containsExactly(SHORT);
    }

    @Test
    void noBrokersAreNoShortage() {
        assertThat(scores()).isEmpty();
    }

    @Test
    void aRoundTellsOfAShortageAndLevelsWhatItCan() {
        Rounds rounds = Rounds.of("A 140 20000 {20x1000}, B 90 2000, C 88 2000");

        assertThat(rounds.next().notices()).filteredOn(notice -> notice.startsWith("3 of 3 brokers score above 85"))
                .hasSize(1);
        assertThat(rounds.next().notices()).isEmpty();
        assertThat(Rounds.plan(rounds.last())).isEqualTo("9 A>C");
    }

    @Test
    void eachSuspectIsNamedOnceAsLongAsItIsOne() {
        assertThat(suspects.notices(List.of("B"))).containsExactly(
                "The load report of B stopped changing for longer than a healthy broker waits: suspect, look there");
        assertThat(suspects.notices(List.of("B"))).isEmpty();
        assertThat(suspects.notices(List.of("C", "B", "A"))).containsExactly("The load reports of A, C stopped changing "
                + "for longer than a healthy broker waits: suspect, look there");
        assertThat(suspects.notices(List.of())).isEmpty();
        assertThat(suspects.notices(List.of("B"))).hasSize(1);
    }

    @Test
    void aRoundNamesTheBrokerWhoseReportStopped() {
        Rounds rounds = Rounds.of("A 50 20000 {20x1000}, B 45 2000");
        rounds.cluster.broker("B").frozen = true;
        rounds.run(17);
        assertThat(rounds.last().notices()).isEmpty();

        assertThat(rounds.next().notices()).hasSize(1).first().asString().startsWith("The load report of B");
        assertThat(rounds.next().notices()).isEmpty();
    }
}
