package io.avgshedder.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.cluster.LogEvents;
import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Ending;
import io.avgshedder.core.Metric;
import io.avgshedder.core.Placed;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator reads in the broker's log, line by line. */
class PluginLogTest {

    private static final long MINUTE = 60_000;
    private static final Transfer X = new Transfer("t/n/x", "A", "B");
    private static final Verdict MOVED = verdict(Reason.MOVED, "A", "A -> B: 1 bundle");
    private static final Verdict LEVEL = verdict(Reason.BELOW_THRESHOLD, "A", "A -> B: level");
    private static final Verdict NOTHING_FITS = verdict(Reason.NOTHING_FITS, "A", "A: nothing fits");

    private final PluginLog log = new PluginLog();
    private final LogEvents events = new LogEvents("io.avgshedder.AvgShedder");
    private long time = 1_000 * MINUTE;
    private long number;

    @AfterEach
    void close() {
        events.close();
    }

    private static Verdict verdict(Reason reason, String hot, String sentence) {
        return new Verdict(reason, hot, "B", 20, 1, 0, sentence);
    }

    /** The lines of a round, a minute after the one before. */
    private List<String> round(boolean dryRun, List<Transfer> transfers, List<Ending> endings, Verdict... verdicts) {
        events.clear();
        time += MINUTE;
        log.round(new Round(++number, time, dryRun, List.of(new BrokerScore("A", 40.06, Metric.CPU),
                new BrokerScore("B", 34, Metric.BANDWIDTH_IN)), List.of(verdicts), transfers, List.of(), endings));
        return events.messages(Level.INFO, "");
    }

    private List<String> round(Verdict... verdicts) {
        return round(false, List.of(), List.of(), verdicts);
    }

    private List<String> place(boolean isPlanned, String broker, PlacementReason reason) {
        events.clear();
        log.placed("t/n/x", isPlanned, new Placed(broker, reason));
        return events.messages(Level.INFO, "");
    }

    @Test
    void aQuietClusterHasOneLineAnHour() {
        int lines = 0;
        for (int i = 0; i < 24 * 60; i++) {
            lines += round(LEVEL).size();
        }

        assertThat(lines).isBetween(22, 24);
    }

    @Test
    void thatLineSaysHowLevelItIs() {
        for (int i = 0; i < 60; i++) {
            assertThat(round(LEVEL)).as("minute %d", i).isEmpty();
        }

        assertThat(round(LEVEL, verdict(Reason.COUNTING, "C", ""), verdict(Reason.BELOW_THRESHOLD, "D", "")))
                .containsExactly("Round 61 moves nothing, as those of the last hour; "
                        + "2 brokers from 40.1 (A) to 34.0 (B); 2 BELOW_THRESHOLD, 1 COUNTING");
        assertThat(round(LEVEL)).isEmpty();
    }

    @Test
    void aBundlesStoryIsToldByItsName() {
        assertThat(round(false, List.of(X), List.of(), MOVED)).containsExactly(
                "Round 1 moves 1 bundle; scores A 40.1 cpu, B 34.0 bandwidthIn",
                "Round 1 MOVED A -> B: 1 bundle",
                "Round 1 moves t/n/x from A to B");
        assertThat(place(true, "B", PlacementReason.PLANNED)).containsExactly("Placing t/n/x on B: PLANNED");
        assertThat(place(true, "B", PlacementReason.PLANNED)).as("asked again").isEmpty();
        assertThat(place(true, "C", PlacementReason.PREDICTED)).containsExactly("Placing t/n/x on C: PREDICTED");
        Ending ending = new Ending(X, Ending.How.ARRIVED, "t/n/x is on C instead of B, 90 s after its plan");
        assertThat(round(false, List.of(), List.of(ending), LEVEL))
                .containsExactly("Round 2: t/n/x is on C instead of B, 90 s after its plan");
    }

    @Test
    void aNewStoryOfABundleIsToldFromItsBeginning() {
        place(true, "B", PlacementReason.PLANNED);
        round(false, List.of(X), List.of(), MOVED);

        assertThat(place(true, "B", PlacementReason.PLANNED)).hasSize(1);
    }

