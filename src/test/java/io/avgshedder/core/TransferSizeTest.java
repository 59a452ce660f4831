package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traffic is in msg/s. */
class TransferSizeTest {

    private static final DoubleSupplier NOBODY = () -> Double.POSITIVE_INFINITY;
    private static final DoubleSupplier NOT_ASKED = () -> {
        throw new AssertionError("the cold broker's own slope is believed");
    };

    private static TransferSize size(String hot, String cold, DoubleSupplier smallestBelieved) {
        BrokerLoad hotLoad = Cluster.report(hot);
        BrokerLoad coldLoad = Cluster.report(cold);
        BrokerPair pair = BrokerPair.of(hotLoad, coldLoad, 0, Settings.defaults());
        return TransferSize.of(pair, hotLoad.messages(), coldLoad.messages(), Settings.defaults(), smallestBelieved);
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
            "A 80 20000, B 30 2000, 9000, 55",
            "A 80 60000, B 20 0, 30000, 50",
            "A 80 20000, B 0 0, 10000, 40",
            "A 80@800 20000, B 10@3200 10000, 14000, 24",
            "A 80@3200 80000, B 10@800 2500, 14000, 66"})
    void levelIsEqualTrafficForEachUnitOfCapacity(String hot, String cold, double traffic, double score) {
        TransferSize size = size(hot, cold, NOBODY);

        assertThat(size.traffic()).isCloseTo(traffic, within(1e-6));
        assertThat(size.bySlopes()).isFalse();
        assertThat(size.forecast().hotAfter(size.traffic())).isCloseTo(score, within(1e-9));
        assertThat(size.forecast().coldAfter(size.traffic())).isCloseTo(score, within(1e-9));
    }

    @Test
    void aBelievedColdSlopeKeepsThePairFromTurningRoundByMoreThanLow() {
        TransferSize size = size("A 80 20000", "B 20 2500", NOT_ASKED);

        assertThat(size.traffic()).as("75 points at 250 and 125 msg/s a point, and not 8750").isEqualTo(6250);
        assertThat(size.forecast().most()).as("60 points of the cold one").isEqualTo(7500);
    }

    @Test
    void aBelievedColdSlopeKeepsTheReceiverBelowTheDonorsStart() {
        TransferSize size = size("A 30 20000", "B 14 2500", NOT_ASKED);

        assertThat(size.traffic()).as("16 points of the cold one").isCloseTo(2500.0 / 14 * 16, within(1e-6));
    }

    @Test
    void usageThatContradictsCapacityIsDecidedBySlopes() {
        TransferSize size = size("slow 85 20000", "fast 30 60000", NOT_ASKED);

        assertThat(size.bySlopes()).isTrue();
        assertThat(size.traffic()).isCloseTo(11_578.947, within(0.001));
        assertThat(size.forecast().most()).as("70 points, which turn the two round by low").isCloseTo(14_736.842, within(0.001));
        assertThat(size.forecast().hotAfter(size.traffic())).isCloseTo(35.789, within(0.001));
        assertThat(size.forecast().coldAfter(size.traffic())).isCloseTo(35.789, within(0.001));
    }

    @Test
    void aSizeThatClosesLessThanAQuarterOfTheGapContradictsUsageToo() {
        assertThat(size("A 80 20000", "B 30 13750", NOT_ASKED).bySlopes()).as("12.5 of 50 points").isFalse();

        TransferSize size = size("A 80 20000", "B 30 13760", NOT_ASKED);
        assertThat(size.bySlopes()).isTrue();
        assertThat(size.forecast().gapAfter(size.traffic())).isCloseTo(0, within(1e-9));
    }

    @ParameterizedTest(name = "smallest believed per capacity {0}: {1}")
    @CsvSource({"2, 200", "2.5, 250", "3, 250", "Infinity, 250"})
    void anUnbelievedColdSlopeIsReplacedByTheSmallestBelievedOneOrTheHotOnes(double smallest, double used) {
        TransferSize size = size("A 80 20000", "B 5 30000", () -> smallest);

        assertThat(size.bySlopes()).isTrue();
        assertThat(size.traffic()).isCloseTo(75 * 250 * used / (250 + used), within(1e-6));
        assertThat(size.forecast().rise()).isCloseTo(1 / used, within(1e-12));
    }

    @Test
    void anUnbelievedColdSlopeIsThatOfItsCapacity() {
        TransferSize size = size("large 80@3200 80000", "small 5@800 30000", () -> Double.POSITIVE_INFINITY);

        assertThat(size.bySlopes()).isTrue();
        assertThat(size.forecast().rise()).as("a point of the small one").isEqualTo(1 / 250.0);
    }

    @Test
    void aSmallColdBrokerIsNoContradiction() {
        TransferSize size = size("large 80@3200 80000", "small 5@800 1250", NOBODY);

        assertThat(size.bySlopes()).isFalse();
        assertThat(size.traffic()).as("a fifth of all for the small one").isEqualTo(15_000);
        assertThat(size.forecast().coldAfter(15_000)).isCloseTo(65, within(1e-9));
    }

    /** A fifth of 87,500 is due to the small one; the 10 points that it takes off are more than a tenth of the gap. */
    @Test
    void aSmallColdBrokerIsDueLess() {
        TransferSize size = size("large 80@3200 80000", "small 5@800 7500", NOBODY);

        assertThat(size.bySlopes()).isFalse();
        assertThat(size.traffic()).isEqualTo(10_000);
    }

    /** Of two bundles of 5,000 at 90 and 10 points, one leaves the pair turned round by 23: more than low. */
    @Test
    void noChoiceTurnsThePairRoundByMoreThanLow() {
        TransferSize size = size("A 90 10000", "B 10 2250", NOBODY);

        assertThat(size.traffic()).isCloseTo(3875, within(1e-6));
        assertThat(size.forecast().allows(4_600)).isTrue();
        assertThat(size.forecast().allows(5_000)).isFalse();
    }

    @Test
    void aSizeThatSlopesMadeSmallerSaysSo() {
        assertThat(size("A 80 20000", "B 20 2500", NOT_ASKED).capped()).isTrue();
        assertThat(size("A 80 20000", "B 30 2000", NOBODY).capped()).isFalse();
    }
}
