package io.avgshedder.matrix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * Runs the contract tests and the cluster tests of the packaged jar on every supported broker version, one Maven run
 * each, and prints a table of the results and one of the keys that each version can change at run time. The jar and the
 * test classes are those that lie in {@code target/}: nothing is compiled anew, and the first table says whether every
 * version was given the same bytes.
 *
 * <p>A version whose artifacts cannot be had is listed as such and does not fail the run; a test that fails does. With
 * {@code -Dmatrix.readme=true} the tables replace those in the README.
 */
public final class Matrix {

    private static final List<String> VERSIONS = List.of("2.11.0", "3.0.0", "3.0.2", "3.0.7", "3.1.0", "3.2.0", "3.3.5",
            "4.0.0", "4.0.1", "4.0.6", "4.0.7", "4.0.8");
    private static final String TESTS =
            "io.avgshedder.contract.*IT,io.avgshedder.cluster.*IT,JarIT,SettingsContractTest,SettingsReaderTest";
    private static final long LONGEST_MINUTES = 15;
    private static final int LINES_OF_A_FAILURE = 60;
    private static final String BEGIN = "<!-- made by mvn -Pmatrix -Dmatrix.readme=true -->";
    private static final String END = "<!-- end of the matrix -->";
    private static final String BEGIN_DYNAMIC = "<!-- keys by version, made by mvn -Pmatrix -Dmatrix.readme=true -->";
    private static final String END_DYNAMIC = "<!-- end of keys by version -->";

    private record Row(String version, String result, int tests, int failed, long seconds, String checksum) {

        private boolean isFailure() {
            return !result.equals("passed") && !result.equals("not to be had");
        }

        private String text() {
            return String.format(Locale.ROOT, "| %s | %s | %d | %d | %d s | `%s` |", version, result, tests, failed, seconds,
                    checksum);
        }
    }

    private final Path base;
    private final Path mvn;
    private final Path repository;
    private final Path jar;
    private final Path logs;
    private final DynamicTable dynamic;

    private Matrix(Path base, Path mavenHome, Path repository, Path jar) throws IOException {
        this.base = base;
        this.mvn = mavenHome.resolve("bin/mvn");
        this.repository = repository;
        this.jar = jar;
        this.logs = Files.createDirectories(base.resolve("target/matrix"));
        this.dynamic = new DynamicTable(logs);
    }

    /** Arguments: the project's folder, Maven's, the local repository, the jar. */
    public static void main(String[] args) throws Exception {
        Matrix matrix = new Matrix(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]), Path.of(args[3]));
        List<String> versions = Stream.of(System.getProperty("matrix.versions", "").split(","))
                .map(String::trim).filter(version -> !version.isEmpty()).toList();
        List<Row> rows = new ArrayList<>();
        for (String version : versions.isEmpty() ? VERSIONS : versions) {
            Row row = matrix.run(version);
            rows.add(row);
            System.out.println(row.text());
            if (row.isFailure()) {
                System.out.println(matrix.whatFailed(version));
            }
        }
        String table = matrix.table(rows);
        String keys = matrix.dynamic.of(rows.stream().map(Row::version).toList());
        System.out.println("\n" + table + "\n" + keys);
        Files.writeString(matrix.logs.resolve("matrix.md"), table + "\n" + keys);
        if (Boolean.getBoolean("matrix.readme")) {
            matrix.writeReadme(BEGIN, table, END);
            matrix.writeReadme(BEGIN_DYNAMIC, keys, END_DYNAMIC);
        }
        boolean oneJar = rows.stream().map(Row::checksum).distinct().count() == 1;
        if (!oneJar) {
            System.out.println("FAILED: the jar changed while the versions ran");
        }
        System.exit(oneJar && rows.stream().noneMatch(Row::isFailure) ? 0 : 1);
    }

    private Row run(String version) throws Exception {
        long start = System.nanoTime();
        Path log = logs.resolve(version + ".log");
        Path reports = base.resolve("target/failsafe-reports/pulsar-" + version);
        deleteReports(reports);
        dynamic.forget(version);
        Process process = new ProcessBuilder(mvn.toString(), "-B", "-ntp", "-f", base.resolve("pom.xml").toString(),
                "-Dmaven.repo.local=" + repository, "-Dpulsar.version=" + version, "-Dit.test=" + TESTS,
                "failsafe:integration-test", "failsafe:verify")
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        boolean ended = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            process.waitFor();
        }
        int[] counts = counts(reports);
        String text = Files.readString(log);
        String result;
        if (!ended) {
            result = "not done in " + LONGEST_MINUTES + " minutes";
        } else if (process.exitValue() == 0 && counts[0] > 0) {
            result = "passed";
        } else if (counts[0] == 0 && text.contains("Could not resolve dependencies")) {
            result = "not to be had";
        } else {
            result = "failed, see " + base.relativize(log);
        }
        return new Row(version, result, counts[0], counts[1], TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                checksum());
    }

    /** What the tests that failed had to say, for whoever sees the console of a run and not its files. */
    private String whatFailed(String version) throws IOException {
        return Files.readString(logs.resolve(version + ".log")).lines()
                .filter(line -> line.startsWith("[ERROR]") || line.startsWith("\tat io.avgshedder"))
                .limit(LINES_OF_A_FAILURE).collect(Collectors.joining("\n"));
    }

    private static void deleteReports(Path reports) throws IOException {
        if (Files.isDirectory(reports)) {
            try (Stream<Path> files = Files.list(reports)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Tests that ran, and tests that did not pass; skipped ones are among the latter. */
    private static int[] counts(Path reports) throws IOException, ParserConfigurationException, SAXException {
        int[] counts = new int[2];
        if (!Files.isDirectory(reports)) {
            return counts;
        }
        try (Stream<Path> files = Files.list(reports)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("TEST-")).toList()) {
                Element suite = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile())
                        .getDocumentElement();
                counts[0] += Integer.parseInt(suite.getAttribute("tests"));
                counts[1] += Integer.parseInt(suite.getAttribute("failures"))
                        + Integer.parseInt(suite.getAttribute("errors"))
                        + Integer.parseInt(suite.getAttribute("skipped"));
            }
        }
        return counts;
    }

    private String checksum() throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = Files.newInputStream(jar)) {
            digest.update(in.readAllBytes());
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, 12);
    }

    private String table(List<Row> rows) {
        StringBuilder table = new StringBuilder("| Pulsar | result | tests | failed or skipped | time | sha256 of the jar |\n"
                + "| --- | --- | --- | --- | --- | --- |\n");
        rows.forEach(row -> table.append(row.text()).append('\n'));
        return table.toString();
    }

    /** Puts the table between its two marks. */
    private void writeReadme(String begin, String table, String end) throws IOException {
        Path readme = base.resolve("README.md");
        String text = Files.readString(readme);
        int from = text.indexOf(begin);
        int to = text.indexOf(end);
        if (from < 0 || to < from) {
            throw new IOException(readme + " has no place for the table: " + begin + " and " + end);
        }
        Path next = Files.writeString(logs.resolve("README.md"),
                text.substring(0, from) + begin + "\n" + table + text.substring(to));
        Files.move(next, readme, StandardCopyOption.REPLACE_EXISTING);
    }
}
