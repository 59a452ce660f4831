package io.avgshedder.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The limits of the unload budget, each scope's at most once, written
 * {@code cluster=20/10m, source=5/10m, target=5/10m, namespace=2/1h}. A scope that is not written has no limit.
 */
public final class UnloadLimits {

    /** No limit at all. */
    public static final UnloadLimits NONE = new UnloadLimits(Map.of());

    private static final String FORM = "<scope>=<count>/<window> such as cluster=20/10m";

    private final Map<UnloadScope, UnloadLimit> limits;

    private UnloadLimits(Map<UnloadScope, UnloadLimit> limits) {
        this.limits = Collections.unmodifiableMap(limits);
    }

    /**
     * Reads a setting; blank text means no limit.
     *
     * @throws SettingSyntaxException if the text is anything else than such a list
     */
    public static UnloadLimits parse(String text) {
        List<SettingPart> parts = SettingPart.split(text, ',');
        Map<UnloadScope, UnloadLimit> limits = new LinkedHashMap<>();
        for (SettingPart part : parts) {
            SettingPart.Pair pair = part.halve(part.text(), '=', "limit", FORM);
            UnloadScope scope = UnloadScope.byLabel(pair.left()).orElseThrow(() -> part.isNot("scope", pair.left(),
                    SettingPart.oneOf(UnloadScope.ALL.stream().map(UnloadScope::label).toList())));
            if (limits.put(scope, UnloadLimit.parse(part, pair.right())) != null) {
                throw part.isTwice(scope.label() + " limit");
            }
        }
        return new UnloadLimits(limits);
    }

    public Optional<UnloadLimit> of(UnloadScope scope) {
        return Optional.ofNullable(limits.get(scope));
    }

    public boolean isEmpty() {
        return limits.isEmpty();
    }

    /** As it is written in a setting, in the order in which it was written; empty without a limit. */
    @Override
    public String toString() {
        return limits.entrySet().stream().map(limit -> limit.getKey().label() + "=" + limit.getValue())
                .collect(Collectors.joining(", "));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnloadLimits that && limits.equals(that.limits);
    }

    @Override
    public int hashCode() {
        return limits.hashCode();
    }
}
