package io.avgshedder.core;

import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * So many unloads in any window of this length, written {@code 20/10m}. A count of 0 means none. Two limits are equal
 * if they are written alike: {@code 1/60m} is not {@code 1/1h}, so that each is shown as the operator wrote it.
 *
 * @param count  0 to {@value #MAX_COUNT}
 * @param length of the window, in units
 * @param unit   of the length
 */
public record UnloadLimit(int count, int length, Unit unit) {

    /** What is remembered grows with the count; a limit above this one would not limit anything. */
    public static final int MAX_COUNT = RecentTimes.MAX_LIMIT;
    /** The longest window in milliseconds, 365 days. */
    public static final long MAX_WINDOW_MILLIS = 365 * 86_400_000L;

    static final String FORM = "<count>/<window> such as 20/10m";

    private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");
    private static final Pattern WINDOW = Pattern.compile("[0-9]{1,9}[smhd]");

    /** A unit of time. */
    public enum Unit {
        SECONDS('s', 1_000),
        MINUTES('m', 60_000),
        HOURS('h', 3_600_000),
        DAYS('d', 86_400_000);

        private final char letter;
        private final long millis;

        Unit(char letter, long millis) {
            this.letter = letter;
            this.millis = millis;
        }
    }

    /** @throws IllegalArgumentException if the count or the window is out of range */
    public UnloadLimit {
        Objects.requireNonNull(unit, "unit");
        if (!isCount(count)) {
            throw new IllegalArgumentException("the count is " + count + ", but must be 0 to " + MAX_COUNT);
        }
        if (!isWindow(length, unit)) {
            throw new IllegalArgumentException("the window is " + length + unit.letter + ", but must be 1s to 365d");
        }
    }

    /** Reads {@code text}, which is in {@code part}. */
    static UnloadLimit parse(SettingPart part, String text) {
        SettingPart.Pair pair = part.halve(text, '/', "limit", FORM);
        String count = pair.left();
        if (!COUNT.matcher(count).matches() || !isCount(Integer.parseInt(count))) {
            throw part.isNot("count", count, "a whole number from 0 to " + MAX_COUNT);
        }
        String window = pair.right();
        if (WINDOW.matcher(window).matches()) {
            int last = window.length() - 1;
            int length = Integer.parseInt(window.substring(0, last));
            Unit unit = Arrays.stream(Unit.values()).filter(any -> any.letter == window.charAt(last))
                    .findFirst().orElseThrow();
            if (isWindow(length, unit)) {
                return new UnloadLimit(Integer.parseInt(count), length, unit);
            }
        }
        throw part.isNot("window", window, "a whole number with a unit s, m, h or d, from 1s to 365d");
    }

    private static boolean isCount(int count) {
        return count >= 0 && count <= MAX_COUNT;
    }

    private static boolean isWindow(int length, Unit unit) {
        return length >= 1 && length <= MAX_WINDOW_MILLIS / unit.millis;
    }

    public long windowMillis() {
        return length * unit.millis;
    }

    /** As it is written in a setting. */
    @Override
    public String toString() {
        return count + "/" + length + unit.letter;
    }
}
