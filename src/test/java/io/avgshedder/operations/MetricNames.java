package io.avgshedder.operations;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Which metrics a PromQL expression asks for. */
public final class MetricNames {

    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
    /** A broker's metric, or one that a recording rule makes of it, such as {@code cluster:pulsar_x:max}. */
    private static final Pattern NAME = Pattern.compile("\\b(?:\\w+:)*pulsar_\\w+(?::\\w+)*");

    private MetricNames() {
    }

    /** The names that begin with {@code pulsar_} in what was asked or recorded, in their order. */
    public static Set<String> in(Collection<String> expressions) {
        Set<String> names = new TreeSet<>();
        for (String expression : expressions) {
            NAME.matcher(TEXT.matcher(expression).replaceAll("")).results().map(MatchResult::group).forEach(names::add);
        }
        return names;
    }
}
