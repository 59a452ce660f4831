package io.avgshedder.core;

import java.util.ArrayList;
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
    /** A bundle stays away from where it was shed from for so many grace periods. */
    private static final int GRACE_PERIODS_AWAY = 2;

    private final Placement placement;
    private final Evidence evidence = new Evidence();
    private final MultiHitCounter hits = new MultiHitCounter();
    private final QuietPeriod quietPeriod = new QuietPeriod();
    private final Failures failures = new Failures();
    private final WayBack wayBack = new WayBack();
    private final Futility futility = new Futility();
    private final UnloadBudget budget = new UnloadBudget();
    private final NamespaceUnloads namespaces = new NamespaceUnloads();
    private final UnknownMetrics unknownMetrics = new UnknownMetrics();
    private final Shortage shortage = new Shortage();
    private final Suspects suspects = new Suspects();
    private final Map<String, MultiHitCounter.Spent> spent = new HashMap<>();
    private long rounds;
    private long lastRound;
    private long lastActive;
    private volatile long oldestReportAge;

    /** @param random draws brokers where the settings ask for random placement */
    public Shedder(RandomGenerator random) {
        placement = new Placement(random);
    }

    /** Where bundles go. */
    public Placement placement() {
        return placement;
    }

    /** How long the report that is oldest had not changed in the last round, in milliseconds. Waits for no round. */
    public long oldestReportAge() {
        return oldestReportAge;
    }

    /** What is used of the unload budget. Waits for no round. */
    public List<BudgetUse> budgetUse(long now) {
        return budget.uses(now);
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
        oldestReportAge = evidence.oldestAge(now);
        quietPeriod.observe(snapshot, now);
        Placement.Review review = placement.review(snapshot, evidence, settings, now);
        settle(review, settings, now);
        futility.retain(active);
        futility.observe(snapshot, evidence, settings, now);
        if (isMissed(review, snapshot, settings, now)) {
            hits.clearAll();
        }
        hits.retain(active);

        Map<String, BrokerScore> scores = new HashMap<>();
        List<Verdict> left = new ArrayList<>();
        List<BrokerLoad> brokers = participants(snapshot, settings, now, scores, left);
        budget.apply(settings.unloadLimits(), now);
        namespaces.apply(settings.namespaceRules(), now);
        PairPlanner planner = new PairPlanner(snapshot, settings, now, evidence, hits, failures, wayBack, futility,
                review, new Movability(snapshot, settings, budget, namespaces, now));
        planner.pair(brokers, scores);
        Admission admission = settings.dryRun() ? new Admission(settings, budget.copy(), namespaces.copy(), now)
                : new Admission(settings, budget, namespaces, now);
        List<Verdict> verdicts = decide(planner, admission, settings, now);
        verdicts.addAll(planner.left());
        verdicts.addAll(left);

        List<PlannedTransfer> transfers = admission.granted();
        if (!settings.dryRun()) {
            emit(transfers, snapshot, settings);
            placement.commit(transfers, snapshot, settings, now);
        }
        forgetWhenQuiet(verdicts, settings, now);
        rounds++;
        lastRound = now;
        List<String> notices = new ArrayList<>(unknownMetrics.notices(snapshot, settings));
        namespaces.newlyExpired(now).forEach(rule -> notices.add(Sentences.expired(rule)));
        notices.addAll(shortage.notices(scores.values(), settings));
        notices.addAll(suspects.notices(left.stream().filter(verdict -> verdict.reason() == Reason.STALE_REPORT)
                .map(Verdict::hot).toList()));
        return new Round(rounds, now, settings.dryRun(), BrokerScore.hottestFirst(scores.values()), verdicts,
                transfers.stream().map(PlannedTransfer::transfer).toList(), notices, review.endings());
    }

    /** Learns what became of the transfers of earlier rounds. */
    private void settle(Placement.Review review, Settings settings, long now) {
        Set<String> touched = new HashSet<>();
        for (ShedTarget target : review.happened()) {
            touched.add(target.source());
            Transfer transfer = target.planned().transfer();
            wayBack.close(transfer.bundle(), target.source(),
                    target.unloadedAt() + GRACE_PERIODS_AWAY * settings.memoryMillis());
            budget.unloaded(transfer, target.planTime(), target.unloadedAt());
            namespaces.unloaded(BundleRange.namespace(transfer.bundle()), target.planTime(), target.unloadedAt());
            evidence.happened(target.source(), target.unloadedAt());
            futility.happened(target.planned(), target.unloadedAt());
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
        for (ShedTarget target : review.dropped()) {
            Transfer transfer = target.planned().transfer();
            budget.notUnloaded(transfer, target.planTime());
            namespaces.notUnloaded(BundleRange.namespace(transfer.bundle()), target.planTime());
            failures.add(transfer, settings.memoryMillis(), now);
        }
        review.failed().forEach(transfer -> failures.add(transfer, settings.memoryMillis(), now));
        review.proved().forEach(failures::clear);
        failures.expire(2 * settings.memoryMillis(), now);
        wayBack.expire(now);
    }

    /** Whether so much time has passed without a sign of a round that counted hits prove nothing any more. */
    private boolean isMissed(Placement.Review review, ClusterSnapshot snapshot, Settings settings, long now) {
        long latest = Math.max(lastRound, review.lastPlacement());
        for (long unloadedAt : snapshot.unloaded().values()) {
            latest = Math.max(latest, unloadedAt);
        }
        return now - latest > MISSED_INTERVALS * settings.sheddingIntervalMillis();
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

    /** Says what happens to each pair, and lets through what may move. */
    private List<Verdict> decide(PairPlanner planner, Admission admission, Settings settings, long now) {
        boolean isHeld = now < settings.holdUntil();
        boolean isQuiet = settings.quietPeriod() && !(quietPeriod.state() instanceof QuietPeriod.State.Open);
        List<PairPlanner.Plan> fired = planner.plans().stream()
                .filter(plan -> plan.reason() == null && !isHeld && (!isQuiet || plan.isOverloaded(settings)))
                .sorted(mostUrgentFirst(settings)).toList();
        Map<String, Double> forecasts;
        if (settings.plan() == PlanMode.LEVEL) {
            forecasts = LevelPlanner.serve(planner, fired, !isQuiet, settings, admission);
        } else {
            share(fired, admission, settings);
            forecasts = Map.of();
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (PairPlanner.Plan plan : planner.plans()) {
            Reason reason = plan.reason();
            if (reason != null) {
                verdicts.add(switch (reason) {
                    case COUNTING -> Sentences.counting(plan, settings);
                    case SETTLING -> Sentences.settling(plan, evidence, settings, now);
                    case WAITING_FOR_REPORTS -> Sentences.waitingForReports(plan, settings);
                    default -> Sentences.belowThreshold(plan);
                });
            } else if (isHeld) {
                verdicts.add(Sentences.held(plan, settings));
            } else if (isQuiet && !plan.isOverloaded(settings)) {
                verdicts.add(Sentences.quiet(plan, quietPeriod.state(), settings, now));
            } else {
                verdicts.add(Sentences.served(plan, admission, forecasts, settings));
            }
        }
        verdicts.addAll(Sentences.helpers(fired, admission, forecasts, settings));
        return verdicts;
    }

    /** Donors above the overload threshold come first, then the pairs with the largest gap. */
    private static Comparator<PairPlanner.Plan> mostUrgentFirst(Settings settings) {
        return Comparator.comparing((PairPlanner.Plan plan) -> !plan.isOverloaded(settings))
                .thenComparing(Comparator.comparingDouble((PairPlanner.Plan plan) -> plan.pair().gap()).reversed())
                .thenComparing(plan -> plan.pair().hot().name());
    }

    /**
     * Hands out the round's unloads one by one: to donors above the overload threshold first, then to the pair whose
     * forecast gap is the largest still; within a pair the largest bundle first.
     */
    private static void share(List<PairPlanner.Plan> plans, Admission admission, Settings settings) {
        final class Claim {
            private final PairPlanner.Plan plan;
            private int asked;
            private double traffic;

            private Claim(PairPlanner.Plan plan) {
                this.plan = plan;
            }

            private double gap() {
                return plan.forecast().gapAfter(traffic);
            }
        }
        PriorityQueue<Claim> claims = new PriorityQueue<>(Comparator
                .comparing((Claim claim) -> !claim.plan.isOverloaded(settings))
                .thenComparing(Comparator.comparingDouble(Claim::gap).reversed())
                .thenComparing(claim -> claim.plan.pair().hot().name()));
        plans.forEach(plan -> claims.add(new Claim(plan)));
        while (!claims.isEmpty() && !admission.isFull()) {
            Claim claim = claims.remove();
            Donor.Candidate next = claim.plan.chosen().get(claim.asked++);
            if (admission.admit(claim.plan, next)) {
                claim.traffic += next.traffic();
            }
            if (claim.asked < claim.plan.chosen().size()) {
                claims.add(claim);
            }
        }
        claims.forEach(claim -> admission.passOver(claim.plan, claim.plan.chosen().size() - claim.asked));
    }

    /** Spends the hits of those who give and take, lets them settle, and remembers how those who give were. */
    private void emit(List<PlannedTransfer> transfers, ClusterSnapshot snapshot, Settings settings) {
        Map<String, Metric> donors = new HashMap<>();
        transfers.forEach(planned -> donors.putIfAbsent(planned.transfer().source(), planned.metric()));
        for (BrokerLoad broker : snapshot.brokers()) {
            if (donors.containsKey(broker.name())) {
                futility.planned(broker, donors.get(broker.name()), settings);
            }
        }
        for (PlannedTransfer planned : transfers) {
            for (String broker : List.of(planned.transfer().source(), planned.transfer().target())) {
                if (!spent.containsKey(broker)) {
                    spent.put(broker, hits.spend(broker));
                    evidence.planned(broker);
                }
            }
        }
    }

    /**
     * What was learnt of refusals, failures, ways back and futile transfers ends after a grace period in which every pair was level.
     */
    private void forgetWhenQuiet(List<Verdict> verdicts, Settings settings, long now) {
        boolean isActive = verdicts.stream().anyMatch(verdict -> verdict.cold() == null
                || verdict.reason() != Reason.BELOW_THRESHOLD);
        if (isActive || rounds == 0) {
            lastActive = now;
        } else if (now - lastActive >= settings.memoryMillis()) {
            failures.clear();
            wayBack.clear();
            futility.clear();
            placement.forgetRefusals();
        }
    }
}
