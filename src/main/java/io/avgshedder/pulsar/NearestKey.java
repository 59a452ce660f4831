package io.avgshedder.pulsar;

import java.util.Comparator;
import java.util.Locale;

/** The key that somebody who wrote another one most likely meant, with or without the prefix of our keys. */
final class NearestKey {

    /** What is longer is no key at all, whatever comes behind. */
    private static final int LONGEST = 100;

    private NearestKey() {
    }

    /** Letters by which a key may differ from one of ours and still be meant. */
    private static final int TYPO = 3;

    /** Whether somebody who wrote this key may have meant one of ours: a typo in a safety key must not pass in silence. */
    static boolean looksLikeOurs(String written) {
        String lower = written.toLowerCase(Locale.ROOT);
        if (lower.contains("avgshed") || lower.startsWith(SettingKeys.PREFIX.toLowerCase(Locale.ROOT))) {
            return true;
        }
        return lower.contains("shed") && SettingKeys.ALL.stream().map(SettingKeys.Key::name)
                .filter(name -> name.startsWith(SettingKeys.PREFIX))
                .anyMatch(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= TYPO);
    }

    static String to(String written) {
        String lower = written.substring(0, Math.min(LONGEST, written.length())).toLowerCase(Locale.ROOT);
        String prefixed = SettingKeys.PREFIX.toLowerCase(Locale.ROOT) + lower;
        return SettingKeys.ALL.stream().map(SettingKeys.Key::name)
                .min(Comparator.comparingInt(name -> {
                    String known = name.toLowerCase(Locale.ROOT);
                    return Math.min(effort(lower, known), effort(prefixed, known));
                }))
                .orElseThrow();
    }

    /** What was cut short, or has something added to it, is nearer than what has a similar number of other letters. */
    private static int effort(String written, String known) {
        int distance = distance(written, known);
        return known.startsWith(written) || written.startsWith(known) ? distance / 4 : distance;
    }

    /** Levenshtein's distance: how many letters must be inserted, removed or replaced to make one from the other. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
