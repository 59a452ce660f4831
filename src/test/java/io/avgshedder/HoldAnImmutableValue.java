package io.avgshedder;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * That nothing behind a static field can change. A type alone does not tell ({@code Map} may be {@code Map.of()} or a
 * cache), so this looks at the value that the field really holds, and into those of this project's own types.
 */
final class HoldAnImmutableValue extends ArchCondition<JavaField> {

    HoldAnImmutableValue() {
        super("hold an immutable value");
    }

    @Override
    public void check(JavaField field, ConditionEvents events) {
        Optional<String> mutable = mutablePart(field.getName(), valueOf(field.reflect(), null));
        events.add(new SimpleConditionEvent(field, mutable.isEmpty(), field.getDescription() + mutable
                .map(part -> " can change: " + part)
                .orElse(" cannot change")));
    }

    private static Optional<String> mutablePart(String path, Object value) {
        if (value == null || value instanceof String || value instanceof Boolean || value instanceof Character
                || value instanceof Enum || value instanceof Class || value instanceof Pattern
                || value instanceof Duration || value instanceof Instant || value instanceof Comparator
                || value.getClass().isHidden()) {
            return Optional.empty();
        }
        String type = value.getClass().getName();
        if (value instanceof Number && (type.startsWith("java.lang.") || type.startsWith("java.math."))) {
            return Optional.empty();
        }
        if (value instanceof Optional<?> optional) {
            return optional.flatMap(content -> mutablePart(path + ".get()", content));
        }
        if (value instanceof Map<?, ?> map && isUnmodifiable(type)) {
            return firstMutable(path, Stream.concat(map.keySet().stream(), map.values().stream()));
        }
        if (value instanceof Collection<?> collection && isUnmodifiable(type)) {
            return firstMutable(path, collection.stream());
        }
        if (type.startsWith("io.avgshedder.")) {
            return instanceFields(value.getClass())
                    .flatMap(field -> (Modifier.isFinal(field.getModifiers())
                            ? mutablePart(path + "." + field.getName(), valueOf(field, value))
                            : Optional.of(path + "." + field.getName() + " is not final")).stream())
                    .findFirst();
        }
        return Optional.of(path + " is a " + type);
    }

    private static Optional<String> firstMutable(String path, Stream<?> elements) {
        return elements.flatMap(element -> mutablePart(path + "[]", element).stream()).findFirst();
    }

    private static boolean isUnmodifiable(String collectionType) {
        return collectionType.startsWith("java.util.ImmutableCollections$")
                || collectionType.startsWith("java.util.Collections$Unmodifiable")
                || collectionType.startsWith("java.util.Collections$Empty");
    }

    private static Stream<Field> instanceFields(Class<?> type) {
        return Stream.<Class<?>>iterate(type, t -> t != Object.class && t != Record.class, Class::getSuperclass)
                .flatMap(t -> Arrays.stream(t.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers()));
    }

    private static Object valueOf(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot read " + field, e);
        }
    }
}
