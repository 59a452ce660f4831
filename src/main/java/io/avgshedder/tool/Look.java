package io.avgshedder.tool;

import io.avgshedder.AvgShedder;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Settings;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import io.avgshedder.pulsar.Inspection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * What the plugin makes of the reports of one moment.
 *
 * <p>One look cannot tell what would move: that takes hits, which are counted round by round. So rounds are taken on a
 * virtual clock over the same figures, each time as if every broker had just written them again, until every pair has
 * had as many rounds as the larger hit count. No transfer is carried out in them; a broker that gave or took is left
 * out of what later rounds say, because it would not be as its report still shows it.
 */
final class Look {

    /** A round of the virtual clock in which something would move. */
    record Later(Round round, List<Verdict> verdicts, List<Transfer> transfers) {
    }

    /**
     * What comes of figures that last.
     *
     * @param moves  the rounds in which something would move
     * @param others what the last round says of those that nothing was moved from or to
     */
    record Lasting(List<Later> moves, List<Verdict> others) {
    }

    private Look() {
    }

    /** The first round over the reports, as a leader without any history would take it. */
    static Round first(Map<String, LocalBrokerData> reports, ServiceConfiguration conf, long now) {
        TraceClock clock = new TraceClock();
        try (Observed plugin = new Observed(clock)) {
            return round(manager(conf), plugin, clock, reports, now);
        }
    }

    /** What would move if these figures lasted; changes the reports' times. */
    static Lasting lasting(Map<String, LocalBrokerData> reports, ServiceConfiguration conf, long now) {
        Settings settings = Inspection.settings(conf);
        TraceClock clock = new TraceClock();
        StandInManager manager = manager(conf);
        Set<String> moved = new HashSet<>();
        List<Later> later = new ArrayList<>();
        List<Verdict> last = List.of();
        try (Observed plugin = new Observed(clock)) {
            for (int i = 0; i < roundsNeeded(settings); i++) {
                if (i > 0) {
                    reports.values().forEach(report -> {
                        if (report != null) {
                            report.setLastUpdate(report.getLastUpdate() + settings.sheddingIntervalMillis());
                        }
                    });
                }
                Round round = round(manager, plugin, clock, reports, now + i * settings.sheddingIntervalMillis());
                List<Transfer> transfers = round.transfers().stream().filter(transfer ->
                        !moved.contains(transfer.source()) && !moved.contains(transfer.target())).toList();
                last = without(moved, round.verdicts());
                List<Verdict> verdicts = last.stream().filter(verdict -> verdict.reason() == Reason.MOVED).toList();
                if (!verdicts.isEmpty()) {
                    later.add(new Later(round, verdicts, transfers));
                    verdicts.forEach(verdict -> moved.addAll(List.of(verdict.hot(), verdict.cold())));
                    last = without(moved, last);
                }
            }
        }
        return new Lasting(later, last);
    }

    private static List<Verdict> without(Set<String> moved, List<Verdict> verdicts) {
        return verdicts.stream().filter(verdict -> !moved.contains(verdict.hot())
                && (verdict.cold() == null || !moved.contains(verdict.cold()))).toList();
    }

    /** After this many rounds every pair has fired that can. */
    static int roundsNeeded(Settings settings) {
        return Math.max(settings.hitCountLow(), settings.hitCountHigh());
    }

    static StandInManager manager(ServiceConfiguration conf) {
        AvgShedder plugin = new AvgShedder();
        StandInManager manager = new StandInManager(plugin, plugin);
        manager.configure(conf);
        return manager;
    }

    static Round round(StandInManager manager, Observed plugin, TraceClock clock,
                       Map<String, LocalBrokerData> reports, long now) {
        clock.set(now);
        manager.reports(reports);
        List<Transfer> transfers = manager.shed(now);
        Round round = plugin.takeRound();
        if (round == null) {
            throw new UserError("the plugin skipped this round because of a failure of its own, shown above");
        }
        return new Round(round.number(), now, round.dryRun(), round.brokers(), round.verdicts(), transfers,
                round.notices());
    }
}
