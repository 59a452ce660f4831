package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Settings;
import io.avgshedder.pulsar.Inspection;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/** Looks at a running cluster, once or again and again, through the real plugin class. */
final class Plan {

    private static final String NEWER = "These figures are newer than the leader's: a broker that is asked computes "
            + "them anew, but writes its report, on which the leader decides, only when they have changed by more than "
            + "a tenth, or after a quarter of an hour.";

    private static final String SETTINGS = "The settings are those that the brokers tell and --set; give broker.conf "
            + "with --conf for those of this plugin that Pulsar does not declare.";

    private final PlanCommand options;
    private final PrintWriter out;
    private final PrintWriter err;

    Plan(PlanCommand options, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.out = out;
        this.err = err;
    }

    /** Returns the exit status. */
    int run() throws InterruptedException {
        if (!options.watch && (options.interval != null || options.duration != null)) {
            throw new UserError("--interval and --duration: need --watch");
        }
        BrokerConf lines = new BrokerConf();
        // Nothing is unloaded here anyway, and what would be is what is asked.
        lines.override("loadBalancerAvgShedderDryRun", "false", "plan");
        lines.overrideAll(options.settings);
        try (Cluster cluster = new Cluster(options.admin)) {
            ServiceConfiguration conf = configuration(cluster, lines);
            if (options.watch) {
                watch(cluster, conf);
            } else {
                look(cluster, conf);
            }
        } catch (AdminException e) {
            throw new UserError(e.getMessage(), e);
        }
        return Main.OK;
    }

    private ServiceConfiguration configuration(Cluster cluster, BrokerConf lines) throws AdminException {
        List<String> brokers = cluster.brokers();
        Map<String, String> told = Map.of();
        try {
            told = ClusterConf.firstTold(cluster, brokers);
            ClusterConf.lines(told).forEach((key, value) -> lines.put(key, value, "the brokers' configuration"));
        } catch (AdminException e) {
            err.println("Warning: the cluster's settings cannot be read, so defaults are used: " + e.getMessage());
        }
        if (options.file != null) {
            lines.putFile(options.file);
        } else if (!ClusterConf.tellsThresholds(told)) {
            err.println("Warning: these brokers do not tell this plugin's settings, so defaults are used; give "
                    + "broker.conf with --conf");
        }
        List<String> warnings = new ArrayList<>();
        ServiceConfiguration conf = lines.build(warnings);
        warnings.forEach(warning -> err.println("Warning: " + warning));
        return conf;
    }

    /** The reports of all brokers; one that cannot be asked is active all the same, without a report. */
    private Map<String, LocalBrokerData> reports(Cluster cluster) throws AdminException {
        List<String> brokers = cluster.brokers();
        Map<String, LocalBrokerData> reports = new LinkedHashMap<>();
        cluster.askAll(brokers, broker -> TraceReader.report(broker, cluster.modularReport(broker)))
                .forEach((broker, answer) -> {
                    if (!answer.isAnswer()) {
                        err.println("Warning: " + answer.failure());
                    }
                    reports.put(broker, answer.value());
                });
        if (reports.values().stream().allMatch(report -> report == null)) {
            throw new AdminException("no broker has a load report that can be used");
        }
        return reports;
    }

