package io.avgshedder.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Decides where a bundle goes, and remembers what was decided: shed targets, load on its way, and refusals.
 *
 * <p>The naive rule answers the broker with the lowest score. It ignores why the bundle was unloaded, so the hot broker
 * itself is a fair candidate; and it answers the same broker to every lookup until a report changes. Here
 *
 * <ol>
 * <li>a live shed target wins if it is a candidate, its report is not stale, and it is below the overload threshold;
 * <li>otherwise the candidate with the lowest <em>predicted</em> score wins: the reported one and what is on its way.
 *     A bundle's points are its traffic times the cluster's points per traffic, at the candidate's capacity; a bundle
 *     without history counts as an average one. Ties go to the broker with fewer bundles, then round robin. Overloaded,
 *     stale and draining brokers are taken only where there is no other;
 * <li>a bundle whose shed target cannot be had goes back to its source unless another candidate would, by the plan's own
 *     forecast, end below what the source has then. The load manager then leaves it where it is.
 * </ol>
 *
 * <p>A candidate without any known metric is passed over; where that holds for all of them (brokers that have just been
 * started, machines without figures, weights that are all 0) the number of bundles decides, because a lookup that gets no
 * answer fails.
 *
 * <p>An answer does not consume its target, and the same question gets the same answer while that can be had.
 *
 * <p>Thread-safe: one lock, held for the time of one decision, never while anything outside is called. Rounds take it
 * three times, briefly: to learn what has to be looked for in the reports, to settle the past by what was found there,
 * and to remember the plan. They read the reports, which in a large cluster list a million bundles, and plan without it.
 */
public final class Placement {

    private final RandomGenerator random;
    private final Map<String, ShedTarget> targets = new LinkedHashMap<>();
    /** The keys of {@link #targets}, for lookups, which need them by the thousand. */
    private volatile List<String> plannedBundles = List.of();
    private final InFlight inFlight = new InFlight();
    private final Map<String, InFlight.Entry> relief = new HashMap<>();
    private final Refusals refusals = new Refusals();
    private final Map<String, Long> staleReports = new HashMap<>();
    private final Orphans orphans = new Orphans();
    private long lastPlacement = Long.MIN_VALUE;
    private String cursor = "";
    /** The candidates of the question asked last; {@code null} where they have to be measured anew. */
    private Candidates lastAsked;

    Placement(RandomGenerator random) {
        this.random = Objects.requireNonNull(random, "random");
    }

    /**
     * A bundle to be placed: its traffic, and whether that was ever measured.
     *
     * @param plannedName its name, {@code null} where that is not known
     * @param owner       the report of the broker that still has the bundle, where the question comes before the unload:
     *                    that broker may be answered although the filters left it out; else {@code null}
     */
    public record Question(String plannedName, Object identity, BundleLoad load, boolean hasHistory,
                           BrokerLoad owner) {

        /** A question of a lookup, which needs an answer among the candidates. */
        public Question(String plannedName, Object identity, BundleLoad load, boolean hasHistory) {
            this(plannedName, identity, load, hasHistory, null);
        }
    }

    /** A live shed target, for those who look from outside; times in milliseconds of the plugin's clock. */
    public record LiveTarget(String bundle, String source, String target, long since) {
    }

    /**
     * A target that the load manager's filters refuse, for those who look from outside.
     *
     * @param namespace whose bundles; {@code null} for a target that takes nothing at all
     * @param until     when it is forgotten, in milliseconds of the plugin's clock
     */
    public record LearntRefusal(String namespace, String target, long until) {
    }

    // ---- asked by lookups

    /** The names of bundles that have a live shed target; few. */
    public List<String> plannedBundles() {
        return plannedBundles;
    }

    /** Where the bundle of this name should go, {@code null} where nothing is remembered. */
    public synchronized String plannedTarget(String bundle, long now) {
        ShedTarget target = live(bundle, now);
        return target == null ? null : target.target();
    }

    /** The broker that the bundle of this name was to leave, {@code null} where nothing is remembered. */
    public synchronized String plannedSource(String bundle, long now) {
        ShedTarget target = live(bundle, now);
        return target == null ? null : target.source();
    }

    /** Every live shed target, in the order of planning. */
    public synchronized List<LiveTarget> liveTargets(long now) {
        return targets.values().stream().filter(target -> target.isAlive(now) && target.target() != null)
                .map(target -> new LiveTarget(target.bundle(), target.source(), target.target(), target.planTime()))
                .toList();
    }

    /** How many refusals are remembered. */
    public synchronized int refusalCount() {
        return refusals.size();
    }

    /** The refusals that count now. */
    public synchronized List<LearntRefusal> learntRefusals(long now) {
        return refusals.list(now);
    }

