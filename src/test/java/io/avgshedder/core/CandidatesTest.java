package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever asks with the same list of reports gets the answers that a list which is new at each question gets: what is
 * remembered of the last question changes none. The seed is in the name of a failure.
 */
class CandidatesTest {

    private static final int STEPS = 400;

    private final TreeMap<String, BrokerLoad> reports = new TreeMap<>();
    private final Settings[] settings = {Settings.builder().quietPeriod(false).build(),
        Settings.builder().quietPeriod(false).draining(Set.of("b0", "b3")).build(),
        Settings.builder().quietPeriod(false).weight(Metric.CPU, 0.5).build(),
        Settings.builder().quietPeriod(false).placement(PlacementMode.RANDOM).build()};

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theSameListAndNewListsGetTheSameAnswers(long seed) {
        Random random = new Random(seed);
        Shedder asksWithTheSame = new Shedder(new Random(seed));
        Shedder asksWithNew = new Shedder(new Random(seed));
        for (int i = 0; i < 6; i++) {
            write(random, i, 0);
        }
        List<BrokerLoad> same = List.copyOf(reports.values());
        Settings now = settings[0];
        for (int step = 1; step <= STEPS; step++) {
            long time = step * 20_000L;
            switch (random.nextInt(20)) {
                case 0 -> {
                    write(random, random.nextInt(7), time);
                    same = List.copyOf(reports.values());
                }
                case 1 -> now = settings[random.nextInt(settings.length)];
                case 2 -> {
                    ClusterSnapshot snapshot = ClusterSnapshot.of(reports.values());
                    assertThat(asksWithTheSame.round(snapshot, now, time).transfers())
                            .isEqualTo(asksWithNew.round(snapshot, now, time).transfers());
                }
                case 3 -> {
                    reports.remove(reports.firstKey());
                    write(random, 7, time);
                    same = List.copyOf(reports.values());
                }
                default -> {
                    // The same bundle is asked for again now and then, also with other candidates.
                    Object identity = Integer.toString(random.nextInt(40)).intern();
                    Placement.Question question = new Placement.Question(null, identity,
                            Cluster.load("", random.nextInt(3) * 500), random.nextBoolean());
                    if (random.nextInt(5) == 0) {
                        same = List.copyOf(random.nextBoolean() ? reports.values()
                                : reports.tailMap("b2").values());
                    }
                    assertThat(asksWithTheSame.placement().place(question, same, now, time))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(asksWithNew.placement().place(question, new ArrayList<>(same), now, time));
                }
            }
            assertThat(asksWithTheSame.placement().inFlightCount()).as("seed %d, step %d", seed, step)
                    .isEqualTo(asksWithNew.placement().inFlightCount());
        }
    }

    private static BrokerLoad broker(String name, double cpu, double out, double limit, double bytesOut, int bundles) {
        return BrokerLoad.named(name).usage(Metric.CPU, cpu, 100).usage(Metric.BANDWIDTH_OUT, out, limit)
                .traffic(0, 0, bytesOut).bundles(bundles, BundleReport.EMPTY).build();
    }

    private static Candidates candidates(BrokerLoad... loads) {
        return candidates(Settings.defaults(), loads);
    }

    private static Candidates candidates(Settings settings, BrokerLoad... loads) {
        Candidates candidates = new Candidates(List.of(loads), settings, new InFlight(), load -> false);
        candidates.predict(new InFlight());
        return candidates;
    }

    private static String choose(Candidates candidates, String previous, String cursor) {
        return candidates.choose(previous, cursor, new Random(1), candidate -> true).load().name();
    }

