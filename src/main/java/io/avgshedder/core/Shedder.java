package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * One cluster's shedding: everything that is remembered between rounds, and the round itself.
 *
 * <p>A round reads the reports, settles what became of the last transfers, pairs the brokers and counts their hits,
 * sizes and chooses for the pairs that fire, applies the limits, and remembers where each bundle is to go. It depends on
 * the snapshot, the settings, the time and what was remembered, and on nothing else: the same inputs give the same
 * plan, whatever the order of the caller's maps.
 *
 * <p>Rounds are taken one at a time (the method is synchronized); {@link #placement} may be asked by other threads
 * meanwhile, and never waits for a round.
 */
public final class Shedder {

    /** A round is missed after this many shedding intervals without any sign of one. */
    private static final double MISSED_INTERVALS = 2.5;

    private final Placement placement;
    private final Evidence evidence = new Evidence();
    private final MultiHitCounter hits = new MultiHitCounter();
    private final QuietPeriod quietPeriod = new QuietPeriod();
    private final Failures failures = new Failures();
    private final UnknownMetrics unknownMetrics = new UnknownMetrics();
    private final Map<String, MultiHitCounter.Hits> spent = new HashMap<>();
    private long rounds;
    private long lastRound;
    private long lastActive;

    /** @param random draws brokers where the settings ask for random placement */
    public Shedder(RandomGenerator random) {
        placement = new Placement(random);
    }

    /** Where bundles go. */
    public Placement placement() {
        return placement;
    }

    /**
     * Takes one round.
     *
     * @param now in milliseconds; not before that of the round before
     */
    public synchronized Round round(ClusterSnapshot snapshot, Settings settings, long now) {
        Set<String> active = new HashSet<>(snapshot.withoutData());
        snapshot.brokers().forEach(broker -> active.add(broker.name()));
        evidence.retain(active);
        evidence.observe(snapshot, settings, now);
        quietPeriod.observe(snapshot, now);
        Placement.Review review = placement.review(snapshot, evidence, settings, now);
        settle(review, settings, now);
        if (isMissed(review, snapshot, settings, now)) {
            hits.clearAll();
        }
        hits.retain(active);

        Map<String, BrokerScore> scores = new HashMap<>();
        List<Verdict> left = new ArrayList<>();
        List<BrokerLoad> brokers = participants(snapshot, settings, now, scores, left);
        PairPlanner planner = new PairPlanner(snapshot, settings, now, evidence, hits, failures, review);
        planner.pair(brokers, scores);
        List<PlannedTransfer> transfers = new ArrayList<>();
        List<Verdict> verdicts = decide(planner.plans(), transfers, settings, now);
        verdicts.addAll(planner.left());
        verdicts.addAll(left);

        emit(transfers);
        placement.commit(transfers, snapshot, now);
        forgetWhenQuiet(verdicts, settings, now);
        rounds++;
        lastRound = now;
        return new Round(rounds, now, hottestFirst(scores.values()), verdicts,
                transfers.stream().map(PlannedTransfer::transfer).toList(),
                unknownMetrics.notices(snapshot, settings));
    }

    /** Learns what became of the transfers of earlier rounds. */
    private void settle(Placement.Review review, Settings settings, long now) {
        Set<String> touched = new HashSet<>();
        for (ShedTarget target : review.happened()) {
            touched.add(target.source());
            evidence.happened(target.source(), target.unloadedAt());
            if (target.target() != null) {
                touched.add(target.target());
                evidence.happened(target.target(), target.unloadedAt());
            }
        }
        spent.forEach((broker, before) -> {
            if (!touched.contains(broker)) {
                evidence.nothingHappened(broker);
                hits.restore(broker, before);
            }
        });
        spent.clear();
        review.dropped().forEach(planned -> failures.add(planned.transfer(), settings.memoryMillis(), now));
        review.failed().forEach(transfer -> failures.add(transfer, settings.memoryMillis(), now));
        review.proved().forEach(failures::clear);
        failures.expire(2 * settings.memoryMillis(), now);
    }

    /** Whether so much time has passed without a sign of a round that counted hits prove nothing any more. */
    private boolean isMissed(Placement.Review review, ClusterSnapshot snapshot, Settings settings, long now) {
        long latest = lastRound;
        if (review.hasPlacement()) {
            latest = Math.max(latest, review.lastPlacement());
        }
        for (long unloadedAt : snapshot.unloaded().values()) {
            latest = Math.max(latest, unloadedAt);
        }
        return rounds > 0 && now - latest > MISSED_INTERVALS * settings.sheddingIntervalMillis();
    }

    private List<BrokerLoad> participants(ClusterSnapshot snapshot, Settings settings, long now,
                                          Map<String, BrokerScore> scores, List<Verdict> left) {
        List<BrokerLoad> brokers = new ArrayList<>();
        Set<String> silent = new TreeSet<>(snapshot.withoutData());
        for (BrokerLoad broker : snapshot.brokers()) {
            String name = broker.name();
            BrokerScore score = BrokerScore.of(broker, settings);
            if (score == null) {
                silent.add(name);
                continue;
            }
            scores.put(name, score);
            if (evidence.isStale(name, settings, now)) {
                left.add(Sentences.stale(name, evidence.age(name, now)));
            } else if (settings.quietPeriod() && quietPeriod.leavesOut(name)) {
                left.add(Sentences.restless(name));
            } else {
                brokers.add(broker);
                continue;
            }
            hits.clear(name);
        }
        silent.forEach(name -> {
            hits.clear(name);
            left.add(Sentences.noLoadData(name));
        });
        return brokers;
    }

    /** Says what happens to each pair, and collects what may move. */
    private List<Verdict> decide(List<PairPlanner.Plan> plans, List<PlannedTransfer> transfers, Settings settings,
                                 long now) {
        boolean isQuiet = settings.quietPeriod() && !(quietPeriod.state() instanceof QuietPeriod.State.Open);
        Map<PairPlanner.Plan, Integer> moved = share(plans.stream()
                .filter(plan -> plan.reason() == null && (!isQuiet || isOverloaded(plan, settings))).toList(),
                transfers, settings);
        List<Verdict> verdicts = new ArrayList<>();
        for (PairPlanner.Plan plan : plans) {
            Reason reason = plan.reason();
            Integer count = moved.get(plan);
            if (reason != null) {
                verdicts.add(switch (reason) {
                    case COUNTING -> Sentences.counting(plan.pair(), plan.count(), settings);
                    case SETTLING -> Sentences.settling(plan.pair(), plan.count(), evidence, settings, now);
                    case WAITING_FOR_REPORTS -> Sentences.waitingForReports(plan.pair(), plan.count(), settings);
                    default -> Sentences.belowThreshold(plan.pair(), plan.count(), settings);
                });
            } else if (count == null) {
                verdicts.add(Sentences.quiet(plan, quietPeriod.state(), settings, now));
            } else if (count == 0) {
                verdicts.add(Sentences.roundCap(plan, settings));
            } else {
                verdicts.add(Sentences.moved(plan, count, Sentences.cap(settings), settings));
            }
        }
        return verdicts;
    }

    private static boolean isOverloaded(PairPlanner.Plan plan, Settings settings) {
        return plan.pair().hotScore() > settings.overloadThreshold();
    }

    /**
     * Hands out the round's unloads one by one: to donors above the overload threshold first, then to the pair whose
     * forecast gap is the largest still; within a pair the largest bundle first.
     *
     * @return how many bundles of each plan may move
     */
    private static Map<PairPlanner.Plan, Integer> share(List<PairPlanner.Plan> plans,
                                                        List<PlannedTransfer> transfers, Settings settings) {
        final class Claim {
            private final PairPlanner.Plan plan;
            private int granted;
            private double traffic;

            private Claim(PairPlanner.Plan plan) {
                this.plan = plan;
            }

            private double gap() {
                return plan.forecast().gapAfter(traffic);
            }
        }
        Map<PairPlanner.Plan, Integer> moved = new HashMap<>();
        PriorityQueue<Claim> claims = new PriorityQueue<>(Comparator
                .comparing((Claim claim) -> !isOverloaded(claim.plan, settings))
                .thenComparing(Comparator.comparingDouble(Claim::gap).reversed())
                .thenComparing(claim -> claim.plan.pair().hot().name()));
        plans.forEach(plan -> {
            moved.put(plan, 0);
            claims.add(new Claim(plan));
        });
        for (int left = settings.maxUnloadsPerRound(); left > 0 && !claims.isEmpty(); left--) {
            Claim claim = claims.remove();
            PairPlanner.Plan plan = claim.plan;
            Donor.Candidate next = plan.chosen().get(claim.granted);
            transfers.add(new PlannedTransfer(
                    new Transfer(next.bundle().name(), plan.pair().hot().name(), plan.pair().cold().name()),
                    next.bundle(), plan.pair().metric(), plan.forecast().fall() * next.traffic(),
                    plan.forecast().rise() * next.traffic(),
                    plan.pair().cold().limit(plan.pair().metric(), settings)));
            claim.granted++;
            claim.traffic += next.traffic();
            moved.put(plan, claim.granted);
            if (claim.granted < plan.chosen().size()) {
                claims.add(claim);
            }
        }
        return moved;
    }

    /** Spends the hits of those who give and take, and lets them settle. */
    private void emit(List<PlannedTransfer> transfers) {
        for (PlannedTransfer planned : transfers) {
            for (String broker : List.of(planned.transfer().source(), planned.transfer().target())) {
                if (!spent.containsKey(broker)) {
                    spent.put(broker, hits.of(broker));
                    hits.clear(broker);
                    evidence.planned(broker);
                }
            }
        }
    }

    /** What was learnt of refusals and failures ends after a grace period in which every pair was level. */
    private void forgetWhenQuiet(List<Verdict> verdicts, Settings settings, long now) {
        boolean isActive = verdicts.stream().anyMatch(verdict -> verdict.cold() == null
                || verdict.reason() != Reason.BELOW_THRESHOLD);
        if (isActive || rounds == 0) {
            lastActive = now;
        } else if (now - lastActive >= settings.memoryMillis()) {
            failures.clear();
            placement.forgetRefusals();
        }
    }

    private static List<BrokerScore> hottestFirst(Collection<BrokerScore> scores) {
        return scores.stream().sorted(Comparator.comparingDouble(BrokerScore::score)
                .thenComparing(BrokerScore::broker).reversed()).toList();
    }
}
