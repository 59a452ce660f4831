package io.avgshedder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is in the jar that operators put into a broker's {@code lib/}. */
class JarIT {

    private static final Path JAR = Path.of(System.getProperty("avgshedder.jar"));

    private JarFile jar;

    @BeforeEach
    void open() throws IOException {
        jar = new JarFile(JAR.toFile());
    }

    @AfterEach
    void close() throws IOException {
        jar.close();
    }

    @Test
    void holdsOnlyOurOwnPackageTheManifestAndTheLicence() {
        List<String> files = jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();

        assertThat(files).contains("io/avgshedder/AvgShedder.class", "META-INF/MANIFEST.MF", "META-INF/LICENSE",
                "io/avgshedder/shaded/picocli/CommandLine.class", "io/avgshedder/tool/log4j2-tool.xml",
                "io/avgshedder/tool/uplot/LICENSE", "io/avgshedder/sim/SCENARIOS.md");
        assertThat(files).allMatch(name -> name.startsWith("io/avgshedder/")
                || name.equals("META-INF/MANIFEST.MF") || name.equals("META-INF/LICENSE"));
    }

    @Test
    void carriesTheWholeLicence() throws IOException {
        try (InputStream licence = jar.getInputStream(jar.getEntry("META-INF/LICENSE"))) {
            assertThat(licence.readAllBytes()).isEqualTo(Files.readAllBytes(Path.of("LICENSE")));
        }
    }

    @Test
    void manifestTellsVersionAndSourceRevision() throws IOException {
        Attributes manifest = jar.getManifest().getMainAttributes();

        assertThat(JAR).hasFileName(
                "pulsar-avg-shedder-" + manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION) + ".jar");
        assertThat(manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION))
                .isEqualTo(System.getProperty("avgshedder.version"));
        if (Files.exists(Path.of(".git"))) {
            assertThat(manifest.getValue("Implementation-Build")).matches("[0-9a-f]{40}");
        } else {
            assertThat(manifest.getValue("Implementation-Build")).isEqualTo("unknown");
        }
    }

    @Test
    void startsTheCommandLine() throws IOException {
        assertThat(jar.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS))
                .isEqualTo("io.avgshedder.tool.Launcher");
    }

    @Test
    void isSmallerThanOneMegabyte() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(1_000_000);
    }

    @Test
    void integrationTestsRunOnTheJarAndNotOnTheClassDirectory() throws URISyntaxException {
        assertThat(AvgShedder.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .isEqualTo(JAR.toUri());
    }
}