    /** How many bundles are on their way. */
    public synchronized int inFlightCount() {
        return inFlight.all().values().stream().mapToInt(InFlight.Sum::bundles).sum();
    }

    private ShedTarget live(String bundle, long now) {
        ShedTarget target = bundle == null ? null : targets.get(bundle);
        return target != null && target.isAlive(now) ? target : null;
    }

    /**
     * Answers the remembered target of a bundle, if it can be had. Looks at that one broker only.
     *
     * @param isCandidate whether the target is among the candidates
     * @param load        the target's report, {@code null} where it has none
     * @return {@code null} where the question has to be put to {@link #place}
     */
    public synchronized Placed placeAsPlanned(String bundle, boolean isCandidate, BrokerLoad load, Settings settings,
                                              long now) {
        ShedTarget target = live(bundle, now);
        if (target == null || target.target() == null) {
            return null;
        }
        boolean able = load != null && load.name().equals(target.target()) && !isStale(load)
                && isBelowOverload(load, settings);
        if (able && isCandidate) {
            record(target, load, target.reason(), settings, now);
            return new Placed(target.target(), target.reason());
        }
        if (able && target.reason() == PlacementReason.PLANNED) {
            learnRefusal(bundle, load, settings, now);
        }
        target.refuse();
        return null;
    }

    private void learnRefusal(String bundle, BrokerLoad target, Settings settings, long now) {
        long until = now + settings.memoryMillis();
        if (settings.maxTopicsPerBroker() > 0 && target.topicCount() >= settings.maxTopicsPerBroker()) {
            refusals.learnAll(target.name(), until);
        } else {
            refusals.learn(BundleRange.namespace(bundle), target.name(), until);
        }
    }

    private static boolean isBelowOverload(BrokerLoad broker, Settings settings) {
        BrokerScore score = BrokerScore.of(broker, settings);
        return score != null && score.score() < settings.overloadThreshold();
    }

    private boolean isStale(BrokerLoad broker) {
        Long stale = staleReports.get(broker.name());
        return stale != null && stale == broker.reportTime();
    }

    /**
     * Chooses a broker for a bundle that has no target, or whose target cannot be had.
     *
     * @param candidates the reports of the candidates that have one; not changed any more by whoever made the list, so
     *                   that the same list and the same settings need not be measured again
     * @return {@code null} where no candidate has a report
     */
    public synchronized Placed place(Question question, List<BrokerLoad> candidates, Settings settings, long now) {
        ShedTarget target = live(question.plannedName(), now);
        Object key = target != null ? target.bundle() : new InFlight.Identity(question.identity());
        InFlight.Entry before = inFlight.withdraw(key);
        if (target != null) {
            relief.remove(target.bundle());
        }
        inFlight.expire(settings.longestReportIntervalMillis(), now);
        Candidates all = predicted(candidates, settings);
        if (all.isEmpty()) {
            return null;
        }
        String previous = before == null ? "" : before.broker();
        return target == null ? placeUnplanned(question, key, all, previous, settings, now)
                : placeElsewhere(target, all, question.owner(), previous, settings, now);
    }

    private Candidates predicted(List<BrokerLoad> loads, Settings settings) {
        if (lastAsked == null || !lastAsked.isFor(loads, settings)) {
            lastAsked = new Candidates(loads, settings, inFlight, this::isStale);
        }
        lastAsked.predict(inFlight);
        return lastAsked;
    }

    private Placed placeUnplanned(Question question, Object key, Candidates all, String previous, Settings settings,
                                  long now) {
        BundleLoad load = question.hasHistory() ? question.load() : orphans.figures(question.plannedName(), now);
        double weight = all.weight(load == null ? question.load() : load, load != null);
        Candidates.Candidate chosen = all.choose(previous, cursor, random, candidate -> true);
        put(key, chosen, weight / chosen.capacity(), question.load(), now);
        return new Placed(chosen.load().name(), all.reason());
    }

    private Placed placeElsewhere(ShedTarget target, Candidates all, BrokerLoad owner, String previous,
                                  Settings settings, long now) {
        Candidates.Candidate candidate = all.named(target.source());
        BrokerLoad source = candidate != null ? candidate.load() : owner;
        BrokerScore score = source == null ? null : BrokerScore.of(source, settings);
        double staying = score == null ? Double.POSITIVE_INFINITY
                : score.score() - reliefOf(target.source()) - reliefToCome(target, now);
        Candidates.Candidate other = all.choose(previous, cursor, random, each -> score == null || each != candidate
                && each.predicted() + target.planned().points(each.load(), settings) < staying);
        if (other == null) {
            record(target, source, PlacementReason.STAYED, settings, now);
            return new Placed(target.source(), PlacementReason.STAYED);
        }
        PlacementReason reason = all.reason();
        record(target, other.load(), reason, settings, now);
        return new Placed(other.load().name(), reason);
    }

