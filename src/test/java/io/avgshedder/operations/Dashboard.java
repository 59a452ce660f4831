package io.avgshedder.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The Grafana dashboard in {@code conf-examples}, as far as the tests look at it. */
public final class Dashboard {

    static final Path FILE = Path.of("conf-examples", "grafana-dashboard.json");

    private final JsonNode json;

    private Dashboard(JsonNode json) {
        this.json = json;
    }

    /** A panel's place on the grid, which is 24 wide. */
    record Place(int x, int y, int width, int height) {

        boolean overlaps(Place other) {
            return x < other.x + other.width && other.x < x + width && y < other.y + other.height
                    && other.y < y + height;
        }
    }

    /** One query of a panel. */
    record Target(String refId, String datasource, String expression, String legend) {
    }

    record Panel(int id, String type, String title, String description, String datasource, String unit, Place place,
                 List<Target> targets) {
    }

    public static Dashboard read() {
        try {
            return new Dashboard(new ObjectMapper().readTree(FILE.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + FILE, e);
        }
    }

    JsonNode json() {
        return json;
    }

    List<Panel> panels() {
        return elements(json.path("panels")).map(Dashboard::panel).toList();
    }

    private static Panel panel(JsonNode panel) {
        JsonNode grid = panel.path("gridPos");
        return new Panel(panel.path("id").asInt(), panel.path("type").asText(), panel.path("title").asText(),
                panel.path("description").asText(), panel.at("/datasource/uid").asText(),
                panel.at("/fieldConfig/defaults/unit").asText(),
                new Place(grid.path("x").asInt(-1), grid.path("y").asInt(-1), grid.path("w").asInt(),
                        grid.path("h").asInt()),
                elements(panel.path("targets")).map(target -> new Target(target.path("refId").asText(),
                        target.at("/datasource/uid").asText(), target.path("expr").asText(),
                        target.path("legendFormat").asText())).toList());
    }

    /** The names of the variables that a reader chooses. */
    List<String> variables() {
        return elements(json.at("/templating/list")).map(variable -> variable.path("name").asText()).toList();
    }

    /** What the panels ask, as it is written. */
    List<String> panelExpressions() {
        return panels().stream().flatMap(panel -> panel.targets().stream()).map(Target::expression).toList();
    }

    /** What the notes on the graphs ask, as it is written. */
    List<String> annotationExpressions() {
        return elements(json.at("/annotations/list")).map(annotation -> annotation.path("expr").asText()).toList();
    }

    public List<String> expressions() {
        List<String> all = new ArrayList<>(panelExpressions());
        all.addAll(annotationExpressions());
        return all;
    }

    /** What the panels ask of Prometheus where the reader has chosen all clusters. */
    public List<String> panelQueries() {
        return panelExpressions().stream().map(Dashboard::query).toList();
    }

    public List<String> annotationQueries() {
        return annotationExpressions().stream().map(Dashboard::query).toList();
    }

    private static String query(String expression) {
        return expression.replace("$cluster", ".*").replace("$__rate_interval", "1m");
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
