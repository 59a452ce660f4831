package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfFileTest {

    @Test
    void replacesAnExistingKeyOnItsOwnLine() {
        ConfFile file = ConfFile.of(List.of("a=1", "threshold = 15", "b=2"));

        assertThat(file.set("threshold", 20).lines()).containsExactly("a=1", "threshold=20", "b=2");
    }

    @Test
    void leavesCommentsAndKeysWithTheSameBeginning() {
        ConfFile file = ConfFile.of(List.of("# port=1", "portTls=2", "port=3"));

        assertThat(file.set("port", 4).lines()).containsExactly("# port=1", "portTls=2", "port=4");
    }

    @Test
    void leavesOneLineOfAKeyGivenTwice() {
        ConfFile file = ConfFile.of(List.of("key=1", "other=2", "key=3"));

        assertThat(file.set("key", 4).lines()).containsExactly("key=4", "other=2");
    }

    @Test
    void appendsANewKeyAsALineOfItsOwn(@TempDir Path folder) throws IOException {
        Path source = Files.writeString(folder.resolve("bookkeeper.conf"), "last=256");

        Path written = ConfFile.read(source).set("added", true).write(folder.resolve("conf/bookkeeper.conf"));

        assertThat(written).hasContent("last=256\nadded=true\n");
    }

    @Test
    void insertsBehindALine() {
        ConfFile file = ConfFile.of(List.of("Loggers:", "    Logger:", "      - name: verbose"));

        assertThat(file.insertAfter("    Logger:", "      - name: ours").lines())
                .containsExactly("Loggers:", "    Logger:", "      - name: ours", "      - name: verbose");
    }

    @Test
    void refusesToInsertBehindALineThatIsNotThere() {
        ConfFile file = ConfFile.of(List.of("Loggers:"));

        assertThatIllegalArgumentException().isThrownBy(() -> file.insertAfter("    Logger:", "added"))
                .withMessageContaining("\"    Logger:\"");
    }

    @Test
    void removesAKey() {
        ConfFile file = ConfFile.of(List.of("zkServers=localhost:2181", "zkTimeout=30000"));

        assertThat(file.remove("zkServers").lines()).containsExactly("zkTimeout=30000");
    }
}