    /** The highest score is B's 50 of bandwidth out, where the limits that are known, 100 and 300, have a mean of 200. */
    @Test
    void theHighestScoresMetricSaysWhatCapacityAndTrafficAreWorth() {
        Candidates candidates = candidates(broker("A", 1, 40, 100, 1000, 10), broker("B", 1, 150, 300, 3000, 15),
                broker("C", 10, 5, 0, 500, 0), broker("D", 20, 5, Double.POSITIVE_INFINITY, 500, 0));

        assertThat(List.of("A", "B", "C", "D")).extracting(name -> candidates.named(name).capacity())
                .containsExactly(0.5, 1.5, 1.0, 1.0);
        double all = 40 * 0.5 + 50 * 1.5 + 10 + 20;
        BundleLoad bundle = new BundleLoad("t/n/x", 7, 7, 400);
        assertThat(candidates.weight(bundle, true)).isEqualTo(all * 400 / 5000);
        assertThat(candidates.weight(bundle, false)).as("one of 25").isEqualTo(all / 25);
        assertThat(candidates.weight(Cluster.load("x", 0), true)).as("a tenth of one").isEqualTo(all / 25 / 10);
    }

    @Test
    void whereNothingCarriesTrafficABundleWeighsATenthOfABroker() {
        assertThat(candidates(broker("A", 40, 0, 100, 0, 0)).weight(Cluster.load("x", 0), true)).isEqualTo(4);
    }

    @Test
    void aBrokerAtTheOverloadThresholdIsNotAboveIt() {
        Settings settings = Settings.builder().overloadThreshold(50).draining(Set.of("B")).build();

        assertThat(choose(candidates(settings, broker("A", 50, 0, 100, 0, 0), broker("B", 10, 0, 100, 0, 0)), "", ""))
                .isEqualTo("A");
    }

    @Test
    void aMillionthOfAPointIsNoDifference() {
        assertThat(choose(candidates(broker("A", 0, 0, 100, 0, 2), broker("B", 1e-6, 0, 100, 0, 1)), "", ""))
                .isEqualTo("B");
    }

    @Test
    void amongEqualsTheOneOfTheAnswerBeforeWinsAndThenTheNextInTurn() {
        Candidates equal = candidates(broker("A", 30, 0, 100, 0, 1), broker("B", 30, 0, 100, 0, 1),
                broker("C", 30, 0, 100, 0, 1));

        assertThat(List.of("", "A", "B", "C", "D")).extracting(cursor -> choose(equal, "", cursor))
                .containsExactly("A", "B", "C", "A", "A");
        assertThat(List.of("A", "B", "C")).extracting(previous -> choose(equal, previous, "A"))
                .containsExactly("A", "B", "C");
        Candidates fewer = candidates(broker("A", 30, 0, 100, 0, 1), broker("B", 30, 0, 100, 0, 0));
        assertThat(choose(fewer, "A", "")).as("that B has fewer bundles does not matter then").isEqualTo("A");
        assertThat(choose(fewer, "", "")).isEqualTo("B");
    }

    @Test
    void aDrawDoesNotDependOnTheOrderOfTheReports() {
        Settings random = Settings.builder().placement(PlacementMode.RANDOM).build();
        BrokerLoad a = broker("A", 30, 0, 100, 0, 1);
        BrokerLoad b = broker("B", 40, 0, 100, 0, 1);
        BrokerLoad c = broker("C", 50, 0, 100, 0, 1);

        for (int seed = 0; seed < 10; seed++) {
            Random one = new Random(seed);
            Random other = new Random(seed);
            assertThat(candidates(random, a, b, c).choose("", "", one, candidate -> true).load().name())
                    .isEqualTo(candidates(random, c, b, a).choose("", "", other, candidate -> true).load().name());
        }
    }

    private void write(Random random, int broker, long time) {
        double score = random.nextInt(90);
        Cluster cluster = Cluster.of("b" + broker + " " + score + "@" + (1 + random.nextInt(3)) * 100 + " "
                + (int) (score * 100));
        cluster.write(time);
        BrokerLoad load = cluster.snapshot(Map.of()).brokers().get(0);
        reports.put(load.name(), load);
    }
}
