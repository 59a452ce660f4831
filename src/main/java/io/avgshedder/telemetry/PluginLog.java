package io.avgshedder.telemetry;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Placed;
import io.avgshedder.core.PlacementReason;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the plugin writes to the broker's log. A round in which something happened is told at INFO: each verdict that
 * moved something, each that holds a pair back and did not do so in the round before, one line for each transfer, and
 * the scores behind them. Quiet rounds are told at DEBUG.
 *
 * <p>Lines carry the plugin's full class name, because the load manager prints the simple one, which the broker's
 * built-in strategy shares.
 */
public final class PluginLog {

    private static final Logger LOG = LoggerFactory.getLogger("io.avgshedder.AvgShedder");
    /** Verdicts that come and go in a healthy cluster. */
    private static final Set<Reason> ORDINARY = EnumSet.of(Reason.BELOW_THRESHOLD, Reason.COUNTING, Reason.SETTLING);
    /** Verdicts that are told each time. */
    private static final Set<Reason> NEWS = EnumSet.of(Reason.MOVED, Reason.DRY_RUN);
    private static final int MOST_SCORES = 40;

    private final Map<String, Reason> lastSaid = new HashMap<>();

    /** A strategy object was made; must not throw. */
    public static void loaded(Class<?> plugin) {
        try {
            Package manifest = plugin.getPackage();
            String version = manifest == null ? null : manifest.getImplementationVersion();
            LOG.info("pulsar-avg-shedder {} loaded: {}", version == null ? "(unpackaged)" : version, plugin.getName());
        } catch (Throwable failure) {
            failed("The start-up line could not be written", failure);
        }
    }

    /** Something went wrong inside the plugin; {@code consequence} tells the operator what that means. */
    public static void failed(String consequence, Throwable failure) {
        try {
            LOG.error("{}: {}", consequence, failure.toString(), failure);
            Metrics.installed().failed();
        } catch (Throwable nothingLeftToTry) {
            return;
        }
    }

    /** The effective settings, each with its origin. */
    public void effective(List<String> set, List<String> asByDefault) {
        LOG.info("First round of this broker as leader, with {}; and as by default {}",
                set.isEmpty() ? "no setting of its own" : String.join(", ", set), String.join(", ", asByDefault));
    }

    /** A setting that has changed at run time. */
    public void changed(String setting, String before) {
        LOG.info("Changed: {}, was {}", setting, before);
    }

    /** A mistake in the settings. */
    public void problem(boolean isError, String message) {
        if (isError) {
            LOG.error(message);
        } else {
            LOG.warn(message);
        }
    }

    public synchronized void round(Round round) {
        round.notices().forEach(LOG::warn);
        if (!round.transfers().isEmpty()) {
            LOG.info("Round {} {} {} bundles; scores {}", round.number(), verb(round), round.transfers().size(),
                    scores(round));
        }
        Set<String> present = new HashSet<>();
        for (Verdict verdict : round.verdicts()) {
            present.add(verdict.hot());
            Reason before = lastSaid.put(verdict.hot(), verdict.reason());
            boolean isNews = !ORDINARY.contains(verdict.reason())
                    && (NEWS.contains(verdict.reason()) || verdict.reason() != before);
            if (isNews) {
                LOG.info("Round {} {} {}", round.number(), verdict.reason(), verdict.sentence());
            } else {
                LOG.debug("Round {} {} {}", round.number(), verdict.reason(), verdict.sentence());
            }
        }
        lastSaid.keySet().retainAll(present);
        for (Transfer transfer : round.transfers()) {
            LOG.info("Round {} {} {} from {} to {}", round.number(), verb(round), transfer.bundle(),
                    transfer.source(), transfer.target());
        }
    }

    private static String verb(Round round) {
        return round.dryRun() ? "would move" : "moves";
    }

    private static String scores(Round round) {
        List<BrokerScore> scores = round.brokers();
        String text = scores.stream().limit(MOST_SCORES).map(score -> String.format(Locale.ROOT, "%s %.1f %s",
                score.broker(), score.score(), score.metric().label())).collect(Collectors.joining(", "));
        return scores.size() <= MOST_SCORES ? text : text + " and " + (scores.size() - MOST_SCORES) + " colder ones";
    }

    /** A placement; {@code bundle} is {@code null} where its name is not known. */
    public void placed(String bundle, Placed placed) {
        if (bundle != null && placed.reason() != PlacementReason.PLANNED) {
            LOG.info("Placing {} on {}: {}", bundle, placed.broker(), placed.reason());
        } else if (LOG.isDebugEnabled()) {
            LOG.debug("Placing {} on {}: {}", bundle == null ? "a bundle" : bundle, placed.broker(), placed.reason());
        }
    }
}
