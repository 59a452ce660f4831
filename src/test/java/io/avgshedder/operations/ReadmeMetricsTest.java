package io.avgshedder.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's table has every metric there is, and no other one. */
class ReadmeMetricsTest {

    private static final Pattern NAME = Pattern.compile("`(pulsar_avg_shedder_\\w+)`");

    @Test
    void theTableNamesTheMetricsThatAScrapeHas() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("README.md")).stream()
                .filter(line -> line.startsWith("| `pulsar_avg_shedder_")).toList();
        Set<String> told = new TreeSet<>();
        rows.forEach(row -> NAME.matcher(row).results().forEach(match -> told.add(match.group(1))));

        assertThat(told).isEqualTo(PluginMetrics.names());
    }
}
