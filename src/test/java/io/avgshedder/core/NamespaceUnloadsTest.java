package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamespaceUnloadsTest {

    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    /** 2026-12-24T08:00:00Z. */
    private static final long CHRISTMAS_EVE = 1_798_099_200_000L;

    private final NamespaceUnloads unloads = new NamespaceUnloads();

    private void rules(String text, long now) {
        unloads.apply(NamespaceRules.parse(text), now);
    }

    private boolean consume(String namespace, long now) {
        return unloads.consume(namespace, now).granted();
    }

    @Test
    void withoutARuleAllIsGrantedAndNothingRemembered() {
        rules("t/a max 1/1h", 0);

        assertThat(unloads.consume("t/b", 0)).isEqualTo(new NamespaceAnswer(true, "t/b", null, 0, 0));
        assertThat(consume("t/b", 0)).isTrue();
        assertThat(unloads.size()).isZero();
    }

    @Test
    void anExemptNamespaceIsNeverMoved() {
        rules("t/a exempt", 0);

        NamespaceAnswer answer = unloads.consume("t/a", 5);
        assertThat(answer.granted()).isFalse();
        assertThat(answer.rule()).hasToString("t/a exempt");
        assertThat(answer.used()).isZero();
        assertThat(answer.millisUntilFree()).isEqualTo(Long.MAX_VALUE);
        assertThat(answer.why()).isEqualTo("rule \"t/a exempt\" holds t/a");
        assertThat(unloads.size()).isZero();
    }

    @Test
    void anExemptionEndsAtItsInstant() {
        rules("t/* exempt until 2026-12-24T08:00:00Z", CHRISTMAS_EVE - HOUR);

        NamespaceAnswer answer = unloads.estimate("t/a", CHRISTMAS_EVE - 1);
        assertThat(answer.granted()).isFalse();
        assertThat(answer.millisUntilFree()).isEqualTo(1);
        assertThat(answer.why()).isEqualTo("rule \"t/* exempt until 2026-12-24T08:00:00Z\" holds t/a");
        assertThat(unloads.consume("t/a", CHRISTMAS_EVE)).isEqualTo(new NamespaceAnswer(true, "t/a", null, 0, 0));
    }

    @Test
    void soManyAreMovedInAnyWindow() {
        rules("t/a max 2/1h", 0);

        assertThat(consume("t/a", 0)).isTrue();
        assertThat(unloads.estimate("t/a", 10 * MINUTE).used()).isEqualTo(1);
        assertThat(consume("t/a", 10 * MINUTE)).isTrue();
        NamespaceAnswer answer = unloads.consume("t/a", HOUR - 42_000);
        assertThat(answer.granted()).isFalse();
        assertThat(answer.used()).isEqualTo(2);
        assertThat(answer.millisUntilFree()).isEqualTo(42_000);
        assertThat(answer.why()).isEqualTo("rule \"t/a max 2/1h\" holds t/a, frees in 42 s");
        assertThat(consume("t/a", HOUR - 1)).isFalse();
        assertThat(consume("t/a", HOUR)).isTrue();
        assertThat(consume("t/a", HOUR)).isFalse();
    }

    @Test
    void eachNamespaceOfATenantIsCountedByItself() {
        rules("t/* max 1/1h; all max 0/1h", 0);

        assertThat(consume("t/a", 0)).isTrue();
        assertThat(consume("t/b", 0)).isTrue();
        assertThat(consume("t/a", 0)).isFalse();
        assertThat(consume("t/b", 0)).isFalse();
        assertThat(unloads.size()).isEqualTo(2);
    }

    @Test
    void aLimitOfZeroLetsNoneThrough() {
        rules("all max 0/1h", 0);

        NamespaceAnswer answer = unloads.consume("t/a", 0);
        assertThat(answer.granted()).isFalse();
        assertThat(answer.millisUntilFree()).isEqualTo(Long.MAX_VALUE);
        assertThat(answer.why()).isEqualTo("rule \"all max 0/1h\" holds t/a");
    }

    @Test
    void aLimitThatExpiresFirstIsWaitedForNoLonger() {
        rules("t/a max 1/1h until 2026-12-24T08:00:00Z", CHRISTMAS_EVE - MINUTE);
        assertThat(consume("t/a", CHRISTMAS_EVE - MINUTE)).isTrue();

        NamespaceAnswer answer = unloads.estimate("t/a", CHRISTMAS_EVE - 30_000);
        assertThat(answer.millisUntilFree()).isEqualTo(30_000);
        assertThat(answer.why())
                .isEqualTo("rule \"t/a max 1/1h until 2026-12-24T08:00:00Z\" holds t/a, frees in 30 s");
        assertThat(consume("t/a", CHRISTMAS_EVE - 1)).isFalse();
        assertThat(consume("t/a", CHRISTMAS_EVE)).isTrue();
    }

    @Test
    void aFullLimitWithinItsLastMillisecondStillHolds() {
        rules("all max 1/1h until 2026-12-24T08:00:00.0005Z", CHRISTMAS_EVE);
        assertThat(consume("t/a", CHRISTMAS_EVE)).isTrue();

        assertThat(unloads.consume("t/a", CHRISTMAS_EVE).granted()).isFalse();
        assertThat(unloads.estimate("t/a", CHRISTMAS_EVE).millisUntilFree()).isEqualTo(1);
        assertThat(consume("t/a", CHRISTMAS_EVE + 1)).isTrue();
    }

    @Test
    void whatWasMovedUnderOneRuleCountsUnderTheNext() {
        rules("t/a max 3/1h until 2026-12-24T08:00:00Z; t/* max 1/2h", CHRISTMAS_EVE - MINUTE);
        assertThat(consume("t/a", CHRISTMAS_EVE - MINUTE)).isTrue();
        assertThat(consume("t/a", CHRISTMAS_EVE - 1)).isTrue();

        assertThat(unloads.estimate("t/a", CHRISTMAS_EVE).used()).isEqualTo(2);
        assertThat(consume("t/a", CHRISTMAS_EVE)).isFalse();
        assertThat(consume("t/a", CHRISTMAS_EVE + 2 * HOUR - 2)).isFalse();
        assertThat(consume("t/a", CHRISTMAS_EVE + 2 * HOUR - 1)).isTrue();
    }

    @Test
    void anExemptionInBetweenForgetsNothing() {
        rules("t/a max 1/1h", 0);
        consume("t/a", 0);
        rules("t/a exempt", MINUTE);
        rules("", 2 * MINUTE);
        assertThat(consume("t/a", 2 * MINUTE)).isTrue();
        rules("t/a max 1/1h", 3 * MINUTE);

        assertThat(consume("t/a", HOUR - 1)).isFalse();
        assertThat(consume("t/a", HOUR)).isTrue();
    }

    @Test
    void namespacesOfWhichNothingCountsAreForgotten() {
        rules("all max 1/1h", 0);
        for (int i = 0; i < 100; i++) {
            consume("t/" + i, i);
        }
        assertThat(unloads.size()).isEqualTo(100);
        rules("all max 1/1h", HOUR + 49);
        assertThat(unloads.size()).isEqualTo(50);
        rules("all exempt", HOUR + 98);
        assertThat(unloads.size()).isEqualTo(1);
        rules("all exempt", HOUR + 99);
        assertThat(unloads.size()).isZero();
    }

    @Test
    void anEstimateHasNoEffect() {
        rules("all max 1/1h", 0);
        for (int i = 0; i < 5; i++) {
            assertThat(unloads.estimate("t/a", 0).granted()).isTrue();
        }
        assertThat(unloads.size()).isZero();
        assertThat(consume("t/a", 0)).isTrue();
    }

    @Test
    void aCopyIsConsumedOnItsOwn() {
        rules("all max 2/1h; u/a exempt until 2026-12-24T08:00:00Z", CHRISTMAS_EVE);
        consume("t/a", CHRISTMAS_EVE);
        unloads.newlyExpired(CHRISTMAS_EVE);
        NamespaceUnloads copy = unloads.copy();

        assertThat(copy.newlyExpired(CHRISTMAS_EVE)).isEmpty();
        assertThat(copy.consume("t/a", CHRISTMAS_EVE).granted()).isTrue();
        assertThat(copy.consume("t/a", CHRISTMAS_EVE).granted()).isFalse();
        assertThat(copy.consume("t/b", CHRISTMAS_EVE).granted()).isTrue();
        assertThat(unloads.size()).isEqualTo(1);
        assertThat(unloads.estimate("t/a", CHRISTMAS_EVE).used()).isEqualTo(1);
    }

    @Test
    void anUnloadCountsFromWhenItHappenedAndNotIfItDidNot() {
        rules("all max 2/1h", 0);
        consume("t/a", 0);
        consume("t/a", 0);
        unloads.unloaded("t/a", 0, MINUTE);
        unloads.notUnloaded("t/a", 0);
        unloads.unloaded("t/b", 0, MINUTE);
        unloads.notUnloaded("t/b", 0);

        assertThat(unloads.estimate("t/a", MINUTE).used()).isEqualTo(1);
        assertThat(unloads.estimate("t/a", HOUR).used()).isEqualTo(1);
        assertThat(unloads.estimate("t/a", HOUR + MINUTE - 1).used()).isEqualTo(1);
        assertThat(unloads.estimate("t/a", HOUR + MINUTE).used()).isZero();
    }

    @Test
    void anExpiredRuleIsNamedOnce() {
        rules("t/a exempt until 2026-12-24T08:00:00Z; t/b max 1/1h until 2026-12-24T09:00:00Z; all exempt",
                CHRISTMAS_EVE - 1);
        assertThat(unloads.newlyExpired(CHRISTMAS_EVE - 1)).isEmpty();

        assertThat(unloads.newlyExpired(CHRISTMAS_EVE)).extracting(NamespaceRule::toString)
                .containsExactly("t/a exempt until 2026-12-24T08:00:00Z");
        assertThat(unloads.newlyExpired(CHRISTMAS_EVE)).isEmpty();
        assertThat(unloads.newlyExpired(CHRISTMAS_EVE + HOUR)).extracting(NamespaceRule::toString)
                .containsExactly("t/b max 1/1h until 2026-12-24T09:00:00Z");
        rules("t/b max 1/1h until 2026-12-24T09:00:00Z; all exempt", CHRISTMAS_EVE + HOUR);
        assertThat(unloads.newlyExpired(CHRISTMAS_EVE + HOUR)).isEmpty();
    }

    @Test
    void aRuleThatIsWrittenAnewIsNamedAnew() {
        rules("t/a exempt until 2026-12-24T08:00:00Z", CHRISTMAS_EVE);
        assertThat(unloads.newlyExpired(CHRISTMAS_EVE)).hasSize(1);
        rules("t/a exempt until 2026-12-24T08:00:01Z", CHRISTMAS_EVE);
        assertThat(unloads.newlyExpired(CHRISTMAS_EVE + 1000)).hasSize(1);
        rules("t/a exempt until 2026-12-24T08:00:00Z", CHRISTMAS_EVE + 2000);

        assertThat(unloads.newlyExpired(CHRISTMAS_EVE + 2000)).extracting(NamespaceRule::toString)
                .containsExactly("t/a exempt until 2026-12-24T08:00:00Z");
    }
}
