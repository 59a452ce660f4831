package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
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

    private void write(Random random, int broker, long time) {
        double score = random.nextInt(90);
        Cluster cluster = Cluster.of("b" + broker + " " + score + "@" + (1 + random.nextInt(3)) * 100 + " "
                + (int) (score * 100));
        cluster.write(time);
        BrokerLoad load = cluster.snapshot(Map.of()).brokers().get(0);
        reports.put(load.name(), load);
    }
}
