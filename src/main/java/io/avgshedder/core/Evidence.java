package io.avgshedder.core;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How far each broker's report can be believed: how old it is, and whether it can already show the last transfer.
 *
 * <p>The naive rule counts rounds. A report is rewritten only on a change of 10 points or 10 %, and one that is never
 * rewritten still counts each minute: a broker whose report froze at 90 gives 9 bundles in the second round, 9 more two
 * rounds later, and is emptied. Waiting a fixed time is no better: the frozen report is then believed again.
 *
 * <p>So after a transfer both brokers are <em>settling</em> until two host usage intervals have passed since their last
 * unload <em>and</em> their report was rewritten after the plan. Nothing else releases them. Reports are dated by the
 * plugin's clock at the first sight of a new report time, because the clocks of brokers cannot be compared.
 */
final class Evidence {

    private static final class Memory {
        long reportTime;
        long seenAt;
        boolean settling;
        boolean unloadKnown;
        long reportAtPlan;
        long unloadedAt;
        boolean hasSettled;
        long reportWhenSettled;
    }

    private final Map<String, Memory> memories = new HashMap<>();

    /** Takes note of all reports and releases the brokers that have settled. */
    void observe(ClusterSnapshot snapshot, Settings settings, long now) {
        for (BrokerLoad broker : snapshot.brokers()) {
            Memory memory = memories.get(broker.name());
            if (memory == null) {
                memory = new Memory();
                memory.reportTime = broker.reportTime();
                memory.seenAt = now;
                memories.put(broker.name(), memory);
            } else if (memory.reportTime != broker.reportTime()) {
                memory.reportTime = broker.reportTime();
                memory.seenAt = now;
            }
            if (memory.settling && memory.unloadKnown && now - memory.unloadedAt >= settings.settlingMillis()
                    && memory.reportTime != memory.reportAtPlan) {
                memory.settling = false;
                memory.hasSettled = true;
                memory.reportWhenSettled = memory.reportTime;
            }
        }
    }

    /** Forgets brokers that are no longer there. */
    void retain(Set<String> brokers) {
        memories.keySet().retainAll(brokers);
    }

    boolean isStale(String broker, Settings settings, long now) {
        Memory memory = memories.get(broker);
        return memory != null && now - memory.seenAt >= settings.staleAfterMillis();
    }

    /** How long the broker's report has not changed, in milliseconds. */
    long age(String broker, long now) {
        Memory memory = memories.get(broker);
        return memory == null ? 0 : now - memory.seenAt;
    }

    /** How long the report that is oldest has not changed, in milliseconds; 0 without any. */
    long oldestAge(long now) {
        return memories.values().stream().mapToLong(memory -> now - memory.seenAt).max().orElse(0);
    }

    boolean isSettling(String broker) {
        Memory memory = memories.get(broker);
        return memory != null && memory.settling;
    }

    /** Whether the broker's only missing proof is a rewritten report: its time has passed. */
    boolean lacksOnlyReport(String broker, Settings settings, long now) {
        Memory memory = memories.get(broker);
        return memory != null && memory.settling && memory.unloadKnown
                && now - memory.unloadedAt >= settings.settlingMillis();
    }

    /** A transfer from or to this broker was planned. Until it is known whether it happened, the broker settles. */
    void planned(String broker) {
        Memory memory = memories.get(broker);
        if (memory != null) {
            memory.settling = true;
            memory.unloadKnown = false;
            memory.reportAtPlan = memory.reportTime;
        }
    }

    /** A planned transfer from or to this broker happened; the latest one counts. */
    void happened(String broker, long unloadedAt) {
        Memory memory = memories.get(broker);
        if (memory == null) {
            return;
        }
        if (!memory.settling) {
            memory.settling = true;
            memory.reportAtPlan = memory.reportTime;
            memory.unloadKnown = false;
        }
        memory.unloadedAt = memory.unloadKnown ? Math.max(memory.unloadedAt, unloadedAt) : unloadedAt;
        memory.unloadKnown = true;
    }

    /** None of the broker's planned transfers happened: it has nothing to settle from. */
    void nothingHappened(String broker) {
        Memory memory = memories.get(broker);
        if (memory != null) {
            memory.settling = false;
        }
    }

    /**
     * Whether a contradiction between the broker's usage and its traffic can be believed: its report was rewritten
     * after it had settled (where it ever had to) and since {@code firstReport}, the one at its first counted hit.
     */
    boolean isFresh(String broker, MultiHitCounter.Hits hits) {
        Memory memory = memories.get(broker);
        if (memory == null || memory.settling || memory.hasSettled && memory.reportWhenSettled == memory.reportTime) {
            return false;
        }
        return hits != null && memory.reportTime != hits.firstReport();
    }

    /** When the broker's present report was first seen, in the plugin's time; {@code now} for one not yet observed. */
    long seenAt(String broker, long reportTime, long now) {
        Memory memory = memories.get(broker);
        return memory == null || memory.reportTime != reportTime ? now : memory.seenAt;
    }
}
