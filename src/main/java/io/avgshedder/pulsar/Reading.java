package io.avgshedder.pulsar;

import io.avgshedder.core.Settings;
import java.util.List;

/** The settings of this moment, with the problems that were not told before. */
record Reading(Settings settings, List<Problem> problems) {
}
