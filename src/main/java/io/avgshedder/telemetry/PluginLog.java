package io.avgshedder.telemetry;

import io.avgshedder.core.BrokerScore;
import io.avgshedder.core.Ending;
import io.avgshedder.core.Placed;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Round;
import io.avgshedder.core.Transfer;
import io.avgshedder.core.Verdict;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the plugin writes to the broker's log.
 *
 * <p>A bundle's story is told at INFO by its name: planned, placed (once for each answer), and how it ended. So are the
 * scores behind each plan and every verdict that moved something. A verdict that holds a pair back is told when the
 * broker was not told of for that reason within the last hour, so that a pair that wavers about a threshold does not
 * fill the log; a dry run that comes to the same plan again is told once an hour. Where nothing was to be told for an
 * hour, one line says how level the cluster is. Everything else is at DEBUG.
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
    private static final long HOUR = 60 * 60_000;
    /** Stories that are open; more than any round starts. */
    private static final int MOST_STORIES = 10_000;

    private final Map<String, Map<Reason, Long>> lastSaid = new HashMap<>();
    /** The only thing that placements need here, with a lock of its own: they must not wait for a round's lines. */
    private final Map<String, Placed> stories = new LinkedHashMap<>();
    private List<Transfer> lastTried = List.of();
    private long lastTriedAt;
    private long lastLine;
    private boolean watching;

    /**
     * A strategy object was made; must not throw. Its counters are shown from here on, so that their first step is seen
     * as one, and so that a broker without the plugin is known from one that never led.
     */
    public static void loaded(Class<?> plugin) {
        try {
            Metrics.installed();
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

    /** What is open is never heard of again. */
    public void forgetStories() {
        synchronized (stories) {
            stories.clear();
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
        boolean repeated = isRepeated(round);
        boolean told = !watching || !round.notices().isEmpty() || !round.endings().isEmpty()
                || !round.transfers().isEmpty() && !repeated;
        watching = true;
        round.notices().forEach(LOG::warn);
        for (Ending ending : round.endings()) {
            LOG.info("Round {}: {}", round.number(), ending.sentence());
            forgetStory(ending.transfer().bundle());
        }
        if (!round.transfers().isEmpty() && !repeated) {
            LOG.info("Round {} {} {}; scores {}", round.number(), verb(round),
                    round.transfers().size() == 1 ? "1 bundle" : round.transfers().size() + " bundles", scores(round));
        }
        for (Verdict verdict : round.verdicts()) {
            if (isNews(verdict, repeated, round.time())) {
                told = true;
                LOG.info("Round {} {} {}", round.number(), verdict.reason(), verdict.sentence());
            } else {
                LOG.debug("Round {} {} {}", round.number(), verdict.reason(), verdict.sentence());
            }
        }
        forgetWhoLeft(round);
        for (Transfer transfer : repeated ? List.<Transfer>of() : round.transfers()) {
            forgetStory(transfer.bundle());
            LOG.info("Round {} {} {} from {} to {}", round.number(), verb(round), transfer.bundle(),
                    transfer.source(), transfer.target());
        }
        if (told) {
            lastLine = round.time();
        } else if (round.time() - lastLine >= HOUR) {
            lastLine = round.time();
            LOG.info("Round {} moves nothing, as those of the last hour; {}", round.number(), summary(round));
        }
    }

    /** A dry run would say the same in every round as long as nobody moves it. */
    private boolean isRepeated(Round round) {
        if (!round.dryRun()) {
            lastTried = List.of();
            return false;
        }
        boolean same = round.transfers().equals(lastTried) && round.time() - lastTriedAt < HOUR;
        if (!same) {
            lastTried = round.transfers();
            lastTriedAt = round.time();
        }
        return same;
    }

    private boolean isNews(Verdict verdict, boolean repeated, long now) {
        if (ORDINARY.contains(verdict.reason())) {
            return false;
        }
        Map<Reason, Long> said = lastSaid.computeIfAbsent(verdict.hot(), any -> new EnumMap<>(Reason.class));
        if (NEWS.contains(verdict.reason())) {
            said.clear();
            return !repeated;
        }
        Long before = said.get(verdict.reason());
        boolean isNews = before == null || now - before >= HOUR;
        said.put(verdict.reason(), now);
        return isNews;
    }

    private void forgetWhoLeft(Round round) {
        Set<String> present = new HashSet<>();
        round.brokers().forEach(score -> present.add(score.broker()));
        round.verdicts().forEach(verdict -> present.add(verdict.hot()));
        lastSaid.keySet().retainAll(present);
    }

    /** Such as {@code 3 brokers from 40.1 (A) to 34.0 (C); 1 BELOW_THRESHOLD, 1 NOTHING_FITS}. */
    private static String summary(Round round) {
        List<BrokerScore> scores = round.brokers();
        String spread = scores.isEmpty() ? "no broker has a score" : scores.size() + " brokers from "
                + edge(scores.get(0)) + " to " + edge(scores.get(scores.size() - 1));
        Map<Reason, Integer> counts = new EnumMap<>(Reason.class);
        round.verdicts().forEach(verdict -> counts.merge(verdict.reason(), 1, Integer::sum));
        return counts.isEmpty() ? spread : spread + "; " + counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey()).collect(Collectors.joining(", "));
    }

    private static String edge(BrokerScore score) {
        return String.format(Locale.ROOT, "%.1f (%s)", score.score(), score.broker());
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

    /**
     * A placement.
     *
     * @param bundle    {@code null} where its name is not known
     * @param isPlanned whether it belongs to a transfer; only then it has a story
     */
    public void placed(String bundle, boolean isPlanned, Placed placed) {
        if (isPlanned && isNew(bundle, placed)) {
            LOG.info("Placing {} on {}: {}", bundle, placed.broker(), placed.reason());
        } else if (LOG.isDebugEnabled()) {
            LOG.debug("Placing {} on {}: {}", bundle == null ? "a bundle" : bundle, placed.broker(), placed.reason());
        }
    }

    /** The load manager asks at least twice for one move. */
    private boolean isNew(String bundle, Placed placed) {
        synchronized (stories) {
            if (stories.size() >= MOST_STORIES && !stories.containsKey(bundle)) {
                stories.remove(stories.keySet().iterator().next());
            }
            return !placed.equals(stories.put(bundle, placed));
        }
    }

    private void forgetStory(String bundle) {
        synchronized (stories) {
            stories.remove(bundle);
        }
    }
}
