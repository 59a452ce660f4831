package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceRulesTest {

    /** 2026-12-24T08:00:00Z. */
    private static final long CHRISTMAS_EVE = 1_798_099_200_000L;

    private static String rule(String rules, String namespace, long now) {
        return NamespaceRules.parse(rules).ruleFor(namespace, now).map(NamespaceRule::toString).orElse("none");
    }

    @Test
    void theNamespacesOwnRuleBeatsItsTenantsAndThatOneBeatsAll() {
        for (String rules : new String[] {"t/a exempt; t/* max 1/1h; all max 2/1h", "all max 2/1h; t/* max 1/1h; t/a exempt"}) {
            assertThat(rule(rules, "t/a", 0)).isEqualTo("t/a exempt");
            assertThat(rule(rules, "t/b", 0)).isEqualTo("t/* max 1/1h");
            assertThat(rule(rules, "t/ab", 0)).isEqualTo("t/* max 1/1h");
            assertThat(rule(rules, "u/a", 0)).isEqualTo("all max 2/1h");
            assertThat(rule(rules, "tt/a", 0)).isEqualTo("all max 2/1h");
        }
    }

    @Test
    void withoutARuleForAllTheRestIsFree() {
        assertThat(rule("t/a exempt; t/* max 1/1h", "u/a", 0)).isEqualTo("none");
        assertThat(rule("t/a exempt", "t/b", 0)).isEqualTo("none");
        assertThat(rule("", "t/b", 0)).isEqualTo("none");
    }

    @Test
    void aTenantsRuleHoldsForNamespacesOfTheOlderKind() {
        assertThat(rule("t/* exempt", "t/cluster/ns", 0)).isEqualTo("t/* exempt");
        assertThat(rule("t/cluster/ns exempt", "t/cluster/ns", 0)).isEqualTo("t/cluster/ns exempt");
    }

    @Test
    void aNameWithoutATenantHasTheRuleForAllOnly() {
        assertThat(rule("t/* exempt; all max 1/1h", "odd", 0)).isEqualTo("all max 1/1h");
        assertThat(rule("t/* exempt", "", 0)).isEqualTo("none");
    }

    @Test
    void anExpiredRuleCountsAsIfItWereNotWritten() {
        String rules = "t/a exempt until 2026-12-24T08:00:00Z; t/* max 1/1h until 2026-12-24T08:00:01Z; all exempt";

        assertThat(rule(rules, "t/a", CHRISTMAS_EVE - 1)).isEqualTo("t/a exempt until 2026-12-24T08:00:00Z");
        assertThat(rule(rules, "t/a", CHRISTMAS_EVE)).isEqualTo("t/* max 1/1h until 2026-12-24T08:00:01Z");
        assertThat(rule(rules, "t/a", CHRISTMAS_EVE + 999)).isEqualTo("t/* max 1/1h until 2026-12-24T08:00:01Z");
        assertThat(rule(rules, "t/a", CHRISTMAS_EVE + 1000)).isEqualTo("all exempt");
        assertThat(rule("all exempt until 2026-12-24T08:00:00Z", "t/a", CHRISTMAS_EVE)).isEqualTo("none");
    }

    @Test
    void aPartOfAMillisecondIsWaitedFor() {
        String rules = "all exempt until 2026-12-24T08:00:00.000500Z";

        assertThat(rule(rules, "t/a", CHRISTMAS_EVE)).isEqualTo(rules);
        assertThat(rule(rules, "t/a", CHRISTMAS_EVE + 1)).isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"t/ns exempt until 2026-12-24T08:00:00Z; t/* max 1/1h; all exempt",
            "all max 0/60m; a-b/c_d.e=f exempt", "t/* max 3/2d until 2026-01-01T00:00:00.500Z", "pulsar/cluster/host:8080 exempt"})
    void isWrittenAsItWasRead(String text) {
        assertThat(NamespaceRules.parse(text)).hasToString(text);
        assertThat(NamespaceRules.parse(text).isEmpty()).isFalse();
    }

    @Test
    void anInstantMayBeWrittenWithAnOffset() {
        assertThat(NamespaceRules.parse("all exempt until 2026-12-24T09:00:00+01:00"))
                .hasToString("all exempt until 2026-12-24T08:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void blankIsNoRule(String text) {
        assertThat(NamespaceRules.parse(text)).isEqualTo(NamespaceRules.NONE).hasToString("");
        assertThat(NamespaceRules.parse(text).isEmpty()).isTrue();
        assertThat(NamespaceRules.parse(text).all()).isEmpty();
    }

    @Test
    void blanksDoNotMatter() {
        assertThat(NamespaceRules.parse("  t/ns   exempt\tuntil  2026-12-24T08:00:00Z ;all max 1/1h"))
                .isEqualTo(NamespaceRules.parse("t/ns exempt until 2026-12-24T08:00:00Z; all max 1/1h"))
                .hasSameHashCodeAs(NamespaceRules.parse("t/ns exempt until 2026-12-24T08:00:00Z; all max 1/1h"))
                .isNotEqualTo(NamespaceRules.parse("t/ns exempt; all max 1/1h"))
                .isNotEqualTo("t/ns exempt until 2026-12-24T08:00:00Z; all max 1/1h");
    }

    @Test
    void aRuleSaysWhatItIs() {
        NamespaceRules rules = NamespaceRules.parse("t/a exempt until 2026-12-24T08:00:00Z; t/* max 2/1h");

        assertThat(rules.all()).containsExactly(
                new NamespaceRule("t/a", null, Instant.ofEpochMilli(CHRISTMAS_EVE)),
                new NamespaceRule("t/*", new UnloadLimit(2, 1, UnloadLimit.Unit.HOURS), null));
        assertThat(rules.all()).extracting(NamespaceRule::isExemption).containsExactly(true, false);
        assertThat(rules.all()).extracting(rule -> rule.hasExpired(Long.MAX_VALUE)).containsExactly(true, false);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "all exempt; t exempt | 2 | part 2 \"t exempt\": the namespace is \"t\", but must be tenant/namespace, tenant/* or all",
        "t/a/b/c exempt | 1 | part 1 \"t/a/b/c exempt\": the namespace is \"t/a/b/c\", but must be tenant/namespace, tenant/* or all",
        "t/a* exempt | 1 | part 1 \"t/a* exempt\": the namespace is \"t/a*\", but must be tenant/namespace, tenant/* or all",
        "*/* exempt | 1 | part 1 \"*/* exempt\": the namespace is \"*/*\", but must be tenant/namespace, tenant/* or all",
        "ALL exempt | 1 | part 1 \"ALL exempt\": the namespace is \"ALL\", but must be tenant/namespace, tenant/* or all",
        "all exempt; | 2 | part 2 \"\": the namespace is \"\", but must be tenant/namespace, tenant/* or all",
        "all | 1 | part 1 \"all\": the rule is \"\", but must be exempt, or max <count>/<window> such as max 1/1h",
        "all exmpt | 1 | part 1 \"all exmpt\": the rule is \"exmpt\", but must be exempt, or max <count>/<window> such as max 1/1h",
        "all max | 1 | part 1 \"all max\": the limit is \"\", but must be <count>/<window> such as 20/10m",
        "all max 1 per 1h | 1 | part 1 \"all max 1 per 1h\": the limit is \"1\", but must be <count>/<window> such as 20/10m",
        "all max 1/1w | 1 | part 1 \"all max 1/1w\": the window is \"1w\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "all exempt till 2026-12-24T08:00:00Z | 1 | part 1 \"all exempt till 2026-12-24T08:00:00Z\": the next word is \"till\", but must be until, followed by an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z",
        "all exempt until | 1 | part 1 \"all exempt until\": the instant is \"\", but must be an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z",
        "all exempt until 2026-12-24 | 1 | part 1 \"all exempt until 2026-12-24\": the instant is \"2026-12-24\", but must be an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z",
        "all exempt until 2026-12-24T08:00:00 | 1 | part 1 \"all exempt until 2026-12-24T08:00:00\": the instant is \"2026-12-24T08:00:00\", but must be an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z",
        "all exempt until +10000-01-01T00:00:00Z | 1 | part 1 \"all exempt until +10000-01-01T00:00:00Z\": the instant is \"+10000-01-01T00:00:00Z\", but must be an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z",
        "all exempt until 1969-12-31T23:59:59Z | 1 | part 1 \"all exempt until 1969-12-31T23:59:59Z\": the instant is \"1969-12-31T23:59:59Z\", but must be an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z",
        "all exempt until 2026-12-24T08:00:00Z t/a exempt | 1 | part 1 \"all exempt until 2026-12-24T08:00:00Z t/a exempt\": the instant is followed by \"t/a exempt\", but must be the last word, or followed by a semicolon",
        "t/a exempt; t/a max 1/1h | 2 | part 2 \"t/a max 1/1h\": the rule for t/a is given for the second time, but must be given once at most",
        "t/a exempt, t/b exempt | 1 | part 1 \"t/a exempt, t/b exempt\": the rule is \"exempt,\", but must be exempt, or max <count>/<window> such as max 1/1h"})
    void whatIsWrongIsNamed(String text, int part, String message) {
        assertThatExceptionOfType(SettingSyntaxException.class).isThrownBy(() -> NamespaceRules.parse(text))
                .withMessage(message)
                .satisfies(e -> assertThat(e.part()).isEqualTo(part));
    }

    @Test
    void aRuleIsNeverOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> new NamespaceRule("t", null, null))
                .withMessage("the namespace is \"t\", but must be tenant/namespace, tenant/* or all");
        assertThatIllegalArgumentException().isThrownBy(() -> new NamespaceRule("all", null, Instant.MAX))
                .withMessage("the instant is +1000000000-12-31T23:59:59.999999999Z, but must be "
                        + "an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z");
        assertThatIllegalArgumentException().isThrownBy(() -> new NamespaceRule("all", null, Instant.MIN));
        assertThat(new NamespaceRule("all", null, Instant.EPOCH).hasExpired(0)).isTrue();
        assertThat(new NamespaceRule("all", null, Instant.EPOCH).hasExpired(-1)).isFalse();
    }
}
