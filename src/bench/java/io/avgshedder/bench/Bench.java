package io.avgshedder.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.pulsar.PulsarVersion;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs all benchmarks and prints their figures as tables; with {@code -Dbench.readme=true} they replace those in the
 * README. {@code -Dbench.mode=quick} runs everything once on the smallest cluster, which shows that it runs and nothing
 * else.
 */
public final class Bench {

    private static final String BEGIN = "<!-- made by mvn -Pbench -Dbench.readme=true -->";
    private static final String END = "<!-- end of the benchmarks -->";
    private static final List<String> SIZES =
            List.of("10x1000", "100x10000", "100x100000", "1000x100000", "1000x1000000");
    private static final List<String> ROUNDS = List.of("floor", "pairs", "level", "builtIn", "threshold", "uniform");
    private static final List<String> OURS = List.of("pairs", "level");
    private static final List<String> BUILT_IN_ROUNDS = List.of("builtIn", "threshold", "uniform");
    /** From here on one round of the broker's own strategies can take up to a minute. */
    private static final List<String> LARGE = List.of("100x100000", "1000x100000");
    /** ... and from here on minutes. */
    private static final String TOO_LARGE = "1000x1000000";
    private static final List<String> PLACEMENTS = List.of("planned", "unplanned", "builtIn", "leastUsage");
    private static final double MICROS = 1e3;
    private static final double MILLIS = 1e6;
    private static final double SECONDS = 1e9;

    /** The mean of one benchmark, in nanoseconds and bytes. */
    private record Figure(double nanos, double bytes) {
    }

    private final Path base;
    private final boolean quick;
    private final Map<String, Figure> figures = new HashMap<>();

    private Bench(Path base, boolean quick) {
        this.base = base;
        this.quick = quick;
    }

    /** Argument: the project's folder. */
    public static void main(String[] args) throws Exception {
        String mode = System.getProperty("bench.mode", "full");
        if (!List.of("full", "quick").contains(mode)) {
            throw new IllegalArgumentException("bench.mode is \"" + mode + "\", but must be full or quick");
        }
        Bench bench = new Bench(Path.of(args[0]), mode.equals("quick"));
        String tables = bench.tables();
        System.out.println("\n" + tables);
        Files.writeString(bench.base.resolve("target/bench.md"), tables);
        if (Boolean.getBoolean("bench.readme")) {
            bench.writeReadme(tables);
        }
    }

    private String tables() throws RunnerException, InterruptedException {
        List<String> sizes = quick ? SIZES.subList(0, 1) : SIZES;
        for (String size : sizes) {
            for (String round : ROUNDS) {
                boolean isBuiltIn = BUILT_IN_ROUNDS.contains(round);
                if (!isBuiltIn || !size.equals(TOO_LARGE)) {
                    measure(RoundBenchmark.class, round, size, isBuiltIn && LARGE.contains(size));
                }
            }
            for (String placement : PLACEMENTS) {
                measure(PlacementBenchmark.class, placement, size, false);
            }
        }
        LongestWait.Result wait = LongestWait.measure(sizes.get(sizes.size() - 1));
        return String.join("\n", rounds(sizes), placements(sizes), wait.text()
                + String.format(Locale.ROOT, " Java %s, %d processors, Pulsar %s.%n",
                System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(),
                PulsarVersion.getVersion()));
    }

