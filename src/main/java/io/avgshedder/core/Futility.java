package io.avgshedder.core;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Donors whose usage does not follow the traffic that leaves them.
 *
 * <p>Another process on a broker's machine (a backup, a neighbour in the same host) uses what the plugin takes for the
 * broker's own load. The naive rule sees a hot broker after every transfer, moves again, and ends with a broker that has
 * nothing left and is as hot as before. Here each transfer that happened is measured once the donor has settled: by how
 * much its usage should have fallen, and by how much it fell. Less than a quarter, twice in a row, is futile, and the
 * donor gives nothing because of that metric for half an hour, then for twice as long after each further transfer of
 * that kind, up to eight hours. One that is followed ends it.
 *
 * <p>A transfer proves nothing where the donor's traffic did not fall by at least half of what left it (its bundles came
 * back, or the others grew), or before a report shows it that is at least two host usage intervals younger than the last
 * unload: traffic disappears from a report at once, but usage is a mean over a span of time. Transfers that follow each
 * other before such a report comes are measured together.
 *
 * <p>One entry a donor at most, which ends when the broker leaves.
 */
final class Futility {

    /** Usage that falls by less than this part of its forecast did not follow. */
    private static final double FOLLOWED = 0.25;
    /** What the donor's traffic must have fallen by for its usage to prove anything, as a part of what left. */
    private static final double LEFT = 0.5;
    private static final int ENOUGH = 2;
    private static final int MOST_DOUBLINGS = 4;
    static final long FIRST_WAIT_MILLIS = 30 * 60_000;

    /** Transfers whose effect no report can show yet, and how the donor was before them. */
    private static final class Trial {
        private final Metric metric;
        private final double usage;
        private final double messages;
        private final double bytes;
        private double leftMessages;
        private double leftBytes;
        private double share;
        private int transfers;
        private boolean counted;
        private long unloadedAt;

        private Trial(BrokerLoad donor, Metric metric, Settings settings) {
            this.metric = metric;
            this.usage = donor.usage(metric, settings);
            this.messages = donor.messages();
            this.bytes = donor.bytes();
        }

        private boolean trafficFell(BrokerLoad donor) {
            return messages - donor.messages() >= LEFT * leftMessages && bytes - donor.bytes() >= LEFT * leftBytes;
        }
    }

    /** What was measured of a donor so far. */
    private record Finding(Metric metric, int futile, long until) {
    }

    private final Map<String, Trial> trials = new HashMap<>();
    private final Map<String, Finding> findings = new HashMap<>();

    /** The donor is about to give, because of this metric. */
    void planned(BrokerLoad donor, Metric metric, Settings settings) {
        Trial trial = trials.get(donor.name());
        if (trial == null || trial.metric != metric || trial.transfers == 0) {
            trial = new Trial(donor, metric, settings);
            trials.put(donor.name(), trial);
        }
        trial.counted = false;
    }

    /** One bundle of a plan has left its donor. */
    void happened(PlannedTransfer planned, long unloadedAt) {
        Trial trial = trials.get(planned.transfer().source());
        if (trial == null || trial.metric != planned.metric()) {
            return;
        }
        trial.unloadedAt = trial.transfers == 0 ? unloadedAt : Math.max(trial.unloadedAt, unloadedAt);
        if (!trial.counted) {
            trial.counted = true;
            trial.transfers++;
        }
        trial.leftMessages += planned.load().messages();
        trial.leftBytes += planned.load().bytesIn() + planned.load().bytesOut();
        trial.share += planned.sourcePoints() / planned.sourceScore();
    }

    /** Measures the transfers that the reports can show by now; once a round. */
    void observe(ClusterSnapshot snapshot, Evidence evidence, Settings settings, long now) {
        if (trials.isEmpty()) {
            return;
        }
        for (BrokerLoad donor : snapshot.brokers()) {
            Trial trial = trials.get(donor.name());
            if (trial == null || trial.transfers == 0) {
                continue;
            }
            long seenAt = evidence.seenAt(donor.name(), donor.reportTime(), now);
            if (seenAt - trial.unloadedAt >= settings.settlingMillis()) {
                trials.remove(donor.name());
                measure(trial, donor, settings, now);
            } else if (now - trial.unloadedAt > settings.staleAfterMillis()) {
                trials.remove(donor.name());
            }
        }
    }

    private void measure(Trial trial, BrokerLoad donor, Settings settings, long now) {
        double fall = (trial.usage - donor.usage(trial.metric, settings)) / trial.usage;
        if (Double.isNaN(fall) || !trial.trafficFell(donor)) {
            return;
        }
        if (fall >= FOLLOWED * trial.share) {
            findings.remove(donor.name());
            return;
        }
        Finding before = findings.get(donor.name());
        int futile = trial.transfers + (before == null || before.metric != trial.metric ? 0 : before.futile);
        long until = futile < ENOUGH ? now
                : now + (FIRST_WAIT_MILLIS << Math.min(MOST_DOUBLINGS, futile - ENOUGH));
        findings.put(donor.name(), new Finding(trial.metric, futile, until));
    }

    /** Whether the broker gives nothing for now, because of this metric. */
    boolean isWaiting(String donor, Metric metric, long now) {
        Finding finding = findings.isEmpty() ? null : findings.get(donor);
        return finding != null && finding.metric == metric && now < finding.until;
    }

    /** When a broker that waits may give again. */
    long until(String donor) {
        return findings.get(donor).until;
    }

    /** How many transfers in a row were not followed. */
    int count(String donor) {
        Finding finding = findings.get(donor);
        return finding == null ? 0 : finding.futile;
    }

    /** Forgets brokers that are no longer there. */
    void retain(Set<String> brokers) {
        trials.keySet().retainAll(brokers);
        findings.keySet().retainAll(brokers);
    }

    void clear() {
        trials.clear();
        findings.clear();
    }

    /** Of how many donors anything is remembered. */
    int size() {
        Set<String> donors = new HashSet<>(trials.keySet());
        donors.addAll(findings.keySet());
        return donors.size();
    }
}
