package io.avgshedder.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** Listens to what is logged below one logger name, in this JVM, until closed. */
public final class LogEvents implements AutoCloseable {

    /** @param logger the full name of the logger that was called */
    public record Line(Level level, String logger, String message) {
    }

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final LoggerConfig config;
    private final Recorder recorder;

    public LogEvents(String logger) {
        LoggerContext context = (LoggerContext) LogManager.getContext(false);
        config = context.getConfiguration().getLoggerConfig(logger);
        recorder = new Recorder();
        recorder.start();
        config.addAppender(recorder, null, null);
    }

    /** All lines so far, in the order in which they were written. */
    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** The messages of a level that contain the text. */
    public List<String> messages(Level level, String text) {
        return lines.stream()
                .filter(line -> line.level() == level && line.message().contains(text))
                .map(Line::message)
                .toList();
    }

    public void clear() {
        lines.clear();
    }

    @Override
    public void close() {
        config.removeAppender(recorder.getName());
        recorder.stop();
    }

    private final class Recorder extends AbstractAppender {

        private Recorder() {
            super("recorder-" + System.identityHashCode(LogEvents.this), null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(new Line(event.getLevel(), event.getLoggerName(), event.getMessage().getFormattedMessage()));
        }
    }
}
