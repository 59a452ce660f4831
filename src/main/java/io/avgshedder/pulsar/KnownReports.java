package io.avgshedder.pulsar;

import io.avgshedder.core.BrokerLoad;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * The brokers' reports as lookups see them: each is read once.
 *
 * <p>The naive rule reads every candidate's report at every lookup. With 1,000 candidates that makes half a megabyte of
 * objects and takes half a millisecond, to learn what it learnt a moment ago: a report is rewritten once a minute or
 * less. The load manager puts a new object in a report's place, and some versions date an object anew that they change in
 * place; so here a reading is good as long as the report is the same object with the same {@code lastUpdate}. That is
 * looked at for each candidate at each lookup, which is a few nanoseconds, and nothing depends on being told.
 *
 * <p>The candidates are given in the order of their names, and as the same list as long as nothing of them has changed,
 * by which whoever computes from them knows that too.
 *
 * <p>Holds one reading for each broker of the load data, and those of brokers that left until the next round. Safe for
 * use by several threads.
 */
final class KnownReports {

    /** What was read of one broker. */
    private static final class Reading {
        private final String broker;
        private LocalBrokerData report;
        private long reportTime;
        private BrokerLoad load;

        private Reading(String broker) {
            this.broker = broker;
        }

        /** The broker's report now; {@code null} where there is none. */
        private BrokerLoad load(BrokerData data, LoadData loadData, TimeSource clock) {
            LocalBrokerData now = data == null ? null : data.getLocalData();
            if (now == null) {
                report = null;
                load = null;
            } else if (now != report || now.getLastUpdate() != reportTime) {
                // The time first: what changes while it is read is then dated anew and read again.
                long time = now.getLastUpdate();
                load = LoadDataReader.broker(broker, now, loadData, clock);
                report = now;
                reportTime = time;
            }
            return load;
        }
    }

    private final Map<String, Reading> readings = new HashMap<>();
    private Reading[] ordered = {};
    private List<BrokerLoad> last = List.of();

    /** One broker's report; {@code null} where there is none. */
    synchronized BrokerLoad of(String broker, LoadData loadData, TimeSource clock) {
        BrokerData data = loadData.getBrokerData().get(broker);
        Reading reading = readings.get(broker);
        if (reading != null) {
            return reading.load(data, loadData, clock);
        }
        return data == null ? null : new Reading(broker).load(data, loadData, clock);
    }

    /** The reports of the candidates that have one, in the order of their names. */
    synchronized List<BrokerLoad> of(Set<String> candidates, LoadData loadData, TimeSource clock) {
        if (look(candidates, loadData, clock) < candidates.size() && admit(candidates, loadData)) {
            look(candidates, loadData, clock);
        }
        return last;
    }

    /**
     * Brings {@link #last} up to date, which stays the same list where it is. Returns how many of the candidates are
     * known, with a report or without.
     */
    private int look(Set<String> candidates, LoadData loadData, TimeSource clock) {
        Map<String, BrokerData> brokers = loadData.getBrokerData();
        List<BrokerLoad> changed = null;
        int same = 0;
        int known = 0;
        for (Reading reading : ordered) {
            if (!candidates.contains(reading.broker)) {
                continue;
            }
            known++;
            BrokerLoad load = reading.load(brokers.get(reading.broker), loadData, clock);
            if (load == null) {
                continue;
            }
            if (changed == null && same < last.size() && last.get(same) == load) {
                same++;
                continue;
            }
            if (changed == null) {
                changed = new ArrayList<>(last.subList(0, same));
            }
            changed.add(load);
        }
        if (changed != null) {
            last = List.copyOf(changed);
        } else if (same < last.size()) {
            last = List.copyOf(last.subList(0, same));
        }
        return known;
    }

    /** Makes room for candidates that are not known yet; false where there is none that has a report. */
    private boolean admit(Set<String> candidates, LoadData loadData) {
        boolean any = false;
        for (String candidate : candidates) {
            if (candidate != null && !readings.containsKey(candidate)
                    && loadData.getBrokerData().containsKey(candidate)) {
                readings.put(candidate, new Reading(candidate));
                any = true;
            }
        }
        if (any) {
            retain(loadData);
            ordered = ordered();
        }
        return any;
    }

    /** Forgets brokers that left. */
    synchronized void retain(LoadData loadData) {
        if (readings.keySet().retainAll(loadData.getBrokerData().keySet())) {
            ordered = ordered();
            last = List.of();
        }
    }

    private Reading[] ordered() {
        return readings.values().stream().sorted(Comparator.comparing(reading -> reading.broker))
                .toArray(Reading[]::new);
    }

    /** How many brokers something is remembered of. */
    synchronized int size() {
        return readings.size();
    }
}
