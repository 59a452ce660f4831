package io.avgshedder.tool;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.apache.pulsar.PulsarVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The command line. Needs Pulsar's jars on its class path: {@link Launcher} sees to that, and so does
 * {@code java -cp "lib/*" io.avgshedder.tool.Main}.
 *
 * <p>Exit status: 0, 1 where a command checks something and it does not hold, 2 for bad input or arguments.
 */
@Command(name = "pulsar-avg-shedder", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        description = "Shows what the AvgShedder plugin does, would do, and needs.",
        synopsisSubcommandLabel = "COMMAND", commandListHeading = "%nCommands:%n",
        subcommands = {
            CheckCommand.class,
            PlanCommand.class,
            RecordCommand.class,
            ReplayCommand.class,
            SimulateCommand.class,
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all is well",
            "1:something that the command checks does not hold",
            "2:bad input or arguments"})
public final class Main {

    /** All is well. */
    static final int OK = 0;
    /** Something that the command checks does not hold. */
    static final int NOT_MET = 1;
    /** Bad input or arguments. */
    static final int BAD_INPUT = 2;

    private static final String LOG4J = "log4j2.configurationFile";

    private Main() {
    }

    public static void main(String[] args) {
        // Unset, log4j takes the first log4j2.xml on Pulsar's class path, which writes to standard output.
        if (System.getProperty(LOG4J) == null && System.getProperty("log4j.configurationFile") == null) {
            System.setProperty(LOG4J, "classpath:io/avgshedder/tool/log4j2-tool.xml");
        }
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        int status = run(out, err, args);
        out.flush();
        err.flush();
        System.exit(status);
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Runs one command and returns its exit status. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        try {
            return new CommandLine(new Main())
                    .setOut(out)
                    .setErr(err)
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .setParameterExceptionHandler((problem, arguments) -> badArguments(problem, err))
                    .setExecutionExceptionHandler((failure, command, arguments) -> failed(failure, err))
                    .execute(args);
        } catch (LinkageError missing) {
            err.println("Pulsar's classes are missing or too old (" + missing + "). This jar belongs into the lib/ "
                    + "directory of a Pulsar broker, 2.11 or later; run it there with: java -jar "
                    + "lib/pulsar-avg-shedder-<version>.jar");
            return BAD_INPUT;
        } catch (OutOfMemoryError full) {
            err.println("Not enough memory for this input (" + full.getMessage() + "). Give the JVM more: "
                    + "java -Xmx4g -jar ...");
            return BAD_INPUT;
        }
    }

    private static int badArguments(CommandLine.ParameterException problem, PrintWriter err) {
        String command = problem.getCommandLine().getCommandSpec().qualifiedName();
        err.println(command + ": " + problem.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("See: " + command + " --help");
        return BAD_INPUT;
    }

    private static int failed(Exception failure, PrintWriter err) {
        if (failure instanceof UserError) {
            err.println(failure.getMessage());
        } else {
            err.println("This should not happen; please report it:");
            failure.printStackTrace(err);
        }
        return BAD_INPUT;
    }

    /** Ours, and that of the Pulsar that it runs with. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String own = Main.class.getPackage().getImplementationVersion();
            return new String[] {"pulsar-avg-shedder " + (own == null ? "(unpackaged)" : own), pulsar()};
        }

        private static String pulsar() {
            try {
                return "with the classes of Pulsar " + PulsarVersion.getVersion();
            } catch (LinkageError absent) {
                return "not beside Pulsar's jars";
            }
        }
    }
}
