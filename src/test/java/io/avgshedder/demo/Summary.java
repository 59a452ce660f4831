package io.avgshedder.demo;

import io.avgshedder.cluster.Tally;
import java.util.Locale;

/**
 * How the demonstration ended.
 *
 * @param seconds from the cluster being up to the last round
 * @param rounds how many
 * @param moved bundles that reached their target
 * @param spreadBefore hottest score minus coldest in the first round, in points
 * @param spreadAfter the same in the last round
 * @param threshold the low threshold: a cluster below it is level
 * @param messages what became of all messages
 */
record Summary(double seconds, long rounds, long moved, double spreadBefore, double spreadAfter, double threshold,
               Tally messages) {

    static Summary of(Chronicle chronicle, Tally messages) {
        return new Summary(chronicle.last().seconds(), chronicle.moments().size(), chronicle.bundlesMoved(),
                chronicle.moments().get(0).spread(), chronicle.last().spread(), Demo.LOW_THRESHOLD, messages);
    }

    boolean level() {
        return spreadAfter < threshold;
    }

    boolean success() {
        return level() && moved > 0 && messages.lost() == 0 && messages.failed() == 0;
    }

    String sentence() {
        return String.format(Locale.ROOT,
                "%s after %d rounds in %.0f s: %d bundles moved, spread %.1f points before and %.1f after; "
                        + "%,d messages sent, %,d lost, %,d not accepted.",
                level() ? "Level" : "NOT level", rounds, seconds, moved, spreadBefore, spreadAfter,
                messages.sent(), messages.lost(), messages.failed());
    }
}