    private void measure(Class<?> type, String method, String size, boolean once) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(type.getName().replace(".", "\\.") + "\\." + method + "$").param("size", size)
                .addProfiler(GCProfiler.class).verbosity(VerboseMode.SILENT).shouldFailOnError(true)
                .jvmArgsAppend("-Xms4g", "-Xmx4g");
        if (quick) {
            options.forks(0).warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(10));
        } else if (once) {
            options.forks(1).warmupIterations(1).warmupTime(TimeValue.seconds(2)).measurementIterations(1)
                    .measurementTime(TimeValue.seconds(2));
        } else {
            options.forks(1).warmupIterations(5).warmupTime(TimeValue.seconds(2)).measurementIterations(5)
                    .measurementTime(TimeValue.seconds(1));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        for (RunResult result : results) {
            Result<?> time = result.getPrimaryResult();
            double unit = time.getScoreUnit().startsWith("us") ? MICROS : 1;
            Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
            String state = result.getParams().getParam("state");
            Figure figure = new Figure(unit * time.getScore(), bytes.getScore());
            figures.put(key(method, size, state == null ? "PLACEMENT" : state), figure);
            System.out.printf(Locale.ROOT, "%s %s %s: %s%n", method, size, state == null ? "" : state, text(figure));
        }
        if (results.isEmpty()) {
            throw new IllegalStateException("there is no benchmark " + type.getName() + "." + method);
        }
    }

    private static String key(String method, String size, String state) {
        return method + " " + size + " " + state;
    }

    private String rounds(List<String> sizes) {
        StringBuilder table = new StringBuilder("| brokers x bundles | round | floor | this plugin, `pairs` | `level` | "
                + "built-in AvgShedder | ThresholdShedder | UniformLoadShedder |\n"
                + "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
        for (LoadedCluster.State state : LoadedCluster.State.values()) {
            for (String size : sizes) {
                List<String> cells = new ArrayList<>(List.of(withThousands(size),
                        state == LoadedCluster.State.HOT ? "half of them hot" : "quiet"));
                Figure floor = figures.get(key("floor", size, state.name()));
                for (String round : ROUNDS) {
                    Figure figure = figures.get(key(round, size, state.name()));
                    boolean isCompared = state == LoadedCluster.State.HOT && OURS.contains(round);
                    cells.add(figure == null ? "–" : text(figure) + (isCompared ? String.format(Locale.ROOT, ", %.1f x floor",
                            figure.nanos / floor.nanos) : ""));
                }
                table.append(row(cells));
            }
        }
        return table.toString();
    }

    private String placements(List<String> sizes) {
        StringBuilder table = new StringBuilder("| brokers x bundles | planned | unplanned | built-in AvgShedder, "
                + "first lookup | LeastResourceUsageWithWeight |\n| --- | --- | --- | --- | --- |\n");
        for (String size : sizes) {
            List<String> cells = new ArrayList<>(List.of(withThousands(size)));
            PLACEMENTS.forEach(placement -> cells.add(text(figures.get(key(placement, size, "PLACEMENT")))));
            table.append(row(cells));
        }
        return table.toString();
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private static String withThousands(String size) {
        String[] parts = size.split("x");
        return String.format(Locale.ROOT, "%,d x %,d", Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private static String text(Figure figure) {
        return time(figure.nanos) + " / " + size(figure.bytes);
    }

    static String time(double nanos) {
        return nanos < MICROS ? Math.round(nanos) + " ns" : nanos < MILLIS ? digits(nanos / MICROS) + " µs"
                : nanos < SECONDS ? digits(nanos / MILLIS) + " ms" : digits(nanos / SECONDS) + " s";
    }

    private static String size(double bytes) {
        return bytes < 1e3 ? Math.round(bytes) + " B" : bytes < 1e6 ? digits(bytes / 1e3) + " kB"
                : bytes < 1e9 ? digits(bytes / 1e6) + " MB" : digits(bytes / 1e9) + " GB";
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f" : "%.0f", value);
    }

    /** Puts the tables between their two marks. */
    private void writeReadme(String tables) throws IOException {
        Path readme = base.resolve("README.md");
        String text = Files.readString(readme);
        int from = text.indexOf(BEGIN);
        int to = text.indexOf(END);
        if (from < 0 || to < from) {
            throw new IOException(readme + " has no place for the tables: " + BEGIN + " and " + END);
        }
        Path next = Files.writeString(base.resolve("target/README.md"),
                text.substring(0, from) + BEGIN + "\n" + tables + text.substring(to));
        Files.move(next, readme, StandardCopyOption.REPLACE_EXISTING);
    }
}
