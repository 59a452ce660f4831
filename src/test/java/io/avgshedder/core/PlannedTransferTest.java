package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlannedTransferTest {

    private static final PlannedTransfer PLANNED = new PlannedTransfer(new Transfer("t/n/x", "A", "B"),
            Cluster.load("x", 1000), Metric.CPU, 4, 80, 6, 200);

    private static double points(double limit) {
        return PLANNED.points(BrokerLoad.named("C").usage(Metric.CPU, 10, limit).build(), Settings.defaults());
    }

    @Test
    void aBrokerOfHalfTheCapacityGainsTwiceThePoints() {
        assertThat(points(100)).isEqualTo(12);
        assertThat(points(400)).isEqualTo(3);
    }

    @Test
    void aBrokerWhoseCapacityIsNotKnownGainsWhatTheTargetWould() {
        assertThat(points(0)).isEqualTo(6);
        assertThat(points(Double.POSITIVE_INFINITY)).isEqualTo(6);
        assertThat(points(Double.NaN)).isEqualTo(6);
    }
}
