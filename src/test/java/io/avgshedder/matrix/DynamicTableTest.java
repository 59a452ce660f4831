package io.avgshedder.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DynamicTableTest {

    @TempDir
    private Path directory;

    @Test
    void versionsOfTheSameAnswersShareAColumn() throws IOException {
        found("1.0", "b=settings file\na=yes\n");
        found("1.1", "a=yes\nb=yes\n");
        found("1.2", "a=yes\nb=settings file\n");

        assertThat(new DynamicTable(directory).of(List.of("1.0", "1.1", "1.2"))).isEqualTo("""
                | key | 1.0, 1.2 | 1.1 |
                | --- | --- | --- |
                | `a` | yes | yes |
                | `b` | settings file | yes |
                """);
    }

    @Test
    void aVersionThatLeftNothingIsNotLeftOut() throws IOException {
        DynamicTable table = new DynamicTable(directory);
        found("1.0", "a=yes\n");
        found("1.1", "a=yes\n");

        table.forget("1.1");

        assertThat(table.of(List.of("1.0", "1.1"))).isEqualTo("""
                | key | 1.0 | 1.1 |
                | --- | --- | --- |
                | `a` | yes | not known |
                """);
    }

    private void found(String version, String lines) throws IOException {
        Files.writeString(directory.resolve("dynamic-" + version + ".properties"), lines);
    }
}
