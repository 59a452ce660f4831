package io.avgshedder.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {

    private final Text blocks = new Text(true);
    private final Text ascii = new Text(false);

    @Test
    void barsAreAsLongAsTheirValue() {
        assertThat(blocks.bar(50, 100, 10)).isEqualTo("█████");
        assertThat(blocks.bar(52.5, 100, 10)).isEqualTo("█████▎");
        assertThat(ascii.bar(50, 100, 10)).isEqualTo("#####");
    }

    @Test
    void barsEndAtTheirScale() {
        assertThat(blocks.bar(250, 100, 4)).isEqualTo("████");
        assertThat(blocks.bar(0, 100, 4)).isEmpty();
    }

    @Test
    void hitsBuildUp() {
        assertThat(blocks.hits(2, 8)).isEqualTo("●●○○○○○○ 2/8");
        assertThat(ascii.hits(3, 2)).isEqualTo("** 3/2");
        assertThat(ascii.hits(3, 50)).isEqualTo("3/50");
    }

    @Test
    void wrapsAtSpaces() {
        assertThat(Text.wrap("one two three", 7)).containsExactly("one two", "three");
        assertThat(Text.wrap("averylongword x", 5)).containsExactly("averylongword", "x");
    }
}
