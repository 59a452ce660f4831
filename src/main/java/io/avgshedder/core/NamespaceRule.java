package io.avgshedder.core;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What holds for the bundles of some namespaces: that they are never moved ({@code exempt}), or that at most so many of
 * them are moved in a window ({@code max 1/1h}), for good or until an instant. From that instant on the rule has
 * expired and counts as if it were not written.
 *
 * @param namespaces one namespace ({@code tenant/namespace}), all of a tenant's ({@code tenant/*}), or {@code all}; a
 *                   limit is counted for each of them by itself
 * @param limit      {@code null} for an exemption
 * @param until      {@code null} for good
 */
public record NamespaceRule(String namespaces, UnloadLimit limit, Instant until) {

    static final String ALL = "all";

    private static final String NAMESPACES = "tenant/namespace, tenant/* or all";
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final String INSTANT = "an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z";
    /** Of two parts, or three where a namespace of the older kind names its cluster. */
    private static final Pattern NAMESPACE = Pattern.compile("[-=:.\\w]+(/[-=:.\\w]+){1,2}");
    private static final Pattern TENANT = Pattern.compile("[-=:.\\w]+/\\*");

    public NamespaceRule {
        Objects.requireNonNull(namespaces, "namespaces");
        if (!isPattern(namespaces)) {
            throw new IllegalArgumentException("the namespace is \"" + namespaces + "\", but must be " + NAMESPACES);
        }
        if (until != null && !isInRange(until)) {
            throw new IllegalArgumentException("the instant is " + until + ", but must be " + INSTANT);
        }
    }

    static NamespaceRule parse(SettingPart part) {
        String[] words = part.text().split("\\s+");
        if (!isPattern(words[0])) {
            throw part.isNot("namespace", words[0], NAMESPACES);
        }
        String effect = words.length > 1 ? words[1] : "";
        int next = 2;
        UnloadLimit limit = null;
        switch (effect) {
            case "exempt" -> { }
            case "max" -> limit = UnloadLimit.parse(part, words.length > next ? words[next++] : "");
            default -> throw part.isNot("rule", effect, "exempt, or max <count>/<window> such as max 1/1h");
        }
        if (next == words.length) {
            return new NamespaceRule(words[0], limit, null);
        }
        if (!words[next].equals("until")) {
            throw part.isNot("next word", words[next], "until, followed by " + INSTANT);
        }
        if (words.length > next + 2) {
            throw part.wrong("the instant is followed by \""
                    + String.join(" ", Arrays.asList(words).subList(next + 2, words.length)) + "\"",
                    "the last word, or followed by a semicolon");
        }
        return new NamespaceRule(words[0], limit, instant(part, words.length > next + 1 ? words[next + 1] : ""));
    }

    private static Instant instant(SettingPart part, String text) {
        Optional<Instant> instant;
        try {
            instant = Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            instant = Optional.empty();
        }
        return instant.filter(NamespaceRule::isInRange).orElseThrow(() -> part.isNot("instant", text, INSTANT));
    }

    private static boolean isInRange(Instant instant) {
        return !instant.isBefore(Instant.EPOCH) && instant.isBefore(LATEST);
    }

    private static boolean isPattern(String text) {
        return text.equals(ALL) || NAMESPACE.matcher(text).matches() || TENANT.matcher(text).matches();
    }

    public boolean isExemption() {
        return limit == null;
    }

    /** @param now in milliseconds since the epoch */
    public boolean hasExpired(long now) {
        return until != null && now >= endMillis();
    }

    /** The first whole millisecond at which a rule with an end does not hold any more. */
    long endMillis() {
        return until.plusNanos(999_999).toEpochMilli();
    }

    /** As it is written in a setting. */
    @Override
    public String toString() {
        return namespaces + (isExemption() ? " exempt" : " max " + limit) + (until == null ? "" : " until " + until);
    }
}
