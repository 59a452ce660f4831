package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The budget against the words of its promise, over a million steps: lists of all instants, counted one by one, in a
 * time that never runs over. Run a seed again with {@code -Davgshedder.seed=...}.
 */
class UnloadBudgetOracleTest {

    private static final int LIVES = 40;
    private static final int STEPS = 25_000;
    private static final long[] ORIGINS = {0, -20_000, Long.MIN_VALUE, Long.MAX_VALUE - 20_000, 1_700_000_000_000L};

    private static final List<Transfer> TRANSFERS = IntStream.range(0, 48).mapToObj(i -> new Transfer(
            "t/n" + i % 3 + "/0x00000000_0x08000000", "s" + i / 3 % 4, "t" + i / 12)).toList();

    private enum Grain { NONE, CLOCK_STEPS_BACK, UNLOADS_FAIL }

    /** What the words say of one scope and name. */
    private static final class Plain {

        private final List<Long> times = new ArrayList<>();

        private long seen(long now) {
            return times.isEmpty() ? now : Math.max(now, times.get(times.size() - 1));
        }

        private int used(long now, long window) {
            long seen = seen(now);
            int used = 0;
            for (long time : times) {
                if (seen - time < window) {
                    used++;
                }
            }
            return used;
        }

        private long wait(long now, UnloadLimit limit) {
            if (limit.count() == 0) {
                return Long.MAX_VALUE;
            }
            if (used(now, limit.windowMillis()) < limit.count()) {
                return 0;
            }
            for (long time : times) {
                long wait = time + limit.windowMillis() - now;
                if (wait > 0 && used(now + wait, limit.windowMillis()) < limit.count()) {
                    return wait;
                }
            }
            throw new AssertionError(limit + " is used up by none of " + times);
        }

        private void add(long now, long longestWindow) {
            times.add(seen(now));
            long newest = times.get(times.size() - 1);
            times.removeIf(time -> newest - time >= longestWindow);
        }
    }

    private record Key(UnloadScope scope, String name) {
    }

    private record Grant(Transfer transfer, long at) {
    }

    private final Random random = new Random();
    private final Map<Key, Plain> oracle = new HashMap<>();
    private final Deque<Grant> grants = new ArrayDeque<>();
    private UnloadBudget budget;
    private UnloadLimits limits;
    private int[] windows;
    private long now;
    private long latest;
    private int granted;
    private int refused;
    private int settled;

    @Test
    void saysTheSameAsCountingOverAMillionSteps() {
        long seed = Long.getLong("avgshedder.seed", System.nanoTime());
        System.out.println("UnloadBudgetOracleTest: -Davgshedder.seed=" + seed);
        random.setSeed(seed);
        for (int life = 0; life < LIVES; life++) {
            live(ORIGINS[life % ORIGINS.length], Grain.values()[life % Grain.values().length],
                    "seed " + seed + ", life " + life + ", step ");
        }
        assertThat(granted).isGreaterThan(50_000);
        assertThat(refused).isGreaterThan(50_000);
        assertThat(settled).isGreaterThan(5_000);
    }

