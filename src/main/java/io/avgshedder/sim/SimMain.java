package io.avgshedder.sim;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs simulations from a plain command line; the plugin's own command line offers the same with more comfort. */
public final class SimMain {

    private SimMain() {
    }

    /**
     * {@code NAME... [--strategies a,b] [--seeds N] [--first-seed N] [--json FILE] [--trace] [--list]}; names are
     * scenarios of the jar, files, or {@code all}.
     */
    public static void main(String[] args) throws IOException {
        if (System.getProperty("log4j2.configurationFile") == null) {
            System.setProperty("log4j2.configurationFile", "classpath:io/avgshedder/sim/log4j2-sim.xml");
        }
        List<String> names = new ArrayList<>();
        List<Strategies.Strategy> strategies = new ArrayList<>();
        int seeds = 1;
        long firstSeed = 1;
        Path json = null;
        boolean trace = false;
        PrintStream out = System.out;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--strategies" -> {
                    for (String name : args[++i].split(",")) {
                        strategies.add(Strategies.find(name).orElseThrow(() ->
                                new IllegalArgumentException("there is no strategy \"" + name + "\"")));
                    }
                }
                case "--seeds" -> seeds = Integer.parseInt(args[++i]);
                case "--first-seed" -> firstSeed = Long.parseLong(args[++i]);
                case "--json" -> json = Path.of(args[++i]);
                case "--trace" -> trace = true;
                case "--list" -> {
                    for (String name : ScenarioReader.names()) {
                        out.printf("%-24s %s%n", name, ScenarioReader.read(name).title());
                    }
                    return;
                }
                case "all" -> names.addAll(ScenarioReader.names());
                default -> names.add(args[i]);
            }
        }
        if (strategies.isEmpty()) {
            strategies.add(Strategies.find("avg").orElseThrow());
        }
        List<Results> all = new ArrayList<>();
        for (String name : names) {
            Scenario scenario = ScenarioReader.read(name);
            List<Run> runs = new ArrayList<>();
            for (Strategies.Strategy strategy : strategies) {
                for (int seed = 0; seed < seeds; seed++) {
                    runs.add(Simulation.run(scenario, strategy, firstSeed + seed, trace));
                }
            }
            Results results = new Results(scenario, runs);
            all.add(results);
            out.print(results.table());
            if (trace) {
                for (Run run : runs) {
                    out.printf("--- %s, seed %d%n", run.strategy(), run.seed());
                    run.history().trace().forEach(out::println);
                }
            }
        }
        if (json != null) {
            Files.writeString(json, all.size() == 1 ? all.get(0).json()
                    : all.stream().map(Results::json).toList().toString());
        }
    }
}
