package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A transfer of 4,000 of A's 20,000 msg/s should lower its 80 points by 16. */
class FutilityTest {

    private static final Settings SETTINGS = Settings.defaults();
    private static final long MINUTE = Rounds.MINUTE;

    private final Futility futility = new Futility();
    private final Evidence evidence = new Evidence();
    private final Cluster cluster = Cluster.of("A 80 20000");
    private long now = 1_000 * MINUTE;

    @BeforeEach
    void firstReport() {
        report(0);
    }

    private void report(int minutes) {
        now += minutes * MINUTE;
        cluster.write(now);
        look();
    }

    private void look() {
        evidence.observe(cluster.snapshot(Map.of()), SETTINGS, now);
        futility.observe(cluster.snapshot(Map.of()), evidence, SETTINGS, now);
    }

    private void transfer(Metric metric) {
        futility.planned(cluster.broker("A").report, metric, SETTINGS);
        futility.happened(new PlannedTransfer(new Transfer("t/n/x", "A", "B"), Cluster.load("x", 4000), metric, 16, 80,
                16, 100), now);
    }

    /** One transfer, and what is to be seen of it when it has settled. */
    private void transfer(double score, double rate) {
        transfer(Metric.CPU);
        cluster.score("A", score).broker("A").rate = rate;
        report(2);
    }

    /** A transfer that is followed by nothing; the traffic comes back afterwards. */
    private void futileTransfer() {
        transfer(80, 16_000);
        cluster.broker("A").rate = 20_000;
        report(1);
    }

    private boolean isWaiting() {
        return futility.isWaiting("A", Metric.CPU, now);
    }

    @Test
    void oneTransferThatIsNotFollowedMayBeChance() {
        futileTransfer();

        assertThat(futility.count("A")).isEqualTo(1);
        assertThat(isWaiting()).isFalse();
    }

    @Test
    void fromTheSecondOnTheWaitDoublesUpToEightHours() {
        futileTransfer();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            transfer(80, 16_000);
            waits.add((futility.until("A") - now) / MINUTE);
            cluster.broker("A").rate = 20_000;
            report(1);
        }