    private void live(long origin, Grain grain, String where) {
        budget = new UnloadBudget();
        oracle.clear();
        grants.clear();
        now = 0;
        latest = 0;
        windows = random.ints(4, 10, 60).toArray();
        apply(origin);
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(10) == 0 ? random.nextInt(15_000) : random.nextInt(800);
            if (grain == Grain.CLOCK_STEPS_BACK && random.nextInt(100) == 0) {
                now -= random.nextInt(40_000);
            }
            latest = Math.max(latest, now);
            int dice = random.nextInt(100);
            if (dice < 2) {
                apply(origin);
            } else if (dice < 10) {
                settle(origin, grain);
            } else {
                ask(origin, dice < 40, where, step);
            }
        }
    }

    private void ask(long origin, boolean estimateOnly, String where, int step) {
        Transfer transfer = TRANSFERS.get(random.nextInt(TRANSFERS.size()));
        BudgetAnswer expected = expected(transfer);
        BudgetAnswer answer = estimateOnly
                ? budget.estimate(transfer, origin + now) : budget.consume(transfer, origin + now);
        if (!answer.equals(expected)) {
            fail(where + step + ", at " + now + " with " + limits + ": " + transfer + "\n is " + answer
                    + "\n not " + expected + "\n of " + oracle.get(new Key(expected.scope(), expected.name())).times);
        }
        if (!expected.granted()) {
            refused++;
        } else if (!estimateOnly) {
            granted++;
            for (UnloadScope scope : UnloadScope.values()) {
                if (limits.of(scope).isPresent()) {
                    plain(scope, transfer).add(now, 60_000);
                }
            }
            grants.addLast(new Grant(transfer, now));
            if (grants.size() > 6) {
                grants.removeFirst();
            }
        }
    }

    private BudgetAnswer expected(Transfer transfer) {
        BudgetAnswer decides = new BudgetAnswer(true, null, "", 0, null, 0);
        for (UnloadScope scope : UnloadScope.values()) {
            UnloadLimit limit = limits.of(scope).orElse(null);
            if (limit != null) {
                Plain plain = plain(scope, transfer);
                int used = plain.used(now, limit.windowMillis());
                long wait = plain.wait(now, limit);
                boolean first = decides.limit() == null;
                if (first || wait > decides.millisUntilFree() || wait == decides.millisUntilFree()
                        && limit.count() - used < decides.limit().count() - decides.used()) {
                    decides = new BudgetAnswer(wait == 0, scope, name(scope, transfer), used, limit, wait);
                }
            }
        }
        return decides;
    }

    private static String name(UnloadScope scope, Transfer transfer) {
        return switch (scope) {
            case CLUSTER -> "";
            case SOURCE -> transfer.source();
            case TARGET -> transfer.target();
            case NAMESPACE -> transfer.bundle().substring(0, 4);
        };
    }

    private Plain plain(UnloadScope scope, Transfer transfer) {
        return oracle.computeIfAbsent(new Key(scope, name(scope, transfer)), key -> new Plain());
    }

    /** New counts, and windows that only become shorter: what a longer one would count may be forgotten. */
    private void apply(long origin) {
        List<String> texts = new ArrayList<>();
        int[] most = {12, 6, 6, 8};
        for (UnloadScope scope : UnloadScope.values()) {
            int i = scope.ordinal();
            windows[i] = Math.max(5, windows[i] - (random.nextInt(20) == 0 ? 1 : 0));
            if (random.nextInt(8) > 0) {
                int count = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(most[i]);
                texts.add(scope.label() + "=" + count + "/" + windows[i] + "s");
            }
        }
        Collections.shuffle(texts, random);
        limits = UnloadLimits.parse(String.join(",", texts));
        budget.apply(limits, origin + now);
        oracle.forEach((key, plain) -> {
            UnloadLimit limit = limits.of(key.scope()).orElse(null);
            if (limit == null || plain.used(now, limit.windowMillis()) == 0) {
                plain.times.clear();
            }
        });
    }

    /** Tells what became of a recent grant, while all windows still hold it. */
    private void settle(long origin, Grain grain) {
        Grant grant = grants.isEmpty() ? null : grants.removeLast();
        if (grant == null || latest - grant.at >= Arrays.stream(windows).min().orElseThrow() * 1000L) {
            return;
        }
        boolean fails = grain == Grain.UNLOADS_FAIL && random.nextBoolean();
        long happened = grant.at + random.nextInt(5_000) - 500;
        if (fails) {
            budget.notUnloaded(grant.transfer, origin + grant.at);
        } else {
            budget.unloaded(grant.transfer, origin + grant.at, origin + happened);
            latest = Math.max(latest, happened);
        }
        settled++;
        for (UnloadScope scope : UnloadScope.values()) {
            List<Long> times = plain(scope, grant.transfer).times;
            if (times.remove((Long) grant.at) && !fails) {
                times.add(Math.max(grant.at, happened));
                Collections.sort(times);
            }
        }
    }
}
