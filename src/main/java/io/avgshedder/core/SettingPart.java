package io.avgshedder.core;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One part of a setting that is a list, with its place in it, for messages that name both.
 *
 * @param number counted from 1
 * @param text   without the blanks around it
 */
record SettingPart(int number, String text) {

    /** Digits alone: no sign, exponent or type suffix, no hexadecimal, no NaN. */
    private static final Pattern DECIMAL = Pattern.compile("[0-9]+(\\.[0-9]+)?");

    /** Two texts with a character between them. */
    record Pair(String left, String right) {
    }

    /** Blank text has no parts; a separator with nothing on one side leaves an empty one. */
    static List<SettingPart> split(String list, char separator) {
        List<SettingPart> parts = new ArrayList<>();
        if (!list.isBlank()) {
            for (String text : list.split(Pattern.quote(String.valueOf(separator)), -1)) {
                parts.add(new SettingPart(parts.size() + 1, text.trim()));
            }
        }
        return parts;
    }

    /** The texts on both sides of the first {@code separator} in {@code whole}. */
    Pair halve(String whole, char separator, String what, String allowed) {
        int at = whole.indexOf(separator);
        if (at < 0) {
            throw isNot(what, whole, allowed);
        }
        return new Pair(whole.substring(0, at).trim(), whole.substring(at + 1).trim());
    }

    /** A number above 0, up to {@code most}. */
    double positive(String number, int most, String what) {
        double value = DECIMAL.matcher(number).matches() ? Double.parseDouble(number) : 0;
        if (value <= 0 || value > most) {
            throw isNot(what, number, "a number above 0, up to " + most);
        }
        return value;
    }

    Metric metric(String name) {
        return Metric.byLabel(name).orElseThrow(() -> isNot("metric", name,
                oneOf(Metric.ALL.stream().map(Metric::label).toList())));
    }

    SettingSyntaxException isNot(String what, String found, String allowed) {
        return wrong("the " + what + " is \"" + found + "\"", allowed);
    }

    SettingSyntaxException isTwice(String what) {
        return wrong("the " + what + " is given for the second time", "given once at most");
    }

    SettingSyntaxException wrong(String problem, String allowed) {
        return new SettingSyntaxException(number, text, problem, allowed);
    }

    /** As it is written in a sentence: {@code a, b or c}. */
    static String oneOf(List<String> names) {
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    /** The shortest text that is read as this number. */
    static String number(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
