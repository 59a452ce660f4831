package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The README says of every setting and every verdict what the code says. */
class ReadmeTest {

    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of("README.md"));
    }

    @Test
    void everySettingHasItsDefaultAndRange() throws IOException {
        for (SettingKeys.Key<?> key : SettingKeys.ALL) {
            assertThat(lines()).as(key.name()).anySatisfy(line -> {
                assertThat(line).startsWith("| `").contains("`" + key.name() + "`");
                assertThat(line).contains("| `" + key.defaultText() + "` | " + key.domain().range() + " |");
            });
        }
    }

    @Test
    void noSettingIsInventedThere() throws IOException {
        List<String> known = SettingKeys.ALL.stream().map(SettingKeys.Key::name).toList();
        String table = String.join("\n", lines());
        table = table.substring(table.indexOf("## Settings"), table.indexOf("## How to read a verdict"));
        for (String line : table.split("\n")) {
            if (line.startsWith("| `")) {
                String names = line.substring(2, line.indexOf('|', 2)).trim();
                assertThat(known).containsAll(Arrays.stream(names.split(", "))
                        .map(name -> name.replace("`", "")).toList());
            }
        }
    }

    @Test
    void everyVerdictAndPlacementReasonIsExplained() throws IOException {
        for (Reason reason : Reason.values()) {
            assertThat(lines()).as(reason.name()).anyMatch(line -> line.startsWith("| `" + reason + "` |"));
        }
        for (PlacementReason reason : PlacementReason.values()) {
            assertThat(lines()).as(reason.name()).anyMatch(line -> line.contains("`" + reason + "`"));
        }
    }
}
