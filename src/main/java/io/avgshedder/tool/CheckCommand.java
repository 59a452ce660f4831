package io.avgshedder.tool;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks every broker whether it is set up for the plugin and runs the load manager that calls it. */
@Command(name = "check", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = "Asks every broker whether it is set up for this plugin and runs the load manager that calls it. "
                + "Exits with 1 if anything is wrong anywhere.")
final class CheckCommand implements Callable<Integer> {

    @Mixin
    AdminOptions admin;

    @Option(names = "--json", description = "print one JSON object instead")
    boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        return new Check(this, spec.commandLine().getOut()).run();
    }
}
