package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.avgshedder.sim.Results;
import io.avgshedder.sim.Run;
import io.avgshedder.sim.Scenario;
import io.avgshedder.sim.ScenarioException;
import io.avgshedder.sim.ScenarioReader;
import io.avgshedder.sim.Simulation;
import io.avgshedder.sim.Strategies.Strategy;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs scenarios with strategies and seeds, one run after another, and tells what came of them. */
final class Simulate {

    private static final String ALL = "all";
    private static final String PLAN = "loadBalancerAvgShedderPlan";
    private static final int MOST_SEEDS = 1_000;

    private final SimulateCommand options;
    private final PrintWriter out;
    private final Progress progress;

    Simulate(SimulateCommand options, PrintWriter out, Progress progress) {
        this.options = options;
        this.out = out;
        this.progress = progress;
    }

    /** Returns the exit status. */
    int run() {
        if (options.schema) {
            out.print(ScenarioReader.schema());
            return Main.OK;
        }
        if (options.show != null) {
            out.print(ScenarioReader.text(options.show).orElseThrow(() -> new UserError("--show: there is no scenario "
                    + "\"" + options.show + "\" in this jar; there are "
                    + String.join(", ", ScenarioReader.names()))));
            return Main.OK;
        }
        try {
            if (options.list) {
                ScenarioReader.names().forEach(name ->
                        out.printf("%-24s %s%n", name, ScenarioReader.read(name).title()));
                return Main.OK;
            }
            return simulate(scenarios(), strategies());
        } catch (ScenarioException e) {
            throw new UserError(e.getMessage(), e);
        } finally {
            progress.clear();
        }
    }

    private List<Scenario> scenarios() {
        if (options.scenarios.isEmpty()) {
            throw new UserError("Which scenario? Give the name of one in this jar (--list), a YAML file, or all.");
        }
        Set<String> names = new LinkedHashSet<>();
        for (String name : options.scenarios) {
            names.addAll(name.equals(ALL) ? ScenarioReader.names() : List.of(name));
        }
        return names.stream().map(ScenarioReader::read).toList();
    }

    private List<Strategy> strategies() {
        List<Strategy> strategies = new ArrayList<>();
        for (String name : new LinkedHashSet<>(options.strategies)) {
            Strategy strategy = io.avgshedder.sim.Strategies.find(name).orElseThrow(() ->
                    new UserError("--strategies: there is no \"" + name + "\"; there are "
                            + String.join(", ", io.avgshedder.sim.Strategies.names())
                            + ", and SHEDDING_CLASS+PLACEMENT_CLASS"));
            strategy.missing().ifPresent(why -> {
                throw new UserError("--strategies: " + name + ": " + why);
            });
            strategies.add(strategy);
        }
        return strategies;
    }

    private int simulate(List<Scenario> scenarios, List<Strategy> strategies) {
        if (options.seeds < 1 || options.seeds > MOST_SEEDS) {
            throw new UserError("--seeds: must be from 1 to " + MOST_SEEDS + ", but is " + options.seeds);
        }
        if (options.html != null && scenarios.size() != 1) {
            throw new UserError("--html: takes one scenario, but there are " + scenarios.size());
        }
        OutputFile.check("--json", options.json);
        OutputFile.check("--html", options.html);
        OutputFile.check("--markdown", options.markdown);
        Comparison comparison = options.markdown == null ? null : new Comparison(options.markdown, strategies);
        List<Scenario> configured = scenarios.stream().map(scenario -> configured(scenario, strategies)).toList();

        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        boolean met = true;
        int done = 0;
        for (Scenario scenario : configured) {
            SimulationPage page = options.html == null ? null : new SimulationPage(scenario);
            Results results = new Results(scenario,
                    runs(scenario, strategies, page, done++ + " of " + configured.size() + " scenarios done, "));
            progress.clear();
            out.print(results.table());
            out.flush();
            met &= results.expectationsMet();
            json.add(ResultsJson.node(results));
            if (comparison != null) {
                comparison.add(results);
            }
            if (page != null) {
                OutputFile.write("--html", options.html, page.html(results, strategies));
            }
        }
        if (options.json != null) {
            OutputFile.write("--json", options.json, (json.size() == 1 ? json.get(0) : json) + "\n");
        }
        if (comparison != null) {
            OutputFile.write("--markdown", options.markdown, comparison.text());
        }
        return met ? Main.OK : Main.NOT_MET;
    }

    private List<Run> runs(Scenario scenario, List<Strategy> strategies, SimulationPage page, String done) {
        List<Run> runs = new ArrayList<>();
        for (Strategy strategy : strategies) {
            for (long seed = options.firstSeed; seed < options.firstSeed + options.seeds; seed++) {
                String now = done + scenario.name() + ", " + strategy.name() + ", seed " + seed + ": minute ";
                Run run = Simulation.run(scenario, strategy, seed, options.trace,
                        minute -> progress.show(now + (int) minute + " of " + (int) scenario.minutes()));
                if (options.trace) {
                    progress.clear();
                    out.printf("--- %s, seed %d%n", run.strategy(), run.seed());
                    run.history().trace().forEach(out::println);
                }
                if (page != null) {
                    page.add(run);
                }
                runs.add(run.withoutHistory());
            }
        }
        return runs;
    }

    /** The scenario with {@code --set}; every setting is one that a broker starts with. */
    private Scenario configured(Scenario scenario, List<Strategy> strategies) {
        Map<String, String> overriding = BrokerConf.parse(options.settings);
        if (overriding.containsKey(PLAN)) {
            throw new UserError("--set: " + PLAN + ": choose the plan with --strategies avg (pairs) or level");
        }
        if (!overriding.isEmpty() && strategies.stream().noneMatch(Strategy::isPlugin)) {
            throw new UserError("--set: is for this plugin, which is not among --strategies");
        }
        Scenario configured = scenario;
        Set<String> warnings = new LinkedHashSet<>();
        for (Strategy strategy : strategies) {
            BrokerConf lines = new BrokerConf();
            scenario.settingsFor(strategy.name()).forEach((key, value) ->
                    lines.put(key, value, scenario.name() + ": settings"));
            if (strategy.isPlugin()) {
                lines.overrideAll(options.settings);
                configured = configured.with(strategy.name(), overriding);
            }
            List<String> found = new ArrayList<>();
            lines.build(found);
            warnings.addAll(found);
        }
        warnings.forEach(warning -> progress.err().println("Warning: " + warning));
        return configured;
    }
}
