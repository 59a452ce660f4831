package io.avgshedder.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at every broker again and again, and writes a round a minute. */
final class Recording {

    private static final Duration SHORTEST = Duration.ofMillis(100);

    private final RecordCommand options;
    private final PrintWriter err;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Map<String, String> told = new HashMap<>();
    private long rounds;

    Recording(RecordCommand options, PrintWriter err) {
        this.options = options;
        this.err = err;
    }

    /** Returns the exit status. */
    int run() throws InterruptedException {
        if (options.interval.compareTo(SHORTEST) < 0 || options.roundInterval.compareTo(options.interval) < 0) {
            throw new UserError("--interval: must be from 100ms to --round-interval");
        }
        try (Cluster cluster = new Cluster(options.admin); TraceFile file = TraceFile.open(options.trace)) {
            if (file.repair() != null) {
                err.println(options.trace + ": " + file.repair());
            }
            Pseudonyms pseudonyms = KeyFile.pseudonyms(options.trace, options.anonymize, file.isEmpty());
            Recorder recorder = new Recorder(file, pseudonyms);
            Thread hook = new Thread(() -> end(file), "stop");
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                record(cluster, recorder);
            } finally {
                removeHook(hook);
            }
        }
        return Main.OK;
    }

    private void end(TraceFile file) {
        stop.countDown();
        file.close();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyStopping) {
            return;
        }
    }

    private void record(Cluster cluster, Recorder recorder) throws InterruptedException {
        Map<String, String> settings = settings(cluster);
        boolean isCurrent = look(cluster, recorder);
        if (recorder.size() == 0) {
            throw new UserError("no broker has a load report that can be recorded");
        }
        recorder.conf(settings);
        long start = System.nanoTime();
        long end = options.duration == null ? Long.MAX_VALUE : options.duration.toNanos();
        long nextRound = 0;
        while (true) {
            long elapsed = System.nanoTime() - start;
            if (isCurrent && elapsed >= nextRound) {
                round(recorder);
                nextRound = next(elapsed, options.roundInterval);
            }
            long wait = Math.min(next(elapsed, options.interval), end) - (System.nanoTime() - start);
            if (stop.await(Math.max(0, wait), TimeUnit.NANOSECONDS) || System.nanoTime() - start >= end) {
                return;
            }
            isCurrent = look(cluster, recorder);
        }
    }

    /** The first multiple of an interval after an instant. */
    private static long next(long elapsed, Duration interval) {
        return (elapsed / interval.toNanos() + 1) * interval.toNanos();
    }

    private void round(Recorder recorder) {
        long now = System.currentTimeMillis();
        if (recorder.round(now)) {
            rounds++;
            err.println(RoundTable.time(now) + "  round " + rounds + ", "
                    + RoundTable.count(recorder.size(), "broker"));
        } else if (stop.getCount() > 0) {
            err.println(RoundTable.time(now) + "  the clock is behind the last line of " + options.trace
                    + ": this round is not recorded");
        }
    }

    /** Asks every broker once; returns whether it is known which brokers are active. */
    private boolean look(Cluster cluster, Recorder recorder) {
        List<String> brokers;
        try {
            brokers = cluster.brokers();
            tell("", null);
        } catch (AdminException e) {
            tell("", e.getMessage());
            return false;
        }
        recorder.active(brokers);
        told.keySet().removeIf(broker -> !broker.isEmpty() && !brokers.contains(broker));
        Map<String, Outcome<ObjectNode>> answers = cluster.askAll(brokers, cluster::modularReport);
        answers.forEach((broker, answer) -> {
            tell(broker, answer.failure());
            if (answer.isAnswer()) {
                recorder.seen(broker, answer.value());
            }
        });
        return true;
    }

    /** Says a failure when it begins, and when it is over. */
    private void tell(String broker, String failure) {
        String before = failure == null ? told.remove(broker) : told.put(broker, failure);
        if (failure != null && !failure.equals(before)) {
            err.println("Warning: " + failure);
        } else if (failure == null && before != null) {
            err.println((broker.isEmpty() ? "the list of brokers" : broker) + " answers again");
        }
    }

    private Map<String, String> settings(Cluster cluster) {
        List<String> brokers;
        try {
            brokers = cluster.brokers();
        } catch (AdminException e) {
            throw new UserError(e.getMessage(), e);
        }
        Map<String, String> lines = new TreeMap<>();
        try {
            lines.putAll(ClusterConf.lines(ClusterConf.firstTold(cluster, brokers)));
        } catch (AdminException e) {
            err.println("Warning: the cluster's settings are not recorded: " + e.getMessage());
        }
        if (options.conf != null) {
            Map<String, String> written = BrokerConf.read(options.conf);
            written.keySet().removeIf(key -> !ClusterConf.isConcerned(key));
            lines.putAll(written);
        } else {
            err.println("The settings are those that the brokers tell; give broker.conf with --conf to record those of "
                    + "this plugin that Pulsar does not declare.");
        }
        return lines;
    }
}
