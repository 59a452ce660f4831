package io.avgshedder.soak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * Whatever was thrown inside the plugin and caught at its door, which shows as an error with a trace in its log. All else
 * that it logs is left out meanwhile.
 */
final class PluginFailures implements AutoCloseable {

    private static final String LOGGER = "io.avgshedder.AvgShedder";

    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    PluginFailures() {
        Recorder recorder = new Recorder();
        recorder.start();
        LoggerConfig quiet = new LoggerConfig(LOGGER, Level.ERROR, false);
        quiet.addAppender(recorder, Level.ERROR, null);
        context.getConfiguration().addLogger(LOGGER, quiet);
        context.updateLoggers();
    }

    /** Throws the first one. */
    void check() {
        if (!failures.isEmpty()) {
            throw new AssertionError("nothing is thrown inside the plugin: " + failures.get(0), failures.get(0));
        }
    }

    void clear() {
        failures.clear();
    }

    @Override
    public void close() {
        Configuration configuration = context.getConfiguration();
        configuration.removeLogger(LOGGER);
        context.updateLoggers();
    }

    private final class Recorder extends AbstractAppender {

        private Recorder() {
            super("plugin failures", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            if (event.getThrown() != null) {
                failures.add(event.getThrown());
            }
        }
    }
}
