package io.avgshedder.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.Reason;
import io.avgshedder.operations.AlertRules.Alert;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be said of the alerts without a Prometheus; what they do is tested by promtool, with the distribution. */
class AlertRulesTest {

    private static final String BROKERS_OWN = "pulsar_broker_topics_count";
    private static final String OF_THE_REASON = "{{ toLower $labels.reason }}";
    private static final Pattern REASONS = Pattern.compile("reason!?=~?\\\\?\"([A-Z_|]+)\\\\?\"");

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
        List<String> asked = rules.alerts().stream()
                .flatMap(alert -> reasonsIn(alert.expression() + alert.annotations())).toList();
        assertThat(asked).contains("BUDGET", "REFUSED", "STALE_REPORT", "NO_LOAD_DATA", "BELOW_THRESHOLD", "STAYED")
                .allMatch(name -> name.equals("STAYED") || isReason(name));
    }

    private static Stream<String> reasonsIn(String text) {
        return REASONS.matcher(text).results().flatMap(match -> Stream.of(match.group(1).split("\\|")));
    }

    private static boolean isReason(String name) {
        return Stream.of(Reason.values()).anyMatch(reason -> reason.name().equals(name));
    }

    /** Anchors as a Git host makes them of headings. */
    @Test
    void theRunbookHasTheSections() throws IOException {
        List<String> anchors = Files.readAllLines(Path.of("conf-examples", "RUNBOOK.md")).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "")
                        .replace(' ', '-')).toList();
        for (Alert alert : rules.alerts()) {
            String anchor = alert.annotations().get("runbook").replaceFirst(".*#", "");
            assertThat(anchors).as(alert.name()).containsAll(anchor.equals(OF_THE_REASON)
                    ? reasonsIn(alert.expression()).map(name -> name.toLowerCase(Locale.ROOT)).toList()
                    : List.of(anchor));
        }
    }

    @Test
    void everyAlertHasATest() throws IOException {
        String tests = Files.readString(AlertRules.TESTS);
        assertThat(rules.alerts()).allSatisfy(alert -> assertThat(tests).contains(alert.name()));
    }
}