    /** What the source will lose by the rest of its round's plan, as far as no filter is known to refuse it. */
    private double reliefToCome(ShedTarget asked, long now) {
        double points = 0;
        for (ShedTarget other : targets.values()) {
            boolean isToCome = other != asked && other.source().equals(asked.source()) && other.isAlive(now)
                    && !other.hasHappened() && !relief.containsKey(other.bundle()) && other.target() != null
                    && !other.target().equals(other.source())
                    && !refusals.refuses(BundleRange.namespace(other.bundle()), other.target());
            points += isToCome ? other.planned().sourcePoints() : 0;
        }
        return points;
    }

    private double reliefOf(String source) {
        double points = 0;
        for (InFlight.Entry entry : relief.values()) {
            if (entry.broker().equals(source)) {
                points += entry.points();
            }
        }
        return points;
    }

    /** Notes an answer for a planned bundle: its load is on the way, and its source is relieved. */
    private void record(ShedTarget target, BrokerLoad load, PlacementReason reason, Settings settings, long now) {
        PlannedTransfer planned = target.planned();
        String broker = load.name();
        target.answer(broker, reason, load.reportTime(), now);
        if (broker.equals(target.source())) {
            inFlight.remove(target.bundle());
            relief.remove(target.bundle());
        } else {
            inFlight.put(target.bundle(), new InFlight.Entry(broker, planned.points(load, settings), planned.load(),
                    planned.metric(), now), score(load, settings));
            relief.put(target.bundle(), new InFlight.Entry(target.source(), planned.sourcePoints(), planned.load(),
                    planned.metric(), now));
        }
        lastPlacement = now;
    }

    private void put(Object key, Candidates.Candidate chosen, double points, BundleLoad load, long now) {
        String broker = chosen.load().name();
        inFlight.put(key, new InFlight.Entry(broker, points, load, chosen.score().metric(), now),
                chosen.score().score());
        cursor = broker;
    }

    // ---- asked by rounds

    /**
     * What a round learns at its start of the transfers planned before it.
     *
     * @param lastPlacement when a planned bundle was last answered; {@link Long#MIN_VALUE} where none ever was
     */
    record Review(List<ShedTarget> happened, List<ShedTarget> dropped, List<Transfer> failed,
                  List<Transfer> proved, List<Ending> endings, Map<String, InFlight.Sum> onTheWay, Refusals refusals,
                  long lastPlacement) {
    }

    /** Settles the past: which transfers happened, which targets and loads have arrived or ended. */
    Review review(ClusterSnapshot snapshot, Evidence evidence, Settings settings, long now) {
        Map<String, BrokerLoad> brokers = new HashMap<>();
        snapshot.brokers().forEach(broker -> brokers.put(broker.name(), broker));
        Search search = search(brokers, settings, now);
        Set<String> split = search.splits.find(snapshot.brokers());
        Set<String> found = Orphans.listed(search.orphans, snapshot.brokers());
        return settle(snapshot, brokers, split, found, evidence, settings, now);
    }

    /** What has to be looked for in the reports' bundles. */
    private record Search(Splits splits, Set<String> orphans) {
    }

    private synchronized Search search(Map<String, BrokerLoad> brokers, Settings settings, long now) {
        Splits splits = new Splits();
        for (ShedTarget target : targets.values()) {
            splits.lookFor(target.bundle(), target.source());
            if (target.target() != null) {
                splits.lookFor(target.bundle(), target.target());
            }
        }
        return new Search(splits, orphans.observe(brokers, now, settings));
    }

    private synchronized Review settle(ClusterSnapshot snapshot, Map<String, BrokerLoad> brokers, Set<String> split,
                                       Set<String> foundOrphans, Evidence evidence, Settings settings, long now) {
        staleReports.clear();
        lastAsked = null;
        inFlight.takeChanged();
        for (BrokerLoad broker : snapshot.brokers()) {
            if (evidence.isStale(broker.name(), settings, now)) {
                staleReports.put(broker.name(), broker.reportTime());
            }
        }
        refusals.expire(now);
        orphans.removeAll(foundOrphans);
        List<ShedTarget> happened = new ArrayList<>();
        List<ShedTarget> dropped = new ArrayList<>();
        List<Transfer> failed = new ArrayList<>();
        List<Transfer> proved = new ArrayList<>();
        List<Ending> endings = new ArrayList<>();
        targets.values().removeIf(target -> {
            boolean known = target.hasHappened();
            if (!known && !target.resolve(snapshot.unloaded().get(target.bundle()),
                    !isThere(target.source(), snapshot, brokers), settings, now)) {
                dropped.add(target);
                forget(target.bundle());
                endings.add(Sentences.ending(target, target.source().equals(target.target())
                        ? Ending.How.STAYED : Ending.How.NOT_UNLOADED, now));
                return true;
            }
            if (!known) {
                happened.add(target);
            }
            Ending.How how = ending(target, brokers, split, now);
            if (how == null) {
                return false;
            }
            if (how == Ending.How.ARRIVED) {
                proved.add(target.planned().transfer());
            } else if (how == Ending.How.BACK) {
                failed.add(target.planned().transfer());
            }
            if (how != Ending.How.ARRIVED && how != Ending.How.UNSEEN) {
                forget(target.bundle());
            }
            endings.add(Sentences.ending(target, how, now));
            return true;
        });
        plannedBundles = List.copyOf(targets.keySet());
        Predicate<Map.Entry<Object, InFlight.Entry>> isProved =
                entry -> isProved(entry.getKey(), entry.getValue(), brokers, evidence, settings, now);
        inFlight.removeIf(isProved);
        relief.entrySet().removeIf(entry -> isProved(null, entry.getValue(), brokers, evidence, settings, now));
        return new Review(happened, dropped, failed, proved, endings, onTheWay(brokers, settings), refusals.copy(),
                lastPlacement);
    }

