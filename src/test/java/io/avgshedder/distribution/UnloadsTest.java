package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnloadsTest {

    private static String done(String time, String bundle) {
        return "2026-01-01T" + time + "+0000 [metadata-store-10-1] INFO  org.apache.pulsar.broker.namespace.OwnedBundle"
                + " - Unloading " + bundle + " namespace-bundle with 1 topics completed in 23.0 ms";
    }

    @Test
    void readsWhenABundleOfTheNamespaceLeft() {
        Unloads unloads = Unloads.of(List.of(
                List.of(done("10:00:02,500", "shop/b/0x10000000_0x20000000"),
                        done("10:00:01,000", "pulsar/b/0x10000000_0x20000000")),
                List.of(done("10:00:01,250", "shop/a/0x10000000_0x20000000"),
                        "2026-01-01T10:00:01,000+0000 [x] INFO  x - Unloading bundle: shop/a/0x1_0x2 from a to b")),
                "shop/");

        assertThat(unloads.all()).containsExactly(
                new Unloads.Unload(Instant.parse("2026-01-01T10:00:01.250Z"), "shop/a/0x10000000_0x20000000"),
                new Unloads.Unload(Instant.parse("2026-01-01T10:00:02.500Z"), "shop/b/0x10000000_0x20000000"));
        assertThat(unloads.of("shop/a").all()).hasSize(1);
        assertThat(unloads.after(Instant.parse("2026-01-01T10:00:01.250Z")).all()).hasSize(1);
    }

    @Test
    void countsTheMostInAnyWindow() {
        Unloads unloads = Unloads.of(List.of(List.of(
                done("10:00:00,000", "s/a/0x1"), done("10:00:50,000", "s/a/0x2"), done("10:01:59,999", "s/a/0x3"),
                done("10:02:00,000", "s/a/0x4"), done("10:02:10,000", "s/a/0x5"))), "s/");

        assertThat(unloads.mostWithin(Duration.ofMinutes(2))).isEqualTo(4);
        assertThat(unloads.mostWithin(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(unloads.mostWithin(Duration.ofHours(1))).isEqualTo(5);
        assertThat(Unloads.of(List.of(), "s/").mostWithin(Duration.ofHours(1))).isZero();
    }
}
