package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private static final long MILLIS = 1_000_000;

    private final StringWriter text = new StringWriter();
    private long now = -5;

    private Progress progress(boolean live) {
        return new Progress(new PrintWriter(text), live, () -> now);
    }

    @Test
    void theLineIsRewrittenFiveTimesASecondAtMostAndTakenAway() {
        Progress progress = progress(true);

        progress.show("one");
        now += 199 * MILLIS;
        progress.show("two");
        now += MILLIS;
        progress.show("three");
        progress.clear();
        progress.clear();

        assertThat(text.toString()).isEqualTo("\r\u001b[2Kone\r\u001b[2Kthree\r\u001b[2K");
    }

    @Test
    void nothingIsWrittenWhereThereIsNoTerminal() {
        Progress progress = progress(false);

        progress.show("one");
        progress.clear();

        assertThat(text.toString()).isEmpty();
    }
}
