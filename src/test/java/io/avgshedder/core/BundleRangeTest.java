package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What bundles' names tell: ranges, parts, rest after an unload, and bundles that belong to the brokers. */
class BundleRangeTest {

    @Test
    void aNameIsANamespaceAndARange() {
        assertThat(BundleRange.of("t/n/0x00000000_0x08000000")).isEqualTo(new BundleRange("t/n", 0, 0x08000000L));
        assertThat(BundleRange.of("t/c/n/0xf0000000_0xffffffff"))
                .isEqualTo(new BundleRange("t/c/n", 0xf0000000L, 0xffffffffL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"t/n/x", "t/n/_", "t/n/0x00_", "t/n/0x0q_0x10", "t/n/0x00"})
    void aNameWithoutARangeKeepsItsNamespace(String name) {
        assertThat(BundleRange.of(name)).isEqualTo(new BundleRange("t/n", 0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0x00_0x10"})
    void aNameWithoutASlashHasNoNamespace(String name) {
        assertThat(BundleRange.namespace(name)).isEmpty();
    }

    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource({
            "t/n/0x00_0x80, t/n/0x00_0x40, true",
            "t/n/0x00_0x80, t/n/0x40_0x80, true",
            "t/n/0x00_0x80, t/n/0x20_0x30, true",
            "t/n/0x80000000_0xffffffff, t/n/0xc0000000_0xffffffff, true",
            "t/n/0x00_0x80, t/n/0x00_0x80, false",
            "t/n/0x00_0x40, t/n/0x00_0x80, false",
            "t/n/0x00_0x80, t/n/0x40_0x90, false",
            "t/n/0x00_0x80, t/m/0x00_0x40, false",
            "t/n/0x00_0x80, t/n/x, false",
            "t/n/x, t/n/0x00_0x40, false"})
    void aPartIsSmallerAndInside(String whole, String part, boolean isPart) {
        assertThat(BundleRange.of(whole).isSplitInto(BundleRange.of(part))).isEqualTo(isPart);
    }

    @Test
    void whatWasUnloadedRestsAndSoDoItsParts() {
        RestingBundles resting = new RestingBundles(Set.of("t/n/0x00_0x80", "t/m/x"));

        assertThat(List.of("t/n/0x00_0x80", "t/m/x", "t/n/0x00_0x40", "t/n/0x40_0x80", "t/n/0x40_0x60"))
                .allMatch(resting::contains);
        assertThat(List.of("t/n/0x80_0xff", "t/n/0x00_0xff", "t/m/0x00_0x40", "t/m/y", "t/k/0x00_0x40"))
                .noneMatch(resting::contains);
        assertThat(new RestingBundles(Set.of()).contains("t/n/0x00_0x80")).isFalse();
    }

    @Test
    void splitBundlesAreFoundInTheReportsTheyMayBeIn() {
        List<BrokerLoad> brokers = Cluster.of("A 1 1 {0x00_0x40:1, 0x40_0x80:1, 0x80_0xff:1}, B 1 1 {m/0x00_0x40:1}")
                .snapshot(java.util.Map.of()).brokers();
        Splits splits = new Splits();
        splits.lookFor("t/n/0x00_0x80", "A");
        splits.lookFor("t/n/0x80_0xff", "A");
        splits.lookFor("t/m/0x00_0x80", "A");
        splits.lookFor("t/m/0x00_0x40", "B");
        splits.lookFor("t/n/0x00_0x80", "X");

        assertThat(splits.find(brokers)).containsExactly("t/n/0x00_0x80");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pulsar/system/0x00_0xff", "pulsar/standalone/broker-1:8080/0x00_0xff",
            "pulsar/broker-1:8080/0x00_0xff", "sla-monitor/standalone/broker-1.example.org:8080/0x00_0xff"})
    void someBundlesBelongToTheBrokers(String bundle) {
        assertThat(SystemBundles.contains(bundle)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pulsar/functions/0x00_0xff", "pulsar/systems/0x00_0xff", "public/default/0x00_0xff",
            "t/system/0x00_0xff", "sla-monitors/c/b:8080/0x00_0xff", "t/pulsar/system/0x00_0xff", "pulsar/system", ""})
    void othersAreTheUsers(String bundle) {
        assertThat(SystemBundles.contains(bundle)).isFalse();
    }
}
