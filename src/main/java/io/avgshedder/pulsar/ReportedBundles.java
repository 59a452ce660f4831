package io.avgshedder.pulsar;

import io.avgshedder.core.BundleLoad;
import io.avgshedder.core.BundleReport;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;

/**
 * The bundles of one load report, read on demand.
 *
 * <p>A bundle's traffic is its latest figure in its owner's report. The load manager's averages come second: each
 * report of any broker adds one more sample of the same figure to every bundle, so they lag by minutes, and a new
 * {@link BundleData} shows 50 msg/s that nobody measured, which is told by its number of samples.
 *
 * <p>Holds the load manager's map of bundles and not its {@code LoadData}, which must stay collectable.
 */
final class ReportedBundles implements BundleReport {

    private final Map<String, NamespaceBundleStats> stats;
    private final Set<String> names;
    private final Map<String, BundleData> histories;

    ReportedBundles(LocalBrokerData report, Map<String, BundleData> histories) {
        Map<String, NamespaceBundleStats> lastStats = report.getLastStats();
        Set<String> bundles = report.getBundles();
        this.stats = lastStats == null ? Map.of() : lastStats;
        this.names = bundles == null ? Set.of() : bundles;
        this.histories = histories;
    }

    int size() {
        return Math.max(stats.size(), names.size());
    }

    @Override
    public boolean contains(String bundle) {
        return stats.containsKey(bundle) || names.contains(bundle);
    }

    @Override
    public void forEach(Consumer<? super BundleLoad> action) {
        int withFigures = 0;
        for (String name : names) {
            if (name != null) {
                NamespaceBundleStats figures = stats.get(name);
                withFigures += figures != null ? 1 : 0;
                action.accept(load(name, figures));
            }
        }
        if (withFigures < stats.size()) {
            stats.forEach((name, figures) -> {
                if (name != null && !names.contains(name)) {
                    action.accept(load(name, figures));
                }
            });
        }
    }

    @Override
    public void forEachName(Consumer<? super String> action) {
        for (String name : stats.keySet()) {
            if (name != null) {
                action.accept(name);
            }
        }
        for (String name : names) {
            if (isListedOnly(name)) {
                action.accept(name);
            }
        }
    }

    private boolean isListedOnly(String name) {
        return name != null && !stats.containsKey(name);
    }

    private BundleLoad load(String name, NamespaceBundleStats figures) {
        boolean measured = figures != null && BundleLoad.isRate(figures.msgRateIn)
                && BundleLoad.isRate(figures.msgRateOut) && BundleLoad.isRate(figures.msgThroughputIn)
                && BundleLoad.isRate(figures.msgThroughputOut);
        return measured ? new BundleLoad(name, figures.msgRateIn + figures.msgRateOut, figures.msgThroughputIn,
                figures.msgThroughputOut) : average(name, histories.get(name));
    }

    /** The bundle's averages, or no traffic where it was never measured. */
    static BundleLoad average(String name, BundleData history) {
        TimeAverageMessageData measured = measured(history);
        return measured == null ? new BundleLoad(name, 0, 0, 0) : new BundleLoad(name, measured.totalMsgRate(),
                measured.getMsgThroughputIn(), measured.getMsgThroughputOut());
    }

    static boolean isMeasured(BundleData history) {
        return measured(history) != null;
    }

    private static TimeAverageMessageData measured(BundleData history) {
        if (history == null) {
            return null;
        }
        TimeAverageMessageData shortTerm = history.getShortTermData();
        if (shortTerm != null && shortTerm.getNumSamples() > 0) {
            return shortTerm;
        }
        TimeAverageMessageData longTerm = history.getLongTermData();
        return longTerm != null && longTerm.getNumSamples() > 0 ? longTerm : null;
    }
}
