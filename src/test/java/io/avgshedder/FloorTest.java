package io.avgshedder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The classes in the jar are those that javac makes from the jars of the oldest supported broker alone. A call to
 * something newer does not compile there, and one whose signature has changed since (2.11's {@code int getNumTopics()}
 * is {@code long} today) would compile to a descriptor that the old broker does not have.
 */
class FloorTest {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path FLOOR = Path.of("target/floor");

    @Test
    void classesAreTheOnesCompiledAgainstTheOldestSupportedBroker(@TempDir Path recompiled) throws IOException {
        compile(recompiled);

        List<Path> expected = relative(recompiled, ".class");
        assertThat(relative(CLASSES, ".class")).as("classes in %s", CLASSES).isNotEmpty().isEqualTo(expected);
        for (Path name : expected) {
            assertThat(Files.mismatch(recompiled.resolve(name), CLASSES.resolve(name)))
                    .as("first byte in which %s differs from what javac makes from %s", name, FLOOR)
                    .isEqualTo(-1);
        }
    }

    private static void compile(Path output) throws IOException {
        String classPath = files(FLOOR, ".jar").stream().map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        List<String> options = List.of("-d", output.toString(), "-classpath", classPath, "--release", "17",
                "-encoding", "UTF-8", "-g:lines,source", "-proc:none", "-nowarn");
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager fileManager = javac.getStandardFileManager(problems, null, null)) {
            boolean compiled = javac.getTask(null, fileManager, problems, options, null,
                    fileManager.getJavaFileObjectsFromPaths(files(SOURCES, ".java"))).call();
            assertThat(compiled).as("compiles against %s: %s", FLOOR, problems.getDiagnostics()).isTrue();
        }
    }

    private static List<Path> relative(Path directory, String suffix) throws IOException {
        return files(directory, suffix).stream().map(directory::relativize).toList();
    }

    private static List<Path> files(Path directory, String suffix) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(path -> path.toString().endsWith(suffix)).sorted().toList();
        }
    }
}
