package io.avgshedder.telemetry;

import io.avgshedder.core.Placed;
import io.avgshedder.core.PlacementReason;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows one load manager's plugin to metrics and JMX, until closed. Nothing that fails in here reaches the broker.
 *
 * <p>A state is taken for the leader's as long as its last sign of life, a round or the placement of a bundle as planned,
 * is not older than two and a half shedding intervals: nobody tells a strategy that its broker leads no more.
 */
public final class StateTelemetry implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StateTelemetry.class);
    private static final double LEADING_INTERVALS = 2.5;
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Watched watched;
    private final Metrics metrics;
    private final RecentRounds rounds = new RecentRounds();
    private volatile RoundReport last;
    private volatile long lastSign;
    private volatile ObjectName name;

    private StateTelemetry(Watched watched, Metrics metrics) {
        this.watched = watched;
        this.metrics = metrics;
    }

    /** Shows a load manager from here on. */
    public static StateTelemetry of(Watched watched) {
        return of(watched, Metrics.installed());
    }

    static StateTelemetry of(Watched watched, Metrics metrics) {
        StateTelemetry telemetry = new StateTelemetry(watched, metrics);
        telemetry.guarded(() -> telemetry.metrics.watch(telemetry));
        telemetry.guarded(telemetry::manage);
        return telemetry;
    }

    private void manage() {
        try {
            while (name == null) {
                name = registered(new ObjectName("io.avgshedder:type=AvgShedder,name=" + NUMBERS.incrementAndGet()));
            }
        } catch (JMException e) {
            LOG.warn("The plugin is not shown over JMX: {}", e.toString());
        }
    }

    /** {@code null} where the name is taken: the plugin may be in this process twice, by two class loaders. */
    private ObjectName registered(ObjectName free) throws JMException {
        try {
            return ManagementFactory.getPlatformMBeanServer().registerMBean(new ManagedState(this), free).getObjectName();
        } catch (InstanceAlreadyExistsException e) {
            return null;
        }
    }

    /** A round was taken. */
    public void round(RoundReport report) {
        guarded(() -> {
            last = report;
            lastSign = report.round().time();
            rounds.add(report.round());
            metrics.round(report.round());
        });
    }

    /** A bundle was placed. */
    public void placed(Placed placed) {
        guarded(() -> {
            if (placed.reason() == PlacementReason.PLANNED && last != null) {
                lastSign = Math.max(lastSign, watched.now());
            }
            metrics.placed(placed.reason());
        });
    }

    /** The load manager is gone. */
    @Override
    public void close() {
        guarded(() -> metrics.forget(this));
        guarded(() -> {
            ObjectName registered = name;
            name = null;
            if (registered != null) {
                try {
                    ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
                } catch (JMException e) {
                    LOG.debug("{} was not registered any more: {}", registered, e.toString());
                }
            }
        });
    }

    private void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("The plugin's figures are not complete: {}", e.toString(), e);
        }
    }

    // ---- asked by those who show it

    Watched watched() {
        return watched;
    }

    /** The last round; {@code null} before the first. */
    RoundReport last() {
        return last;
    }

    long lastSign() {
        return lastSign;
    }

    boolean isLeading() {
        RoundReport report = last;
        return report != null && watched.now() - lastSign <= LEADING_INTERVALS * report.sheddingIntervalMillis();
    }

    /** How long the report that was the oldest in the last round has not changed by now, in milliseconds. */
    long oldestReportAge() {
        RoundReport report = last;
        return report.oldestReportAgeMillis() + Math.max(0, watched.now() - report.round().time());
    }

    List<String> recentRounds() {
        return rounds.lines();
    }

    /** Under which it is shown over JMX; {@code null} where it is not. */
    ObjectName name() {
        return name;
    }
}
