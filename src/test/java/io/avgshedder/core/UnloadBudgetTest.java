package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class UnloadBudgetTest {

    private static final long MINUTE = 60_000;

    private final UnloadBudget budget = new UnloadBudget();

    private void limits(String text, long now) {
        budget.apply(UnloadLimits.parse(text), now);
    }

    private static Transfer transfer(String namespace, String source, String target) {
        return new Transfer("t/" + namespace + "/0x00000000_0x08000000", source, target);
    }

    private static final Transfer A_TO_B = transfer("n", "A", "B");
    private static final Transfer A_TO_C = transfer("n", "A", "C");
    private static final Transfer B_TO_C = transfer("m", "B", "C");

    private boolean consume(Transfer transfer, long now) {
        return budget.consume(transfer, now).granted();
    }

    private static UnloadLimit limit(String text) {
        return UnloadLimits.parse("cluster=" + text).of(UnloadScope.CLUSTER).orElseThrow();
    }

    // ---- granting

    @Test
    void withoutALimitAllIsGrantedAndNothingRemembered() {
        BudgetAnswer answer = budget.consume(A_TO_B, 0);

        assertThat(answer).isEqualTo(new BudgetAnswer(true, null, "", 0, null, 0));
        assertThat(budget.size()).isZero();
        assertThat(budget.uses(0)).isEmpty();
    }

    @Test
    void ofFiveInASecondThreePassAndAgainOneSecondLater() {
        limits("cluster=3/1s", 0);
        for (long now = 0; now < 4000; now += 1000) {
            assertThat(List.of(consume(A_TO_B, now), consume(A_TO_B, now), consume(A_TO_B, now), consume(A_TO_B, now),
                    consume(A_TO_B, now))).as("at %d", now).containsExactly(true, true, true, false, false);
        }
    }

    @Test
    void anAnswerTellsWhatItKnows() {
        limits("cluster=2/10m", 0);

        assertThat(budget.consume(A_TO_B, 0))
                .isEqualTo(new BudgetAnswer(true, UnloadScope.CLUSTER, "", 0, limit("2/10m"), 0));
        assertThat(budget.consume(A_TO_B, MINUTE))
                .isEqualTo(new BudgetAnswer(true, UnloadScope.CLUSTER, "", 1, limit("2/10m"), 0));
        assertThat(budget.consume(A_TO_B, 9 * MINUTE + 18_000))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.CLUSTER, "", 2, limit("2/10m"), 42_000));
        assertThat(budget.consume(A_TO_B, 10 * MINUTE))
                .isEqualTo(new BudgetAnswer(true, UnloadScope.CLUSTER, "", 1, limit("2/10m"), 0));
    }

    @Test
    void everyScopeCountsItsOwn() {
        limits("source=1/10m", 0);
        assertThat(consume(A_TO_B, 0)).isTrue();
        assertThat(consume(A_TO_C, 0)).as("the same source").isFalse();
        assertThat(consume(B_TO_C, 0)).isTrue();

        limits("target=1/10m", 0);
        assertThat(consume(A_TO_C, 0)).isTrue();
        assertThat(consume(B_TO_C, 0)).as("the same target").isFalse();
        assertThat(consume(A_TO_B, 0)).isTrue();

        limits("namespace=1/10m", 0);
        assertThat(consume(A_TO_B, 0)).isTrue();
        assertThat(consume(A_TO_C, 0)).as("the same namespace").isFalse();
        assertThat(consume(B_TO_C, 0)).isTrue();

        limits("cluster=1/10m", 0);
        assertThat(consume(A_TO_B, 0)).isTrue();
        assertThat(consume(B_TO_C, 0)).as("the same cluster").isFalse();
    }

    @Test
    void aTransferThatOneScopeRefusesCountsInNone() {
        limits("cluster=3/10m, source=2/10m, target=1/10m, namespace=9/10m", 0);
        assertThat(consume(A_TO_B, 0)).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(budget.consume(A_TO_B, 1)).isEqualTo(
                    new BudgetAnswer(false, UnloadScope.TARGET, "B", 1, limit("1/10m"), 10 * MINUTE - 1));
        }

        assertThat(budget.uses(1)).containsExactly(
                new BudgetUse(UnloadScope.CLUSTER, "", 1, limit("3/10m")),
                new BudgetUse(UnloadScope.SOURCE, "A", 1, limit("2/10m")),
                new BudgetUse(UnloadScope.TARGET, "B", 1, limit("1/10m")),
                new BudgetUse(UnloadScope.NAMESPACE, "t/n", 1, limit("9/10m")));
        assertThat(consume(A_TO_C, 1)).isTrue();
        assertThat(consume(B_TO_C, 1)).as("target C is used up").isFalse();
        assertThat(consume(transfer("m", "B", "A"), 1)).isTrue();
    }

    @Test
    void theScopeThatIsFreeLastDecides() {
        limits("cluster=1/5m, source=1/10m, target=1/7m, namespace=1/6m", 0);
        consume(A_TO_B, 0);

        assertThat(budget.estimate(A_TO_B, MINUTE))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.SOURCE, "A", 1, limit("1/10m"), 9 * MINUTE));
        assertThat(budget.estimate(B_TO_C, MINUTE))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.CLUSTER, "", 1, limit("1/5m"), 4 * MINUTE));
        assertThat(budget.estimate(transfer("n", "B", "C"), MINUTE))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.NAMESPACE, "t/n", 1, limit("1/6m"), 5 * MINUTE));
        assertThat(budget.estimate(A_TO_B, 9 * MINUTE).granted()).as("three of four are free").isFalse();
        assertThat(budget.estimate(A_TO_B, 10 * MINUTE).granted()).isTrue();
    }

    @Test
    void ofFreeScopesTheOneWithTheLeastLeftIsNamed() {
        limits("cluster=20/10m, source=5/10m, namespace=5/1h", 0);
        assertThat(budget.consume(A_TO_B, 0).scope()).as("of two alike the first").isEqualTo(UnloadScope.SOURCE);

        assertThat(budget.estimate(transfer("n", "B", "C"), 0))
                .isEqualTo(new BudgetAnswer(true, UnloadScope.NAMESPACE, "t/n", 1, limit("5/1h"), 0));
    }

    @Test
    void aLimitOfZeroGrantsNone() {
        limits("cluster=5/10m, namespace=0/1h", 0);

        assertThat(budget.consume(A_TO_B, 0))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.NAMESPACE, "t/n", 0, limit("0/1h"), Long.MAX_VALUE));
        assertThat(budget.size()).isZero();
    }

    @Test
    void aScopeIsAskedAlone() {
        limits("cluster=1/10m, namespace=2/1h", 0);
        consume(A_TO_B, 0);

        assertThat(budget.estimate(UnloadScope.NAMESPACE, "t/n", 0))
                .isEqualTo(new BudgetAnswer(true, UnloadScope.NAMESPACE, "t/n", 1, limit("2/1h"), 0));
        assertThat(budget.estimate(UnloadScope.NAMESPACE, "t/x", 0).used()).isZero();
        assertThat(budget.estimate(UnloadScope.CLUSTER, "", 0).granted()).isFalse();
        assertThat(budget.estimate(UnloadScope.SOURCE, "A", 0)).isEqualTo(BudgetAnswer.UNLIMITED);
    }

    // ---- without effect

    @Test
    void anEstimateHasNoEffect() {
        limits("cluster=1/10m", 0);
        for (int i = 0; i < 5; i++) {
            assertThat(budget.estimate(A_TO_B, 0).granted()).isTrue();
        }
        assertThat(budget.size()).isZero();
        assertThat(consume(A_TO_B, 0)).isTrue();
        assertThat(budget.estimate(A_TO_B, 10 * MINUTE).granted()).isTrue();
        assertThat(consume(A_TO_B, 10 * MINUTE - 1)).isFalse();
    }

    @Test
    void aDryRoundConsumesACopy() {
        limits("cluster=3/10m, source=2/10m", 0);
        consume(A_TO_B, 0);
        UnloadBudget copy = budget.copy();

        assertThat(copy.consume(A_TO_B, 1).granted()).isTrue();
        assertThat(copy.consume(A_TO_B, 1)).isEqualTo(
                new BudgetAnswer(false, UnloadScope.SOURCE, "A", 2, limit("2/10m"), 10 * MINUTE - 1));
        assertThat(copy.consume(B_TO_C, 1).granted()).isTrue();
        assertThat(copy.consume(B_TO_C, 1)).isEqualTo(
                new BudgetAnswer(false, UnloadScope.CLUSTER, "", 3, limit("3/10m"), 10 * MINUTE - 1));
        copy.apply(UnloadLimits.NONE, 1);
        assertThat(budget.uses(1)).containsExactly(
                new BudgetUse(UnloadScope.CLUSTER, "", 1, limit("3/10m")),
                new BudgetUse(UnloadScope.SOURCE, "A", 1, limit("2/10m")));
    }

    // ---- limits at run time

    @Test
    void limitsMayChangeAtAnyTime() {
        limits("cluster=3/10m", 0);
        consume(A_TO_B, 0);
        consume(A_TO_B, MINUTE);
        consume(A_TO_B, 2 * MINUTE);
        limits("cluster=2/10m", 2 * MINUTE);
        assertThat(budget.estimate(A_TO_B, 2 * MINUTE))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.CLUSTER, "", 3, limit("2/10m"), 9 * MINUTE));
        limits("cluster=4/5m", 2 * MINUTE);

        assertThat(consume(A_TO_B, 2 * MINUTE)).isTrue();
        assertThat(budget.estimate(A_TO_B, 2 * MINUTE))
                .isEqualTo(new BudgetAnswer(false, UnloadScope.CLUSTER, "", 4, limit("4/5m"), 3 * MINUTE));
    }

    @Test
    void aScopeWhoseLimitIsTakenAwayIsForgotten() {
        limits("cluster=1/10m, source=1/10m", 0);
        consume(A_TO_B, 0);
        limits("source=1/10m", 0);
        assertThat(budget.size()).isEqualTo(1);
        assertThat(budget.uses(0)).extracting(BudgetUse::scope).containsExactly(UnloadScope.SOURCE);
        limits("cluster=1/10m", 0);
        assertThat(budget.size()).isZero();

        assertThat(consume(A_TO_B, 0)).isTrue();
    }

    // ---- memory

    @Test
    void whatIsInNoWindowIsForgotten() {
        limits("cluster=1000/10m, source=5/10m, target=5/20m, namespace=5/5m", 0);
        for (int i = 0; i < 100; i++) {
            consume(transfer("n" + i, "s" + i, "t" + i), i * 1000);
        }
        assertThat(budget.size()).isEqualTo(301);
        limits("cluster=1000/10m, source=5/10m, target=5/20m, namespace=5/5m", 5 * MINUTE + 49_000);
        assertThat(budget.size()).as("50 namespaces less").isEqualTo(251);
        limits("cluster=1000/10m, source=5/10m, target=5/20m, namespace=5/5m", 10 * MINUTE + 98_999);
        assertThat(budget.size()).as("targets, one source, the cluster").isEqualTo(102);
        limits("cluster=1000/10m, source=5/10m, target=5/20m, namespace=5/5m", 10 * MINUTE + 99_000);
        assertThat(budget.size()).as("targets").isEqualTo(100);
        limits("cluster=1000/10m, source=5/10m, target=5/20m, namespace=5/5m", 20 * MINUTE + 99_000);
        assertThat(budget.size()).isZero();
        assertThat(budget.uses(0)).containsExactly(new BudgetUse(UnloadScope.CLUSTER, "", 0, limit("1000/10m")));
    }

    @Test
    void aWindowThatIsMadeLongerCountsWhatIsStillKnown() {
        limits("cluster=5/10m", 0);
        consume(A_TO_B, 0);
        limits("cluster=5/1h", 10 * MINUTE);
        assertThat(budget.uses(10 * MINUTE)).extracting(BudgetUse::used).containsExactly(1);
        limits("cluster=5/10m", 10 * MINUTE);
        limits("cluster=5/1h", 10 * MINUTE);

        assertThat(budget.uses(10 * MINUTE)).extracting(BudgetUse::used).containsExactly(0);
    }

    @Test
    void usesAreOrderedAndWithoutEmptyOnes() {
        limits("source=5/10m, namespace=5/1m", 0);
        consume(transfer("n", "C", "D"), 0);
        consume(transfer("m", "B", "D"), 1);

        assertThat(budget.uses(MINUTE)).containsExactly(
                new BudgetUse(UnloadScope.SOURCE, "B", 1, limit("5/10m")),
                new BudgetUse(UnloadScope.SOURCE, "C", 1, limit("5/10m")),
                new BudgetUse(UnloadScope.NAMESPACE, "t/m", 1, limit("5/1m")));
    }

    // ---- what became of it

    @Test
    void anUnloadCountsFromWhenItHappened() {
        limits("cluster=2/2m, source=5/2m", 0);
        consume(A_TO_B, 0);
        consume(A_TO_C, 0);
        budget.unloaded(A_TO_B, 0, 30_000);
        budget.unloaded(A_TO_C, 0, 50_000);

        assertThat(consume(B_TO_C, 2 * MINUTE)).as("the grants are two minutes old, the unloads are not").isFalse();
        assertThat(budget.estimate(B_TO_C, 2 * MINUTE).millisUntilFree()).isEqualTo(30_000);
        assertThat(budget.estimate(UnloadScope.SOURCE, "A", 2 * MINUTE + 49_999).used()).isEqualTo(1);
        assertThat(budget.estimate(UnloadScope.SOURCE, "A", 2 * MINUTE + 50_000).used()).isZero();
        assertThat(consume(B_TO_C, 2 * MINUTE + 30_000)).isTrue();
        assertThat(consume(B_TO_C, 2 * MINUTE + 30_000)).isFalse();
    }

    @Test
    void aSlowUnloadCountsEvenWhereItsGrantHasExpired() {
        limits("cluster=1/1m", 0);
        consume(A_TO_B, 0);
        budget.unloaded(A_TO_B, 0, 90_000);
        limits("cluster=1/1m", 100_000);

        assertThat(consume(A_TO_B, 149_999)).isFalse();
        assertThat(consume(A_TO_B, 150_000)).isTrue();
    }

    @Test
    void anUnloadThatDidNotHappenDoesNotCount() {
        limits("cluster=2/10m, source=1/10m, target=1/10m", 0);
        consume(A_TO_B, 0);
        consume(B_TO_C, 0);
        budget.notUnloaded(A_TO_B, 0);

        assertThat(budget.uses(0)).filteredOn(use -> use.used() > 0).containsExactly(
                new BudgetUse(UnloadScope.CLUSTER, "", 1, limit("2/10m")),
                new BudgetUse(UnloadScope.SOURCE, "B", 1, limit("1/10m")),
                new BudgetUse(UnloadScope.TARGET, "C", 1, limit("1/10m")));
        assertThat(consume(A_TO_B, 1)).isTrue();
        assertThat(consume(transfer("x", "D", "E"), 1)).isFalse();
    }

    @Test
    void ofATransferThatIsNotKnownNothingIsToldToo() {
        limits("cluster=2/10m", 0);
        consume(A_TO_B, 0);
        limits("cluster=2/10m, source=1/10m", 0);
        budget.unloaded(A_TO_B, 5, 90_000);
        budget.notUnloaded(A_TO_B, 5);
        budget.unloaded(B_TO_C, 5, 90_000);
        budget.notUnloaded(B_TO_C, 5);

        assertThat(budget.uses(0)).containsExactly(new BudgetUse(UnloadScope.CLUSTER, "", 1, limit("2/10m")));
        assertThat(budget.uses(10 * MINUTE)).extracting(BudgetUse::used).containsExactly(0);
    }

    // ---- sentences

    @Test
    void aSentenceSaysWhichBudgetAndUntilWhen() {
        limits("cluster=1/10m, source=1/20m, namespace=1/10s", 0);
        consume(A_TO_B, 0);

        assertThat(budget.estimate(B_TO_C, 558_000).why()).isEqualTo("budget cluster 1/10m is spent, frees in 42 s");
        assertThat(budget.estimate(A_TO_B, 0).why()).isEqualTo("budget source 1/20m of A is spent, frees in 20 min");
        limits("namespace=1/10s", 0);
        consume(A_TO_B, 0);
        assertThat(budget.estimate(A_TO_B, 9_000).why()).isEqualTo("budget namespace 1/10s of t/n is spent, frees in 1 s");
        assertThat(budget.estimate(A_TO_B, 9_001).why()).isEqualTo("budget namespace 1/10s of t/n is spent, frees in 1 s");
        assertThat(budget.estimate(A_TO_B, 9_999).why()).as("never in 0 s").endsWith(" frees in 1 s");
        assertThat(budget.estimate(A_TO_B, 8_999).why()).as("never too early").endsWith(" frees in 2 s");
        limits("target=0/1h", 0);
        assertThat(budget.estimate(A_TO_B, 0).why()).isEqualTo("budget target 0/1h of B allows none");
    }

    // ---- threads

    @Test
    void severalThreadsDoNotGetMoreThanOneWould() throws Exception {
        int threads = 8;
        int each = 4000;
        limits("cluster=20000/1h, source=3000/1h, target=20000/1h, namespace=20000/1h", 0);
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Integer>> granted = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Callable<Integer> work = () -> {
                    start.await();
                    int count = 0;
                    for (int i = 0; i < each; i++) {
                        count += consume(transfer("n" + i % 50, "s" + i % 4, "t" + i % 100), i) ? 1 : 0;
                        if (i % 100 == 0) {
                            budget.uses(i);
                        }
                    }
                    return count;
                };
                granted.add(executor.submit(work));
            }
            start.countDown();
            int sum = 0;
            for (Future<Integer> count : granted) {
                sum += count.get();
            }
            assertThat(sum).as("four sources of 3000").isEqualTo(12_000);
        } finally {
            executor.shutdownNow();
        }
        assertThat(budget.uses(each)).filteredOn(use -> use.scope() == UnloadScope.SOURCE)
                .extracting(BudgetUse::used).containsExactly(3000, 3000, 3000, 3000);
        assertThat(budget.uses(each)).filteredOn(use -> use.scope() == UnloadScope.CLUSTER)
                .extracting(BudgetUse::used).containsExactly(12_000);
        assertThat(budget.uses(each).stream().filter(use -> use.scope() == UnloadScope.NAMESPACE)
                .mapToInt(BudgetUse::used).sum()).isEqualTo(12_000);
    }
}
