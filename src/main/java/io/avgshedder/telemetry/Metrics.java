package io.avgshedder.telemetry;

import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Round;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the figures of all load managers of this process go. */
interface Metrics {

    /** For brokers without a metrics library. */
    Metrics NONE = new Metrics() {
    };

    /** Shows a load manager's figures from here on. */
    default void watch(StateTelemetry state) {
    }

    /** Shows them no more. */
    default void forget(StateTelemetry state) {
    }

    default void round(Round round) {
    }

    default void placed(PlacementReason reason) {
    }

    /** A round or a placement failed inside the plugin. */
    default void failed() {
    }

    /** The one that is in use, chosen at the first call: the broker's {@code /metrics} where the library is there. */
    static Metrics installed() {
        return Installed.METRICS;
    }

    /** Holds the choice. The metrics library's classes are loaded inside the {@code try} and nowhere else. */
    final class Installed {

        private static final Metrics METRICS = choose();

        private Installed() {
        }

        private static Metrics choose() {
            try {
                return PrometheusMetrics.registered();
            } catch (RuntimeException | LinkageError e) {
                Logger log = LoggerFactory.getLogger(Metrics.class);
                if (e instanceof LinkageError) {
                    log.debug("This broker has no Prometheus client, and the plugin no metrics: {}", e.toString());
                } else {
                    log.warn("The plugin's metrics could not be registered, and are not shown: {}", e.toString());
                }
                return NONE;
            }
        }
    }
}
