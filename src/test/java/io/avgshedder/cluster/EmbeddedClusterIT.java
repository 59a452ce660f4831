package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the tests on a cluster rely on, and would not notice themselves. */
class EmbeddedClusterIT {

    /** A broker without its load manager logs a warning and runs another one. */
    @Test
    void aBrokerThatRunsAnotherLoadManagerIsAFailureAndLeavesNothingBehind() throws IOException {
        Set<Path> before = directories();

        assertThatThrownBy(() -> EmbeddedCluster.start(1, Map.of("loadManagerClassName", "no.such.LoadManager")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("silently fell back to")
                .hasMessageContaining("SimpleLoadManagerImpl");

        assertThat(directories()).as("directories of clusters; removed last, after all that was started").isEqualTo(before);
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("pulsar-web") || name.startsWith("NIOServerCxn")
                        || name.startsWith("BookieJournal"));
    }

    private static Set<Path> directories() throws IOException {
        if (!Files.exists(EmbeddedCluster.directories())) {
            return Set.of();
        }
        try (Stream<Path> directories = Files.list(EmbeddedCluster.directories())) {
            return directories.collect(Collectors.toSet());
        }
    }
}
