package io.avgshedder.telemetry;

import io.avgshedder.core.Round;
import io.avgshedder.core.UnloadLimits;

/**
 * A round with what is known around it.
 *
 * @param round                  what it saw and decided
 * @param limits                 the unload budget that held
 * @param sheddingIntervalMillis how often rounds come, in the plugin's time
 * @param oldestReportAgeMillis  how long the report that is oldest had not changed, in the plugin's time
 * @param durationNanos          how long the round took to read and decide, in wall time
 */
public record RoundReport(Round round, UnloadLimits limits, long sheddingIntervalMillis, long oldestReportAgeMillis,
                          long durationNanos) {
}
