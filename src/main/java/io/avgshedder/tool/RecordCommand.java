package io.avgshedder.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Records the load reports of a cluster into a trace until it is stopped. */
@Command(name = "record", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = "Records the brokers' load reports into a trace, a round a minute, until it is stopped (Ctrl-C). "
                + "A file that is there already is continued. Changes nothing in the cluster.")
final class RecordCommand implements Callable<Integer> {

    @Mixin
    AdminOptions admin;

    @Option(names = "--out", required = true, paramLabel = "TRACE", description = "the file to write")
    Path trace;

    @Option(names = "--interval", paramLabel = "TIME", defaultValue = "5s", converter = Durations.class,
            description = "time between two looks at every broker (default: ${DEFAULT-VALUE})")
    Duration interval;

    @Option(names = "--round-interval", paramLabel = "TIME", defaultValue = "1m", converter = Durations.class,
            description = "time between two rounds, the cluster's shedding interval (default: ${DEFAULT-VALUE})")
    Duration roundInterval;

    @Option(names = "--duration", paramLabel = "TIME", converter = Durations.class,
            description = "stop by itself after this long, such as 30m")
    Duration duration;

    @Option(names = "--anonymize", description = "write pseudonyms for brokers and namespaces; their key is kept in "
            + "TRACE.key, which is not to be given away")
    boolean anonymize;

    @Option(names = "--conf", paramLabel = "BROKER.CONF", description = "take the settings that the brokers do not "
            + "tell from this file")
    Path conf;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return new Recording(this, spec.commandLine().getErr()).run();
    }
}
