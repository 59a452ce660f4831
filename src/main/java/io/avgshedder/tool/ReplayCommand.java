package io.avgshedder.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes the rounds of a trace with the real plugin class, or with any other strategy. */
@Command(name = "replay", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = "Takes the rounds of a trace with this plugin, or with any other strategy, and shows what each "
                + "moves and why. It does not move load: the trace's next line says what the brokers report.")
final class ReplayCommand implements Callable<Integer> {

    @Parameters(paramLabel = "TRACE", description = "JSON Lines, as \"record\" writes them; - for standard input")
    String trace;

    @Option(names = "--json", description = "print JSON Lines instead of a table")
    boolean json;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
            description = "a line of broker.conf that holds whatever the trace says; may be repeated")
    List<String> settings = new ArrayList<>();

    @Option(names = "--strategy", paramLabel = "CLASS",
            description = "a LoadSheddingStrategy on the class path (default: this plugin)")
    String strategy;

    @Option(names = "--placement", paramLabel = "CLASS",
            description = "a ModularLoadManagerStrategy (default: that of --strategy if it is one, else "
                    + Strategies.USUAL_PLACEMENT + ")")
    String placement;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return new Replay(this, spec.commandLine().getOut(), spec.commandLine().getErr()).run();
    }
}
