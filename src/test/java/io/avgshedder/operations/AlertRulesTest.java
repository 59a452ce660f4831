package io.avgshedder.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.Reason;
import io.avgshedder.operations.AlertRules.Alert;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be said of the alerts without a Prometheus; what they do is tested by promtool, with the distribution. */
class AlertRulesTest {

    private static final String BROKERS_OWN = "pulsar_broker_topics_count";

    private final AlertRules rules = AlertRules.read();

    @Test
    void everyAlertSaysHowBadItIsWhatItMeansAndWhereToReadOn() {
        assertThat(rules.alerts()).hasSizeGreaterThanOrEqualTo(10).allSatisfy(alert -> {
            assertThat(alert.name()).startsWith("AvgShedder");
            assertThat(alert.labels().get("severity")).isIn("warning", "critical");
            assertThat(alert.annotations()).containsOnlyKeys("summary", "description", "runbook");
            assertThat(alert.annotations().get("summary")).hasSizeLessThan(120).contains("{{");
            assertThat(alert.annotations().get("description")).hasSizeGreaterThan(100).endsWith(".");
            assertThat(alert.annotations().get("runbook")).startsWith("conf-examples/RUNBOOK.md#");
        });
        assertThat(rules.alerts()).extracting(Alert::name).doesNotHaveDuplicates();
    }

    @Test
    void theyAskForMetricsThatThereAre() {
        Set<String> known = new HashSet<>(PluginMetrics.names());
        known.addAll(rules.recorded());
        known.add(BROKERS_OWN);
        assertThat(known).containsAll(MetricNames.in(rules.expressions()));
    }

    @Test
    void theyAskForReasonsThatThereAre() {
        Pattern reasons = Pattern.compile("reason!?=~?\\\\?\"([A-Z_|]+)\\\\?\"");
        List<String> asked = rules.alerts().stream()
                .flatMap(alert -> reasons.matcher(alert.expression() + alert.annotations()).results())
                .map(match -> match.group(1)).flatMap(all -> List.of(all.split("\\|")).stream()).toList();
        assertThat(asked).contains("BUDGET", "REFUSED", "STALE_REPORT", "NO_LOAD_DATA", "BELOW_THRESHOLD", "STAYED")
                .allMatch(name -> name.equals("STAYED") || isReason(name));
    }

    private static boolean isReason(String name) {
        return List.of(Reason.values()).stream().anyMatch(reason -> reason.name().equals(name));
    }

    @Test
    void everyAlertHasATest() throws IOException {
        String tests = Files.readString(AlertRules.TESTS);
        assertThat(rules.alerts()).allSatisfy(alert -> assertThat(tests).contains(alert.name()));
    }
}