    /** A clock that steps back ends all plans. */
    @Test
    void forgottenStoriesBeginAnew() {
        assertThat(place(true, "B", PlacementReason.PLANNED)).hasSize(1);
        assertThat(place(true, "B", PlacementReason.PLANNED)).isEmpty();

        log.forgetStories();
        assertThat(place(true, "B", PlacementReason.PLANNED)).containsExactly("Placing t/n/x on B: PLANNED");
    }

    @Test
    void ordinaryLookupsAreNoStory() {
        assertThat(place(false, "B", PlacementReason.PREDICTED)).isEmpty();
    }

    @Test
    void whatHoldsAPairBackIsToldOnceAsLongAsItDoes() {
        assertThat(round(NOTHING_FITS)).containsExactly("Round 1 NOTHING_FITS A: nothing fits");
        for (int i = 0; i < 59; i++) {
            assertThat(round(NOTHING_FITS)).isEmpty();
        }
        assertThat(round(NOTHING_FITS)).as("the hourly line").hasSize(1).first().asString().contains("1 NOTHING_FITS");
    }

    @Test
    void aPairThatWaversDoesNotFillTheLog() {
        round(NOTHING_FITS);
        for (int i = 0; i < 20; i++) {
            assertThat(round(LEVEL)).isEmpty();
            assertThat(round(NOTHING_FITS)).isEmpty();
        }
        assertThat(round(verdict(Reason.REFUSED, "A", "A: refused"))).as("another reason")
                .containsExactly("Round 42 REFUSED A: refused");
    }

    @Test
    void afterATransferEverythingIsNewsAgain() {
        round(NOTHING_FITS);
        round(false, List.of(X), List.of(), MOVED);

        assertThat(round(NOTHING_FITS)).hasSize(1);
    }

    @Test
    void whatEndedForAnHourIsToldWhenItComesBack() {
        round(NOTHING_FITS);
        for (int i = 0; i < 62; i++) {
            round(LEVEL);
        }

        assertThat(round(NOTHING_FITS)).containsExactly("Round 64 NOTHING_FITS A: nothing fits");
    }

    @Test
    void aBrokerThatLeftIsForgotten() {
        Verdict ofGone = new Verdict(Reason.REFUSED, "gone", null, Double.NaN, 0, 0, "gone: refused");
        round(ofGone);
        round(LEVEL);

        assertThat(round(ofGone)).hasSize(1);
    }

    @Test
    void aDryRunTellsItsPlanOnceAnHour() {
        Verdict would = verdict(Reason.DRY_RUN, "A", "A -> B: 1 bundle");
        assertThat(round(true, List.of(X), List.of(), would)).containsExactly(
                "Round 1 would move 1 bundle; scores A 40.1 cpu, B 34.0 bandwidthIn",
                "Round 1 DRY_RUN A -> B: 1 bundle",
                "Round 1 would move t/n/x from A to B");
        for (int i = 0; i < 59; i++) {
            assertThat(round(true, List.of(X), List.of(), would)).isEmpty();
        }
        assertThat(round(true, List.of(X), List.of(), would)).hasSize(3);
        assertThat(round(true, List.of(new Transfer("t/n/y", "A", "B")), List.of(), would)).as("another plan")
                .hasSize(3);
    }

    @Test
    void noticesAreWarnings() {
        events.clear();
        log.round(new Round(1, time, false, List.of(), List.of(), List.of(), List.of("Something {} is wrong")));

        assertThat(events.messages(Level.WARN, "")).containsExactly("Something {} is wrong");
    }

    @Test
    void manyBrokersAreNotAllNamed() {
        List<BrokerScore> scores = IntStream.range(0, 45)
                .mapToObj(i -> new BrokerScore("b" + i, 50, Metric.CPU)).toList();
        events.clear();
        log.round(new Round(1, time, false, scores, List.of(MOVED), List.of(X), List.of()));

        assertThat(events.messages(Level.INFO, "scores").get(0)).endsWith("b39 50.0 cpu and 5 colder ones");
    }
}
