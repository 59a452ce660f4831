package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.BrokerLoad;
import java.util.List;
import java.util.Set;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.junit.jupiter.api.Test;

class KnownReportsTest {

    private final LoadData loadData = new LoadData();
    private final KnownReports reports = new KnownReports();

    private static LocalBrokerData report(long lastUpdate, double messages) {
        LocalBrokerData report = new LocalBrokerData();
        report.setLastUpdate(lastUpdate);
        report.setMsgRateIn(messages);
        return report;
    }

    private LocalBrokerData join(String broker, double messages) {
        LocalBrokerData report = report(1, messages);
        loadData.getBrokerData().put(broker, new BrokerData(report));
        return report;
    }

    private List<BrokerLoad> of(String... candidates) {
        return reports.of(Set.of(candidates), loadData, TimeSource.system());
    }

    private static List<Double> messages(List<BrokerLoad> loads) {
        return loads.stream().map(BrokerLoad::messages).toList();
    }

    @Test
    void aReportIsReadOnceAndTheListStaysTheSame() {
        join("A", 10);
        join("B", 20);

        List<BrokerLoad> first = of("A", "B");
        assertThat(messages(first)).containsExactly(10.0, 20.0);
        assertThat(of("B", "A")).isSameAs(first);
        assertThat(reports.of("A", loadData, TimeSource.system())).isSameAs(first.get(0));
    }

    @Test
    void candidatesAreInTheOrderOfTheirNames() {
        for (String broker : List.of("D", "B", "A", "C")) {
            join(broker, 1);
        }

        assertThat(of("D", "A", "B", "C")).extracting(BrokerLoad::name).containsExactly("A", "B", "C", "D");
        assertThat(of("C", "A")).extracting(BrokerLoad::name).containsExactly("A", "C");
    }

    @Test
    void aReportThatTookAnothersPlaceIsReadEvenIfItIsOfTheSameTime() {
        join("A", 10);
        join("B", 20);
        List<BrokerLoad> before = of("A", "B");

        loadData.getBrokerData().get("A").setLocalData(report(1, 30));

        List<BrokerLoad> after = of("A", "B");
        assertThat(messages(after)).containsExactly(30.0, 20.0);
        assertThat(after).isNotSameAs(before);
        assertThat(after.get(1)).as("B's was not read again").isSameAs(before.get(1));
        assertThat(messages(before)).as("whoever still has the other list").containsExactly(10.0, 20.0);
    }

    @Test
    void aReportThatIsChangedInPlaceIsReadOnceItIsDatedAnew() {
        LocalBrokerData report = join("A", 10);
        assertThat(messages(of("A"))).containsExactly(10.0);

        report.setMsgRateIn(30);
        report.setLastUpdate(2);

        assertThat(messages(of("A"))).containsExactly(30.0);
        assertThat(reports.of("A", loadData, TimeSource.system()).messages()).isEqualTo(30);
    }

    @Test
    void aClockThatStepsBackIsANewTimeToo() {
        LocalBrokerData report = join("A", 10);
        assertThat(messages(of("A"))).containsExactly(10.0);

        report.setMsgRateIn(30);
        report.setLastUpdate(-5);

        assertThat(messages(of("A"))).containsExactly(30.0);
    }

    @Test
    void aBrokerThatComesBackIsReadAnew() {
        join("A", 10);
        join("B", 20);
        assertThat(messages(of("A", "B"))).containsExactly(10.0, 20.0);

        loadData.getBrokerData().remove("A");
        assertThat(messages(of("A", "B"))).containsExactly(20.0);
        assertThat(reports.of("A", loadData, TimeSource.system())).isNull();

        join("A", 0);
        assertThat(messages(of("A", "B"))).containsExactly(0.0, 20.0);
    }

    @Test
    void candidatesWithoutAReportAreLeftOut() {
        join("A", 10);
        loadData.getBrokerData().put("silent", new BrokerData(null));

        assertThat(messages(of("A", "silent", "unheard of"))).containsExactly(10.0);
        assertThat(of("unheard of")).isEmpty();
        assertThat(reports.of("silent", loadData, TimeSource.system())).isNull();
        assertThat(reports.of("unheard of", loadData, TimeSource.system())).isNull();

        loadData.getBrokerData().get("silent").setLocalData(report(1, 20));
        assertThat(messages(of("A", "silent", "unheard of"))).containsExactly(10.0, 20.0);
    }

    @Test
    void brokersThatLeftAreForgottenAtARoundAndWhereABrokerJoins() {
        for (int i = 0; i < 100; i++) {
            join("broker " + i, 1);
            of("broker " + i);
            loadData.getBrokerData().remove("broker " + i);
        }
        assertThat(reports.size()).isLessThanOrEqualTo(1);

        reports.retain(loadData);
        assertThat(reports.size()).isZero();
    }
}
