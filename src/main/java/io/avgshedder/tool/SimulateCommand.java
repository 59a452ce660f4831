package io.avgshedder.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs scenarios on a virtual cluster whose truth is known. */
@Command(name = "simulate", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = "Runs scenarios on a virtual cluster, with this plugin and with any other strategy, and measures "
                + "them by what the load really was. Needs no broker.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every run met what its scenario expects",
            "1:a run, of whichever strategy, did not",
            "2:bad input or arguments"})
final class SimulateCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "SCENARIO", description = "the name of a scenario in this jar, a YAML "
            + "file, or \"all\" for all in this jar")
    List<String> scenarios = new ArrayList<>();

    @Option(names = "--strategies", split = ",", paramLabel = "NAME", description = "avg and level are this plugin "
            + "with loadBalancerAvgShedderPlan=pairs and =level; builtin, threshold, uniform and overload are the "
            + "broker's; SHEDDING_CLASS+PLACEMENT_CLASS is any other (default: avg,level)")
    List<String> strategies = List.of("avg", "level");

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "1",
            description = "run each with this many seeds and show medians (default: ${DEFAULT-VALUE})")
    int seeds;

    @Option(names = "--first-seed", paramLabel = "N", defaultValue = "1",
            description = "the first of them (default: ${DEFAULT-VALUE})")
    long firstSeed;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a line of broker.conf for this plugin, over what "
            + "the scenario says; may be repeated")
    List<String> settings = new ArrayList<>();

    @Option(names = "--json", paramLabel = "FILE",
            description = "write every run and the medians; of several scenarios, as an array")
    Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "write a page with the brokers' true usage over time, "
            + "the unloads and the measures; of one scenario")
    Path html;

    @Option(names = "--markdown", paramLabel = "FILE", description = "write a table of the medians, one row for each "
            + "scenario; in a file that exists, between the lines%n  " + Comparison.BEGIN + "%n  " + Comparison.END)
    Path markdown;

    @Option(names = "--trace", description = "print what this plugin said in each round, and what was true")
    boolean trace;

    @Option(names = "--list", description = "print the names of the scenarios in this jar and what they show")
    boolean list;

    @Option(names = "--show", paramLabel = "NAME",
            description = "print a scenario of this jar, to start one's own from")
    String show;

    @Option(names = "--schema", description = "print what a scenario may contain")
    boolean schema;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        return new Simulate(this, spec.commandLine().getOut(), Progress.on(spec.commandLine().getErr())).run();
    }
}
