package io.avgshedder.tool;

import io.avgshedder.core.Placed;
import io.avgshedder.core.Round;
import io.avgshedder.core.Settings;
import io.avgshedder.core.Transfer;
import io.avgshedder.pulsar.Inspection;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;

/** Drives the real strategies through the rounds of a trace. */
final class Replay {

    private final ReplayCommand options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final BrokerConf conf = new BrokerConf();

    Replay(ReplayCommand options, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit status. */
    int run() {
        conf.overrideAll(options.settings);
        Strategies strategies = Strategies.named(options.strategy, options.placement);
        RoundOutput output = options.json ? new RoundJson(out) : new RoundTable(out);
        try (InputStream in = open()) {
            String name = options.trace.equals("-") ? "standard input" : options.trace;
            replay(new TraceReader(name, in), strategies, output);
        } catch (NoSuchFileException e) {
            throw new UserError(options.trace + ": no such file", e);
        } catch (IOException e) {
            throw new UserError(options.trace + ": cannot read: " + e.getMessage(), e);
        }
        return Main.OK;
    }

    private InputStream open() throws IOException {
        if (options.trace.equals("-")) {
            return System.in;
        }
        Path file = Path.of(options.trace);
        if (Files.isDirectory(file)) {
            throw new UserError(options.trace + ": is a directory");
        }
        return Files.newInputStream(file);
    }

    private void replay(TraceReader reader, Strategies strategies, RoundOutput output) {
        TraceClock clock = new TraceClock();
        StandInManager manager = new StandInManager(strategies.shedder(), strategies.placer());
        Settings settings = configure(manager);
        try (Observed plugin = new Observed(clock)) {
            long rounds = 0;
            boolean isEmpty = true;
            for (TraceLine line = reader.next(); line != null; line = reader.next()) {
                if (line instanceof TraceLine.Conf lines) {
                    lines.values().forEach((key, value) -> conf.put(key, value, reader.position()));
                    settings = configure(manager);
                    continue;
                }
                isEmpty = false;
                try {
                    if (line instanceof TraceLine.Reports reports) {
                        clock.set(reports.time());
                        manager.reports(reports.brokers());
                        if (reports.shed()) {
                            rounds++;
                            output.round(round(rounds, reports, strategies, manager, plugin, settings));
                        }
                    } else if (line instanceof TraceLine.Place place) {
                        clock.set(place.time());
                        place(place, manager, plugin, output);
                    }
                } catch (UserError e) {
                    throw new UserError(reader.position() + ": " + e.getMessage(), e);
                }
                if (out.checkError()) {
                    return;
                }
            }
            if (isEmpty) {
                throw new UserError(reader.name() + ": holds no report and no placement, so there is nothing to replay");
            }
            output.end();
        }
    }

    private static void place(TraceLine.Place line, StandInManager manager, Observed plugin, RoundOutput output) {
        plugin.takePlaced();
        Optional<String> broker = manager.place(line.bundle(), Set.copyOf(line.candidates()));
        Placed placed = plugin.takePlaced();
        output.placed(line.time(), line.bundle(), broker.orElse(null), placed == null ? null : placed.reason());
    }

    private Settings configure(StandInManager manager) {
        List<String> warnings = new ArrayList<>();
        ServiceConfiguration built = conf.build(warnings);
        warnings.forEach(warning -> err.println("Warning: " + warning));
        manager.configure(built);
        return Inspection.settings(built);
    }

    /** One round; what the plugin says of it, or, of another strategy, the scores by the plugin's measure. */
    private static Round round(long number, TraceLine.Reports line, Strategies strategies, StandInManager manager,
                               Observed plugin, Settings settings) {
        if (!strategies.isPlugin()) {
            // The load manager does not ask where there is nobody to give to.
            List<Transfer> transfers = line.brokers().size() > 1 ? manager.shed(line.time()) : List.of();
            return new Round(number, line.time(), false, Inspection.scores(manager.loadData(), settings), List.of(),
                    transfers, List.of());
        }
        List<Transfer> transfers = manager.shed(line.time());
        Round round = plugin.takeRound();
        if (round == null) {
            throw new UserError("the plugin skipped this round because of a failure of its own, shown above");
        }
        return new Round(number, line.time(), round.dryRun(), round.brokers(), round.verdicts(),
                round.dryRun() ? round.transfers() : transfers, round.notices());
    }
}