    private static boolean isThere(String broker, ClusterSnapshot snapshot, Map<String, BrokerLoad> brokers) {
        return brokers.containsKey(broker) || snapshot.withoutData().contains(broker);
    }

    private Map<String, InFlight.Sum> onTheWay(Map<String, BrokerLoad> brokers, Settings settings) {
        Map<String, InFlight.Sum> sums = new HashMap<>();
        for (String name : inFlight.brokers()) {
            BrokerLoad broker = brokers.get(name);
            if (broker != null) {
                sums.put(name, inFlight.missing(name, score(broker, settings)));
            }
        }
        return sums;
    }

    private static double score(BrokerLoad broker, Settings settings) {
        BrokerScore score = BrokerScore.of(broker, settings);
        return score == null ? 0 : score.score();
    }

    /** What became of an unload; {@code null} while that is open. */
    private static Ending.How ending(ShedTarget target, Map<String, BrokerLoad> brokers, Set<String> split, long now) {
        BrokerLoad to = target.target() == null ? null : brokers.get(target.target());
        if (target.isProved(to)) {
            return Ending.How.ARRIVED;
        }
        if (split.contains(target.bundle())) {
            return Ending.How.SPLIT;
        }
        if (to == null) {
            return Ending.How.WITHOUT_TARGET;
        }
        if (target.isAlive(now)) {
            return null;
        }
        return target.isStillAt(brokers.get(target.source())) ? Ending.How.BACK : Ending.How.UNSEEN;
    }

    private void forget(String bundle) {
        inFlight.remove(bundle);
        relief.remove(bundle);
    }

    private static boolean isProved(Object key, InFlight.Entry entry, Map<String, BrokerLoad> brokers,
                                    Evidence evidence, Settings settings, long now) {
        BrokerLoad broker = brokers.get(entry.broker());
        if (broker == null || now - entry.time() >= settings.longestReportIntervalMillis()) {
            return true;
        }
        long seenAt = evidence.seenAt(entry.broker(), broker.reportTime(), now);
        if (seenAt - entry.time() >= settings.settlingMillis()) {
            return true;
        }
        boolean isRate = entry.metric() == Metric.MSG_RATE || entry.metric() == Metric.MSG_THROUGHPUT;
        return isRate && key instanceof String bundle && seenAt > entry.time() && broker.bundles().contains(bundle);
    }

    /** Remembers a round's transfers. */
    synchronized void commit(List<PlannedTransfer> transfers, ClusterSnapshot snapshot, Settings settings,
                             long now) {
        if (transfers.isEmpty()) {
            return;
        }
        Map<String, BrokerLoad> brokers = new HashMap<>();
        snapshot.brokers().forEach(broker -> brokers.put(broker.name(), broker));
        for (PlannedTransfer planned : transfers) {
            Transfer transfer = planned.transfer();
            BrokerLoad target = brokers.get(transfer.target());
            targets.put(transfer.bundle(), new ShedTarget(planned, now, brokers.get(transfer.source()).reportTime(),
                    target.reportTime(), snapshot.unloaded().get(transfer.bundle())));
            inFlight.put(transfer.bundle(), new InFlight.Entry(transfer.target(), planned.targetPoints(),
                    planned.load(), planned.metric(), now), score(target, settings));
        }
        plannedBundles = List.copyOf(targets.keySet());
    }

    /** After a grace period of quiet rounds nothing learnt is worth keeping. */
    synchronized void forgetRefusals() {
        refusals.clear();
    }

    // ---- bundles whose owner vanished

    /** Names of bundles whose owner left within the grace period; few, mostly none. */
    public synchronized List<String> orphanNames(Set<String> active, Settings settings, long now) {
        return orphans.names(active, settings, now);
    }
}
