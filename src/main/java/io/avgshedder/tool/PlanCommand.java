package io.avgshedder.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what the plugin would do on a running cluster now. */
@Command(name = "plan", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = "Reads the load reports of all brokers and shows what this plugin would move, and why not. "
                + "Changes nothing.")
final class PlanCommand implements Callable<Integer> {

    @Mixin
    AdminOptions admin;

    @Option(names = "--conf", paramLabel = "BROKER.CONF", description = "settings that hold over those that the "
            + "brokers tell; brokers do not tell those of this plugin that Pulsar does not declare")
    Path file;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
            description = "a line of broker.conf that holds over all others; may be repeated")
    List<String> settings = new ArrayList<>();

    @Option(names = "--watch", description = "look again at every shedding interval, so that hits build up, until it "
            + "is stopped (Ctrl-C)")
    boolean watch;

    @Option(names = "--interval", paramLabel = "TIME", converter = Durations.class,
            description = "with --watch: time between two looks (default: the shedding interval)")
    Duration interval;

    @Option(names = "--duration", paramLabel = "TIME", converter = Durations.class,
            description = "with --watch: stop by itself after this long")
    Duration duration;

    @Option(names = "--json", description = "print one JSON object for each look")
    boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return new Plan(this, spec.commandLine().getOut(), spec.commandLine().getErr()).run();
    }
}
