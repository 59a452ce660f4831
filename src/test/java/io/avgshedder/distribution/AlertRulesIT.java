package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.operations.AlertRules;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alert rules of {@code conf-examples} and their unit tests, by Prometheus's own tool. */
class AlertRulesIT {

    @TempDir
    private Path directory;

    private List<String> promtool(String... arguments) {
        return Prometheus.promtool(directory.resolve("promtool.log"), arguments);
    }

    @Test
    void theRulesAreWellFormed() {
        assertThat(promtool("check", "rules", AlertRules.FILE.toString()))
                .anyMatch(line -> line.contains("SUCCESS: " + AlertRules.read().size() + " rules found"));
    }

    @Test
    void theyDoWhatTheirTestsSay() {
        assertThat(promtool("test", "rules", AlertRules.TESTS.toString()))
                .anyMatch(line -> line.contains("SUCCESS"));
    }
}