    private void look(Cluster cluster, ServiceConfiguration conf) throws AdminException {
        Map<String, LocalBrokerData> reports = reports(cluster);
        long now = System.currentTimeMillis();
        Round first = Look.first(reports, conf, now);
        Look.Lasting lasting = Look.lasting(reports, conf, now);
        Settings read = Inspection.settings(conf);
        if (options.json) {
            ObjectNode node = RoundJson.node(first);
            ArrayNode rounds = node.putArray("ifTheseFiguresLast");
            lasting.moves().forEach(round -> rounds.add(RoundJson.node(new Round(round.round().number(), round.round().time(),
                    false, round.round().brokers(), round.verdicts(), round.transfers(), List.of()))));
            node.set("otherwise", RoundJson.pairs(lasting.others()));
            node.put("note", NEWER);
            out.println(node);
            return;
        }
        RoundTable table = new RoundTable(out);
        Lines text = new Lines(out, 0);
        out.println(RoundTable.count(reports.size(), "broker") + " at " + RoundTable.time(now)
                + ". Nothing is changed.");
        text.paragraph(options.file == null ? NEWER + " " + SETTINGS : NEWER);
        out.println();
        brokers(reports, first.brokers());
        out.println();
        text.paragraph("The first round, as a leader without any history would take it:");
        table.verdicts(first.verdicts());
        table.transfers(first.transfers());
        out.println();
        int rounds = Look.roundsNeeded(read);
        String virtual = "If these figures last: " + RoundTable.count(rounds, "round")
                + " on a virtual clock, one every " + minutes(read.sheddingIntervalMillis()) + ", in which every "
                + "broker writes the same figures again. ";
        text.paragraph(virtual + (lasting.moves().isEmpty() ? "Nothing would move:" : "It would move:"));
        for (Look.Later round : lasting.moves()) {
            long after = round.round().time() - now;
            out.println();
            out.println("Round " + round.round().number() + (after == 0 ? ", at once" : ", in " + minutes(after)));
            table.verdicts(round.verdicts());
            table.transfers(round.transfers());
        }
        if (!lasting.others().isEmpty()) {
            out.println();
            out.println("Round " + rounds + ", of the others");
            table.verdicts(lasting.others());
        }
    }

    private static String minutes(long millis) {
        return RoundTable.count(TimeUnit.MILLISECONDS.toMinutes(millis), "minute");
    }

    private void brokers(Map<String, LocalBrokerData> reports, List<BrokerScore> scores) {
        int widest = Math.max(6, reports.keySet().stream().mapToInt(String::length).max().orElse(0));
        String form = "%-" + widest + "s  %6s  %-13s  %10s  %10s  %10s  %7s%n";
        out.printf(Locale.ROOT, form, "broker", "score", "by", "msg/s", "MB/s in", "MB/s out", "bundles");
        for (BrokerScore score : scores) {
            LocalBrokerData report = reports.get(score.broker());
            out.printf(Locale.ROOT, form, score.broker(), String.format(Locale.ROOT, "%.1f", score.score()),
                    score.metric().label(), figure(report.getMsgRateIn() + report.getMsgRateOut(), 0),
                    figure(report.getMsgThroughputIn() / 1e6, 1), figure(report.getMsgThroughputOut() / 1e6, 1),
                    report.getNumBundles());
        }
    }

    private static String figure(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private void watch(Cluster cluster, ServiceConfiguration conf) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long pause = options.interval == null ? Inspection.settings(conf).sheddingIntervalMillis()
                : options.interval.toMillis();
        long start = System.nanoTime();
        TraceClock clock = new TraceClock();
        StandInManager manager = Look.manager(conf);
        RoundOutput output = options.json ? new RoundJson(out) : new RoundTable(out);
        if (!options.json) {
            new Lines(out, 0).paragraph(NEWER + " Nothing is changed.");
            out.println();
        }
        try (Observed plugin = new Observed(clock)) {
            for (long look = 1;; look++) {
                try {
                    Map<String, LocalBrokerData> reports = reports(cluster);
                    Round round = Look.round(manager, plugin, clock, reports, System.currentTimeMillis());
                    output.round(round);
                    if (round.verdicts().stream().anyMatch(verdict -> verdict.reason() == Reason.MOVED)) {
                        err.println("That plan is not carried out; counting starts again.");
                        manager = Look.manager(conf);
                    }
                } catch (AdminException e) {
                    err.println("Warning: " + e.getMessage());
                }
                long wait = TimeUnit.NANOSECONDS.toMillis(start - System.nanoTime()) + look * pause;
                long left = options.duration == null ? Long.MAX_VALUE
                        : options.duration.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                if (left < wait || never.await(Math.max(0, wait), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        }
    }
}
