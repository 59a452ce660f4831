package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import org.junit.jupiter.api.Test;

/** The fewest moves, in cases that can be checked by hand. */
class OracleTest {

    private static VirtualCluster cluster(String brokers, String bundles) {
        Scenario scenario = ScenarioReader.read("case.yaml", "case", new StringReader(
                "minutes: 10\nnoise: {jitter: 0}\nbrokers:\n" + brokers + "bundles:\n" + bundles));
        VirtualCluster cluster = new VirtualCluster(scenario, 1);
        cluster.brokers().forEach(broker -> broker.start(0));
        cluster.step(0);
        return cluster;
    }

    @Test
    void aLevelClusterNeedsNothing() {
        VirtualCluster cluster = cluster("  - {name: b, count: 2, capacity: 1000}\n",
                "  - {namespace: t/n, count: 4, rate: 800, on: spread}\n");

        assertThat(Oracle.fewestMoves(cluster, 0)).isEqualTo(new Oracle.Answer(0, true));
    }

    @Test
    void ninetyAndTenNeedEightOfEqualBundles() {
        VirtualCluster cluster = cluster("  - {name: a, capacity: 20000}\n  - {name: b, capacity: 20000}\n",
                "  - {namespace: t/n, count: 20, rate: 20000, on: {a: 18, b: 2}}\n");

        assertThat(Oracle.fewestMoves(cluster, 0)).isEqualTo(new Oracle.Answer(8, true));
        assertThat(Oracle.fewestMoves(cluster, 15)).as("from 80 points to 15: seven of five points each")
                .isEqualTo(new Oracle.Answer(7, true));
    }

    @Test
    void oneBigBundleSavesManySmallOnes() {
        VirtualCluster cluster = cluster("  - {name: a, capacity: 1000}\n  - {name: b, capacity: 1000}\n",
                "  - {namespace: t/big, count: 1, rate: 300, on: a}\n"
                        + "  - {namespace: t/small, count: 30, rate: 300, on: a}\n");

        assertThat(Oracle.fewestMoves(cluster, 0)).isEqualTo(new Oracle.Answer(1, true));
    }

    @Test
    void capacityCounts() {
        VirtualCluster cluster = cluster("  - {name: big, capacity: 4000, idle: 0}\n"
                        + "  - {name: small, capacity: 1000, idle: 0}\n",
                "  - {namespace: t/n, count: 10, rate: 1000, on: small}\n");

        assertThat(Oracle.fewestMoves(cluster, 0)).as("8 of 10 to the broker of four times the capacity")
                .isEqualTo(new Oracle.Answer(8, true));
    }

    @Test
    void isolationGroupsAreLevelledEachInItself() {
        VirtualCluster cluster = cluster("  - {name: r, count: 2, capacity: 1000, isolation: red}\n"
                        + "  - {name: g, count: 2, capacity: 1000, isolation: green}\n",
                "  - {namespace: t/r, count: 4, rate: 400, on: r-1, isolation: red}\n"
                        + "  - {namespace: t/g, count: 2, rate: 200, on: g-1, isolation: green}\n");

        assertThat(Oracle.fewestMoves(cluster, 0)).isEqualTo(new Oracle.Answer(3, true));
    }

    @Test
    void whatAShortSearchCannotSettleIsSaidToBeALowerBound() {
        VirtualCluster cluster = cluster("  - {name: b, count: 12, capacity: 30000}\n",
                "  - {namespace: t/n, count: 400, rate: 200000, distribution: lognormal, skew: 1, on: random}\n");

        Oracle.Answer answer = Oracle.fewestMoves(cluster, 0.5);

        assertThat(answer.moves()).isPositive();
        assertThat(answer.exact()).isFalse();
    }
}
