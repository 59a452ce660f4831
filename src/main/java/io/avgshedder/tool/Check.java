package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.avgshedder.pulsar.Inspection;
import io.avgshedder.pulsar.Problem;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Asks every broker of a cluster about itself. */
final class Check {

    private static final String MANAGER = "loadManagerClassName";
    private static final String MODULAR = "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl";
    /** The package of the other load manager, which is not driven by these strategies. */
    private static final String EXTENSIBLE = "org.apache.pulsar.broker.loadbalance.extensions.";
    private static final String SHEDDING = "loadBalancerLoadSheddingStrategy";
    private static final String PLACEMENT = "loadBalancerLoadPlacementStrategy";
    private static final String EVEN = "loadBalancerDistributeBundlesEvenlyEnabled";

    private final CheckCommand options;
    private final PrintWriter out;

    /** What one broker says of itself, and what is wrong with it. */
    private record Checked(String version, String reportType, Map<String, String> conf, List<String> problems) {

        boolean isWell() {
            return problems.isEmpty();
        }
    }

    Check(CheckCommand options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    /** Returns the exit status. */
    int run() {
        Map<String, Checked> checked = new TreeMap<>();
        try (Cluster cluster = new Cluster(options.admin)) {
            List<String> brokers = cluster.brokers();
            if (brokers.isEmpty()) {
                throw new UserError("the cluster lists no broker");
            }
            cluster.askAll(brokers, broker -> check(cluster, broker))
                    .forEach((broker, outcome) -> checked.put(broker, outcome.value()));
        } catch (AdminException e) {
            throw new UserError(e.getMessage(), e);
        }
        List<String> differences = differences(checked);
        if (options.json) {
            printJson(checked, differences);
        } else {
            print(checked, differences);
        }
        boolean isWell = differences.isEmpty() && checked.values().stream().allMatch(Checked::isWell);
        return isWell ? Main.OK : Main.NOT_MET;
    }

    private static Checked check(Cluster cluster, String broker) {
        Outcome<String> version = attempt(broker, cluster::version);
        Outcome<Map<String, String>> conf = attempt(broker, cluster::configuration);
        Outcome<ObjectNode> report = attempt(broker, cluster::loadReport);
        List<String> problems = new ArrayList<>();
        if (!conf.isAnswer() && !report.isAnswer()) {
            problems.add(conf.failure());
            return new Checked(version.value(), null, Map.of(), problems);
        }
        Map<String, String> keys = conf.isAnswer() ? conf.value() : Map.of();
        if (conf.isAnswer()) {
            Inspection.setup(keys::get, version.isAnswer() ? version.value() : "").stream()
                    .map(Problem::message).forEach(problems::add);
        } else {
            problems.add("its configuration cannot be read: " + conf.failure());
        }
        String type = report.isAnswer() ? report.value().path("loadReportType").asText("(unknown)") : null;
        String manager = keys.get(MANAGER);
        boolean isModular = report.isAnswer() && Cluster.isModular(report.value());
        if (manager != null && !manager.equals(MODULAR) && (!isModular || manager.startsWith(EXTENSIBLE))) {
            problems.add(MANAGER + " is " + manager + ": this plugin is for the modular load manager. Write into "
                    + "broker.conf: " + MANAGER + "=" + MODULAR);
        } else if (!report.isAnswer()) {
            problems.add("its load report cannot be read: " + report.failure());
        } else if (!isModular) {
            problems.add("it does not run the modular load manager, although it is configured (load report type \""
                    + type + "\"): a broker falls back silently when it cannot create a strategy. "
                    + (problems.isEmpty() ? "See that the plugin's jar is in its lib/ and look in its log for "
                    + "\"Error when trying to create load manager\", then restart it"
                    : "Mend the above and restart it"));
        }
        return new Checked(version.value(), type, keys, problems);
    }

    private static <T> Outcome<T> attempt(String broker, Cluster.Question<T> question) {
        try {
            return Outcome.of(question.ask(broker));
        } catch (AdminException e) {
            return Outcome.failed(e.getMessage());
        }
    }

    /** Settings in which brokers differ: the next leader would balance by others. */
    private static List<String> differences(Map<String, Checked> checked) {
        Set<String> keys = new TreeSet<>();
        checked.values().forEach(broker -> keys.addAll(ClusterConf.lines(broker.conf()).keySet()));
        List<String> differences = new ArrayList<>();
        for (String key : keys) {
            Map<String, List<String>> brokers = new TreeMap<>();
            checked.forEach((broker, answer) -> {
                if (answer.conf().containsKey(key)) {
                    brokers.computeIfAbsent(answer.conf().get(key), any -> new ArrayList<>()).add(broker);
                }
            });
            if (brokers.size() > 1) {
                differences.add(key + " differs: " + brokers.entrySet().stream()
                        .map(entry -> entry.getKey() + " on " + some(entry.getValue()))
                        .collect(Collectors.joining(", ")) + ". Any broker may become the leader: write the same into "
                        + "each broker.conf");
            }
        }
        return differences;
    }

    private static String some(List<String> brokers) {
        return brokers.size() <= 3 ? String.join(" and ", brokers)
                : brokers.get(0) + " and " + (brokers.size() - 1) + " others";
    }

    private void print(Map<String, Checked> checked, List<String> differences) {
        Lines lines = new Lines(out, 17);
        checked.forEach((broker, answer) -> {
            out.println((answer.isWell() ? "ok     " : "WRONG  ") + broker + ", Pulsar "
                    + (answer.version() == null ? "(unknown)" : answer.version()));
            if (answer.reportType() != null) {
                lines.print("load report type", answer.reportType());
            }
            row(lines, "shedding", answer, SHEDDING);
            row(lines, "placement", answer, PLACEMENT);
            row(lines, "even distribution", answer, EVEN);
            answer.problems().forEach(problem -> lines.print("wrong", problem));
        });
        if (!differences.isEmpty()) {
            out.println("WRONG  between brokers");
            differences.forEach(difference -> lines.print("wrong", difference));
        }
        long wrong = checked.values().stream().filter(broker -> !broker.isWell()).count();
        out.println();
        out.println(RoundTable.count(checked.size(), "broker") + ": " + (wrong == 0 && differences.isEmpty()
                ? "all are set up for the plugin and run the modular load manager"
                : wrong + " wrong" + (differences.isEmpty() ? "" : ", and they differ in settings")));
    }

    private static void row(Lines lines, String label, Checked answer, String key) {
        if (answer.conf().containsKey(key)) {
            lines.print(label, answer.conf().get(key));
        }
    }

    private void printJson(Map<String, Checked> checked, List<String> differences) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode brokers = result.putArray("brokers");
        checked.forEach((broker, answer) -> {
            ObjectNode node = brokers.addObject().put("name", broker).put("version", answer.version())
                    .put("loadReportType", answer.reportType())
                    .put("sheddingStrategy", answer.conf().get(SHEDDING))
                    .put("placementStrategy", answer.conf().get(PLACEMENT))
                    .put("evenDistribution", answer.conf().get(EVEN));
            ArrayNode problems = node.putArray("problems");
            answer.problems().forEach(problems::add);
        });
        ArrayNode between = result.putArray("differences");
        differences.forEach(between::add);
        out.println(result);
    }
}
