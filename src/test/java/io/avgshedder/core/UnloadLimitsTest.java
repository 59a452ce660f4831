package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnloadLimitsTest {

    @Test
    void everyScopeHasItsLimit() {
        UnloadLimits limits = UnloadLimits.parse("cluster=20/10m, source=5/90s, target=4/3d, namespace=2/1h");

        assertThat(limits.of(UnloadScope.CLUSTER)).contains(new UnloadLimit(20, 10, UnloadLimit.Unit.MINUTES));
        assertThat(limits.of(UnloadScope.SOURCE)).contains(new UnloadLimit(5, 90, UnloadLimit.Unit.SECONDS));
        assertThat(limits.of(UnloadScope.TARGET)).contains(new UnloadLimit(4, 3, UnloadLimit.Unit.DAYS));
        assertThat(limits.of(UnloadScope.NAMESPACE)).contains(new UnloadLimit(2, 1, UnloadLimit.Unit.HOURS));
        assertThat(limits.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1s, 1000", "90s, 90000", "10m, 600000", "1h, 3600000", "1d, 86400000", "365d, 31536000000",
            "8760h, 31536000000"})
    void windowsAreInMilliseconds(String window, long millis) {
        UnloadLimit limit = UnloadLimits.parse("cluster=0/" + window).of(UnloadScope.CLUSTER).orElseThrow();

        assertThat(limit.windowMillis()).isEqualTo(millis);
        assertThat(limit.count()).isZero();
        assertThat(limit).hasToString("0/" + window);
    }

    @Test
    void aScopeThatIsNotWrittenHasNoLimit() {
        UnloadLimits limits = UnloadLimits.parse("source=5/10m");

        assertThat(limits.of(UnloadScope.CLUSTER)).isEmpty();
        assertThat(limits.of(UnloadScope.TARGET)).isEmpty();
        assertThat(limits.of(UnloadScope.NAMESPACE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t"})
    void blankIsNoLimitAtAll(String text) {
        assertThat(UnloadLimits.parse(text)).isEqualTo(UnloadLimits.NONE).hasToString("");
        assertThat(UnloadLimits.parse(text).isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cluster=20/10m, source=5/10m, target=5/10m, namespace=2/1h", "namespace=0/60m, cluster=3/2m",
            "target=100000/86400s"})
    void isWrittenAsItWasRead(String text) {
        assertThat(UnloadLimits.parse(text)).hasToString(text);
        assertThat(UnloadLimits.parse(UnloadLimits.parse(text).toString())).isEqualTo(UnloadLimits.parse(text));
    }

    @Test
    void blanksDoNotMatter() {
        assertThat(UnloadLimits.parse("  cluster = 20 / 10m,source=5/10m\t"))
                .isEqualTo(UnloadLimits.parse("cluster=20/10m, source=5/10m"))
                .hasSameHashCodeAs(UnloadLimits.parse("cluster=20/10m, source=5/10m"))
                .hasToString("cluster=20/10m, source=5/10m")
                .isNotEqualTo(UnloadLimits.parse("cluster=20/10m, source=6/10m"))
                .isNotEqualTo(UnloadLimits.parse("cluster=20/10m"))
                .isNotEqualTo("cluster=20/10m, source=5/10m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', value = {
        "cluster=20/10m, sorce=5/10m | 2 | part 2 \"sorce=5/10m\": the scope is \"sorce\", but must be cluster, source, target or namespace",
        "Cluster=20/10m | 1 | part 1 \"Cluster=20/10m\": the scope is \"Cluster\", but must be cluster, source, target or namespace",
        "=20/10m | 1 | part 1 \"=20/10m\": the scope is \"\", but must be cluster, source, target or namespace",
        "20/10m | 1 | part 1 \"20/10m\": the limit is \"20/10m\", but must be <scope>=<count>/<window> such as cluster=20/10m",
        "cluster=20/10m, | 2 | part 2 \"\": the limit is \"\", but must be <scope>=<count>/<window> such as cluster=20/10m",
        ",cluster=20/10m | 1 | part 1 \"\": the limit is \"\", but must be <scope>=<count>/<window> such as cluster=20/10m",
        "cluster=20 | 1 | part 1 \"cluster=20\": the limit is \"20\", but must be <count>/<window> such as 20/10m",
        "cluster= | 1 | part 1 \"cluster=\": the limit is \"\", but must be <count>/<window> such as 20/10m",
        "cluster=x/10m | 1 | part 1 \"cluster=x/10m\": the count is \"x\", but must be a whole number from 0 to 100000",
        "cluster=-1/10m | 1 | part 1 \"cluster=-1/10m\": the count is \"-1\", but must be a whole number from 0 to 100000",
        "cluster=100001/10m | 1 | part 1 \"cluster=100001/10m\": the count is \"100001\", but must be a whole number from 0 to 100000",
        "cluster=99999999999/1m | 1 | part 1 \"cluster=99999999999/1m\": the count is \"99999999999\", but must be a whole number from 0 to 100000",
        "cluster=1.5/1m | 1 | part 1 \"cluster=1.5/1m\": the count is \"1.5\", but must be a whole number from 0 to 100000",
        "cluster=1/10 | 1 | part 1 \"cluster=1/10\": the window is \"10\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/m | 1 | part 1 \"cluster=1/m\": the window is \"m\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/10M | 1 | part 1 \"cluster=1/10M\": the window is \"10M\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/10min | 1 | part 1 \"cluster=1/10min\": the window is \"10min\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/0s | 1 | part 1 \"cluster=1/0s\": the window is \"0s\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/366d | 1 | part 1 \"cluster=1/366d\": the window is \"366d\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/8761h | 1 | part 1 \"cluster=1/8761h\": the window is \"8761h\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/99999999999s | 1 | part 1 \"cluster=1/99999999999s\": the window is \"99999999999s\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "cluster=1/1m/2 | 1 | part 1 \"cluster=1/1m/2\": the window is \"1m/2\", but must be a whole number with a unit s, m, h or d, from 1s to 365d",
        "source=1/1m, cluster=1/1m, source=1/1m | 3 | part 3 \"source=1/1m\": the source limit is given for the second time, but must be given once at most",
        "cluster=1/1m; source=1/1m | 1 | part 1 \"cluster=1/1m; source=1/1m\": the window is \"1m; source=1/1m\", but must be a whole number with a unit s, m, h or d, from 1s to 365d"})
    void whatIsWrongIsNamed(String text, int part, String message) {
        assertThatExceptionOfType(SettingSyntaxException.class).isThrownBy(() -> UnloadLimits.parse(text))
                .withMessage(message)
                .satisfies(e -> assertThat(e.part()).isEqualTo(part))
                .satisfies(e -> assertThat(message).endsWith(", but must be " + e.allowed()));
    }

    @Test
    void aLimitIsNeverOutOfRange() {
        assertThatIllegalArgumentException().isThrownBy(() -> new UnloadLimit(-1, 1, UnloadLimit.Unit.DAYS))
                .withMessage("the count is -1, but must be 0 to 100000");
        assertThatIllegalArgumentException().isThrownBy(() -> new UnloadLimit(100_001, 1, UnloadLimit.Unit.DAYS));
        assertThatIllegalArgumentException().isThrownBy(() -> new UnloadLimit(1, 0, UnloadLimit.Unit.SECONDS))
                .withMessage("the window is 0s, but must be 1s to 365d");
        assertThatIllegalArgumentException().isThrownBy(() -> new UnloadLimit(1, 366, UnloadLimit.Unit.DAYS));
        assertThat(new UnloadLimit(100_000, 365, UnloadLimit.Unit.DAYS)).hasToString("100000/365d");
    }
}
