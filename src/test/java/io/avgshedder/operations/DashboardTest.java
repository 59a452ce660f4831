package io.avgshedder.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.avgshedder.operations.Dashboard.Panel;
import io.avgshedder.operations.Dashboard.Target;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be said of the dashboard without a Grafana: it is whole, refers to nothing that is not there, and can be read. */
class DashboardTest {

    private static final String DATASOURCE = "${datasource}";
    private static final int GRID_WIDTH = 24;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?(\\w+)}?");
    /** Grafana's own. */
    private static final Set<String> BUILT_IN = Set.of("__rate_interval", "__all");

    private final Dashboard dashboard = Dashboard.read();

    @Test
    void panelsHaveAPlaceOfTheirOwnOnTheGrid() {
        List<Panel> panels = dashboard.panels();
        assertThat(panels).hasSizeGreaterThan(15);
        assertThat(panels).extracting(Panel::id).doesNotHaveDuplicates().allMatch(id -> id > 0);
        assertThat(panels).extracting(Panel::title).doesNotHaveDuplicates().noneMatch(String::isBlank);
        for (Panel panel : panels) {
            Dashboard.Place place = panel.place();
            assertThat(place.x()).as(panel.title()).isBetween(0, GRID_WIDTH - 1);
            assertThat(place.y()).as(panel.title()).isNotNegative();
            assertThat(place.width()).as(panel.title()).isBetween(4, GRID_WIDTH - place.x());
            assertThat(place.height()).as(panel.title()).isGreaterThanOrEqualTo(4);
            assertThat(panels.stream().filter(other -> other.place().overlaps(place)))
                    .as("what lies where %s lies", panel.title()).containsExactly(panel);
        }
    }

    /** An area that is covered without overlaps and gaps is as large as the sum of its parts. */
    @Test
    void panelsLeaveNoGaps() {
        List<Panel> panels = dashboard.panels();
        int bottom = panels.stream().mapToInt(panel -> panel.place().y() + panel.place().height()).max().orElseThrow();
        assertThat(panels.stream().mapToInt(panel -> panel.place().width() * panel.place().height()).sum())
                .isEqualTo(GRID_WIDTH * bottom);
    }

    @Test
    void everyPanelSaysWhatItShowsAndInWhichUnit() {
        assertThat(dashboard.panels()).allSatisfy(panel -> {
            assertThat(panel.type()).isIn("stat", "timeseries");
            assertThat(panel.description()).as(panel.title()).endsWith(".");
            assertThat(panel.unit()).as(panel.title()).isIn("none", "s", "percentunit");
            assertThat(panel.unit().equals("s")).as(panel.title())
                    .isEqualTo(panel.targets().get(0).expression().contains("_seconds"));
            assertThat(panel.targets()).as(panel.title()).isNotEmpty();
            assertThat(panel.targets()).extracting(Target::refId).doesNotHaveDuplicates()
                    .allMatch(id -> id.matches("[A-Z]"));
            assertThat(panel.targets()).as(panel.title())
                    .allSatisfy(target -> assertThat(target.legend()).isNotBlank());
        });
    }

    /** A legend of a label that the query takes away would be empty. */
    @Test
    void legendsNameLabelsThatTheQueriesKeep() {
        Pattern label = Pattern.compile("\\{\\{(\\w+)}}");
        Pattern by = Pattern.compile("\\bby \\(([^)]*)\\)");
        for (Panel panel : dashboard.panels()) {
            for (Target target : panel.targets()) {
                List<String> kept = by.matcher(target.expression()).results().findFirst()
                        .map(match -> List.of(match.group(1).split(", "))).orElse(List.of("instance"));
                assertThat(kept).as(panel.title()).containsAll(
                        label.matcher(target.legend()).results().map(match -> match.group(1)).toList());
            }
        }
    }

    @Test
    void everythingIsAskedOfTheChosenPrometheus() {
        assertThat(dashboard.panels()).allSatisfy(panel -> {
            assertThat(panel.datasource()).as(panel.title()).isEqualTo(DATASOURCE);
            assertThat(panel.targets()).extracting(Target::datasource).containsOnly(DATASOURCE);
        });
        assertThat(dashboard.json().findValuesAsText("uid")).containsOnly(DATASOURCE, "pulsar-avg-shedder");
        JsonNode chosen = dashboard.json().at("/templating/list/0");
        assertThat(chosen.path("name").asText()).isEqualTo("datasource");
        assertThat(chosen.path("type").asText()).isEqualTo("datasource");
        assertThat(chosen.path("query").asText()).isEqualTo("prometheus");
    }

    /** ".*" for all clusters finds series without the label too. */
    @Test
    void everyQueryIsOfTheChosenClustersAndUsesDefinedVariables() {
        assertThat(dashboard.variables()).containsExactly("datasource", "cluster");
        assertThat(dashboard.json().at("/templating/list/1/allValue").asText()).isEqualTo(".*");
        assertThat(dashboard.expressions()).allSatisfy(expression -> {
            assertThat(MetricNames.in(List.of(expression))).isNotEmpty();
            String selectors = expression.replaceAll("pulsar_\\w+\\{cluster=~\"\\$cluster\"[,}]", "");
            assertThat(selectors).as("a metric of all clusters in %s", expression).doesNotContain("pulsar_");
            assertThat(dashboard.variables()).containsAll(VARIABLE.matcher(expression).results()
                    .map(match -> match.group(1)).filter(name -> !BUILT_IN.contains(name)).toList());
        });
        assertThat(VARIABLE.matcher(dashboard.json().toString()).results().map((MatchResult match) -> match.group(1)))
                .allMatch(name -> BUILT_IN.contains(name) || dashboard.variables().contains(name));
    }

    @Test
    void everyMetricOfThePluginIsShownAndNoOtherOne() {
        assertThat(MetricNames.in(dashboard.expressions())).isEqualTo(PluginMetrics.names());
    }

    @Test
    void thresholdsRise() {
        assertThat(dashboard.json().findValues("thresholds")).isNotEmpty().allSatisfy(thresholds -> {
            JsonNode steps = thresholds.path("steps");
            assertThat(steps.path(0).path("value").isNull()).isTrue();
            for (int i = 2; i < steps.size(); i++) {
                assertThat(steps.path(i).path("value").asDouble())
                        .isGreaterThan(steps.path(i - 1).path("value").asDouble());
            }
        });
    }

    @Test
    void namesOfMetricsAreToldFromLabelsAndText() {
        assertThat(MetricNames.in(List.of("max by (reason) (pulsar_x{a=\"pulsar_y\"} > 0)",
                "rate(cluster:pulsar_z:max[5m]) / on (cluster) pulsar_x"))).containsExactly("cluster:pulsar_z:max",
                "pulsar_x");
    }
}