        assertThat(waits).containsExactly(30L, 60L, 120L, 240L, 480L, 480L, 480L);
        assertThat(isWaiting()).isTrue();
        now = futility.until("A") - 1;
        assertThat(isWaiting()).isTrue();
        now++;
        assertThat(isWaiting()).isFalse();
    }

    @ParameterizedTest(name = "80 becomes {0}")
    @CsvSource({"76.1, 2", "76.0, 0", "64, 0", "20, 0", "90, 2"})
    void aQuarterOfTheForecastIsEnough(double score, int futile) {
        futileTransfer();
        transfer(score, 16_000);

        assertThat(futility.count("A")).isEqualTo(futile);
    }

    @ParameterizedTest(name = "20000 become {0}")
    @CsvSource({"18000, 1", "18001, 0", "20000, 0", "25000, 0", "10000, 1"})
    void whereTheTrafficDidNotFallNothingIsProved(double rate, int futile) {
        transfer(80, rate);

        assertThat(futility.count("A")).isEqualTo(futile);
        assertThat(futility.size()).isEqualTo(futile);
    }

    @Test
    void aReportThatCannotShowTheMoveYetProvesNothing() {
        transfer(Metric.CPU);
        cluster.broker("A").rate = 16_000;
        report(1);
        now += 5 * MINUTE;
        look();
        assertThat(futility.count("A")).as("written a minute after the unload").isZero();

        report(1);
        assertThat(futility.count("A")).isEqualTo(1);
    }

    @Test
    void transfersWithoutAReportBetweenThemAreMeasuredTogether() {
        transfer(Metric.CPU);
        cluster.broker("A").rate = 16_000;
        report(1);
        transfer(Metric.CPU);
        cluster.broker("A").rate = 12_000;
        report(1);
        assertThat(futility.count("A")).as("two minutes after the first").isZero();

        cluster.score("A", 73);
        report(1);
        assertThat(futility.count("A")).as("7 of the 32 points").isEqualTo(2);
        assertThat(isWaiting()).isTrue();
    }

    @Test
    void bundlesOfOnePlanAreOneTransfer() {
        transfer(Metric.CPU);
        futility.happened(new PlannedTransfer(new Transfer("t/n/y", "A", "C"), Cluster.load("y", 4000), Metric.CPU, 16,
                80, 16, 100), now);
        cluster.broker("A").rate = 12_000;
        report(2);

        assertThat(futility.count("A")).isEqualTo(1);
    }

    /** Before a round tells of them, the unloads of one plan come in any order. */
    @Test
    void theLatestUnloadOfAPlanCounts() {
        transfer(Metric.CPU);
        futility.happened(new PlannedTransfer(new Transfer("t/n/y", "A", "C"), Cluster.load("y", 4000), Metric.CPU, 16,
                80, 16, 100), now - MINUTE);
        cluster.broker("A").rate = 12_000;
        report(1);
        assertThat(futility.count("A")).as("two minutes after the first, and one after the last").isZero();

        report(1);
        assertThat(futility.count("A")).isEqualTo(1);
    }

    /** 4,000 messages and 2 and 1 MB/s left: what remains must be less by half, and so must the bytes. */
    @ParameterizedTest(name = "{0} msg/s and {1} bytes/s remain")
    @CsvSource({"18000, 8500000, 1", "18001, 8500000, 0", "18000, 8500001, 0", "20000, 7000000, 0", "16000, 10000000, 0"})
    void messagesAndBytesMustHaveFallen(double messages, double bytes, int futile) {
        measured(20_000, 10_000_000);
        futility.planned(measured(20_000, 10_000_000), Metric.CPU, SETTINGS);
        for (int i = 0; i < 2; i++) {
            futility.happened(new PlannedTransfer(new Transfer("t/n/x" + i, "A", "B"),
                    new BundleLoad("t/n/x" + i, 2_000, 1_000_000, 500_000), Metric.CPU, 8, 80, 8, 100), now);
        }
        now += 2 * MINUTE;
        measured(messages, bytes);

        assertThat(futility.count("A")).isEqualTo(futile);
    }

    private BrokerLoad measured(double messages, double bytes) {
        BrokerLoad load = BrokerLoad.named("A").usage(Metric.CPU, 80, 100).traffic(messages, bytes / 4, bytes * 3 / 4)
                .reportTime(now + 1).build();
        evidence.observe(ClusterSnapshot.of(List.of(load)), SETTINGS, now);
        futility.observe(ClusterSnapshot.of(List.of(load)), evidence, SETTINGS, now);
        return load;
    }

    @Test
    void aPlanOfWhichNothingHappenedProvesNothing() {
        futility.planned(cluster.broker("A").report, Metric.CPU, SETTINGS);
        cluster.broker("A").rate = 10_000;
        report(2);
        assertThat(futility.count("A")).isZero();

        transfer(80, 6_000);
        assertThat(futility.count("A")).as("measured from the later plan").isEqualTo(1);
    }

    @Test
    void whatCannotBeShownInTimeIsForgotten() {
        transfer(Metric.CPU);
        now += 17 * MINUTE;
        look();
        assertThat(futility.size()).isEqualTo(1);

        now++;
        look();
        assertThat(futility.size()).isZero();
    }

    @Test
    void anotherMetricMayStillDecide() {
        futileTransfer();
        futileTransfer();

        assertThat(isWaiting()).isTrue();
        assertThat(futility.isWaiting("A", Metric.BANDWIDTH_IN, now)).isFalse();
        assertThat(futility.isWaiting("B", Metric.CPU, now)).isFalse();
    }

    @Test
    void aUsageThatIsUnknownAfterwardsProvesNothing() {
        futileTransfer();
        transfer(Double.NaN, 16_000);

        assertThat(futility.count("A")).isEqualTo(1);
    }

    @Test
    void aBrokerThatLeavesIsForgotten() {
        futileTransfer();
        futility.retain(Set.of("A"));
        assertThat(futility.size()).isEqualTo(1);

        futility.retain(Set.of("B"));
        assertThat(futility.size()).isZero();
    }

    @Test
    void allIsForgottenAtOnce() {
        futileTransfer();
        futility.planned(Cluster.report("B 80 20000"), Metric.CPU, SETTINGS);
        assertThat(futility.size()).isEqualTo(2);

        futility.clear();
        assertThat(futility.size()).isZero();
    }
}
