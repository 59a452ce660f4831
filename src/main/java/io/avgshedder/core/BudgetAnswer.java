package io.avgshedder.core;

import java.util.Objects;

/**
 * What the unload budget says of one transfer. Of several scopes it names the one that decides: the one that is free
 * last, or, if all are free, the one with the least left.
 *
 * @param granted         whether every scope has room
 * @param scope           the scope that decides; {@code null} where none has a limit
 * @param name            the scope's broker or namespace; empty for the cluster
 * @param used            unloads in its window, this one not included; more than the limit only after that was lowered
 * @param limit           its limit; {@code null} where none has one
 * @param millisUntilFree 0 if granted, {@link RecentTimes#NEVER} where the limit allows none at all
 */
record BudgetAnswer(boolean granted, UnloadScope scope, String name, int used, UnloadLimit limit,
                    long millisUntilFree) {

    static final BudgetAnswer UNLIMITED = new BudgetAnswer(true, null, "", 0, null, 0);

    BudgetAnswer {
        Objects.requireNonNull(name, "name");
    }

    /** Whether this scope decides rather than the other; of two alike, the other. */
    boolean decidesOver(BudgetAnswer other) {
        if (scope == null || other.scope == null) {
            return other.scope == null;
        }
        return millisUntilFree != other.millisUntilFree
                ? millisUntilFree > other.millisUntilFree : left() < other.left();
    }

    private int left() {
        return limit.count() - used;
    }

    /**
     * Why the transfer has to wait, such as {@code budget cluster 20/10m is spent, frees in 42 s}. Only of an answer
     * that does not grant.
     */
    String why() {
        String budget = "budget " + scope.label() + " " + limit + (name.isEmpty() ? "" : " of " + name);
        return millisUntilFree == RecentTimes.NEVER ? budget + " allows none"
                : budget + " is spent, frees in " + inWords(millisUntilFree);
    }

    /** A wait, rounded up to seconds: nothing frees "in 0 s". */
    static String inWords(long millis) {
        return Sentences.duration((millis + 999) / 1000 * 1000);
    }
}
