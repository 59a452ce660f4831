package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reports as Pulsar's brokers write them. */
class SimBrokerTest {

    private static final long EPOCH = 1_000_000_000_000L;
    private static final Scenario.Reporting REPORTING = new Scenario.Reporting(5, 60, 60, 10, 15, 0);

    private final SimBroker broker = new SimBroker("a", 1000, 8, 10, 0, 1000, "");
    private final SimBundle bundle = new SimBundle("t/n/0x00000000_0xffffffff", "t/n", "", 200, 100);

    @BeforeEach
    void start() {
        broker.start(0);
        load(200);
        broker.add(bundle, 0);
    }

    private void load(double rate) {
        bundle.expected = rate;
        bundle.current = rate;
    }

    private LocalBrokerData report(long now) {
        return broker.reportIfDue(now, EPOCH, REPORTING);
    }

    @Test
    void trueUsageIsIdleOthersAndTraffic() {
        broker.otherLoad(7, 0);

        assertThat(broker.trueUsage()).isEqualTo(10 + 7 + 20);
    }

    @Test
    void reportedUsageIsTheMeanOfItsSpan() {
        broker.accrue(30_000);
        bundle.accrue(30_000);
        load(400);
        broker.recompute();
        broker.sampleUsage(60_000, 0);
        broker.readStats(60_000);

        LocalBrokerData report = report(60_000);
        assertThat(report.getCpu().percentUsage()).isEqualTo(40, within(0.001f));
        assertThat(report.getCpu().limit).isEqualTo(800);
        assertThat(report.getMsgRateIn() + report.getMsgRateOut()).isEqualTo(300, within(1e-6));
        assertThat(report.getLastUpdate()).isEqualTo(EPOCH + 60_000);
    }

    @Test
    void whatIsBeyondItsCapacityIsNeitherUsedNorServed() {
        load(1800);
        broker.recompute();
        broker.sampleUsage(60_000, 0);
        broker.readStats(60_000);

        LocalBrokerData report = report(60_000);
        assertThat(broker.trueUsage()).isEqualTo(190);
        assertThat(report.getCpu().percentUsage()).isEqualTo(100, within(0.001f));
        assertThat(report.getMsgRateIn() + report.getMsgRateOut()).isEqualTo(900, within(1.0));
    }

    @Test
    void aReportIsWrittenOnAChangeAboveTenPointsOrTenPercentOrAfterFifteenMinutes() {
        broker.sampleUsage(60_000, 0);
        broker.readStats(60_000);
        assertThat(report(60_000)).isNotNull();
        assertThat(report(65_000)).as("nothing changed").isNull();

        broker.sampleUsage(120_000, 9.9);
        assertThat(report(120_000)).as("9.9 points").isNull();
        broker.sampleUsage(180_000, 10.1);
        assertThat(report(180_000)).as("10.1 points").isNotNull();

        load(220);
        broker.recompute();
        broker.readStats(240_000);
        assertThat(report(240_000)).as("less than 10 percent").isNull();
        load(400);
        broker.recompute();
        broker.readStats(300_000);
        assertThat(report(300_000)).as("more than 10 percent").isNotNull();

        assertThat(report(300_000 + 15 * 60_000)).as("15 minutes").isNull();
        assertThat(report(300_001 + 15 * 60_000)).as("more than 15 minutes").isNotNull();
    }

    @Test
    void aBundleThatLeftIsListedUntilTheNextReadingAndOneThatCameIsNotListedBefore() {
        broker.readStats(10_000);
        broker.remove(bundle, 20_000);
        assertThat(report(30_000).getLastStats()).containsKey(bundle.name);

        broker.readStats(70_000);
        assertThat(report(70_000).getLastStats()).isEmpty();
        broker.add(bundle, 80_000);
        assertThat(broker.owned).contains(bundle);
        broker.readStats(130_000);
        assertThat(report(130_000).getLastStats()).containsKey(bundle.name);
    }

    @Test
    void aFrozenBrokerWritesNothing() {
        broker.frozen = true;

        assertThat(report(3_600_000)).isNull();
    }
}
