package io.avgshedder.distribution;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;

/** How a broker writes the lines of its log. */
final class BrokerLog {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss,SSSZ");

    private BrokerLog() {
    }

    /** When a line was written. */
    static Instant timeOf(String line) {
        return OffsetDateTime.parse(line.substring(0, line.indexOf(' ')), TIME).toInstant();
    }
}
