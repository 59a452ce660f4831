package io.avgshedder.cluster;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/**
 * Reads what Pulsar's load manager keeps to itself. Fields are found by the type of what they hold, because their names,
 * and whether there is one or a list, differ between versions.
 */
final class PrivateFields {

    private PrivateFields() {
    }

    /** All objects, once each, that the manager holds in fields of the type, or in collections of it. */
    static <T> List<T> all(ModularLoadManagerImpl manager, Class<T> type) {
        Set<T> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Field field : ModularLoadManagerImpl.class.getDeclaredFields()) {
            // by the declared type, because one object may be held in two roles
            if (type.isAssignableFrom(field.getType())) {
                found.add(type.cast(read(field, manager)));
            } else if (isCollectionOf(type, field)) {
                ((Collection<?>) read(field, manager)).stream().map(type::cast).forEach(found::add);
            }
        }
        return new ArrayList<>(found);
    }

    private static boolean isCollectionOf(Class<?> type, Field field) {
        return Collection.class.isAssignableFrom(field.getType())
                && field.getGenericType() instanceof ParameterizedType parameterized
                && parameterized.getActualTypeArguments()[0] == type;
    }

    /** @throws IllegalStateException if there is none, or more than one */
    static <T> T only(ModularLoadManagerImpl manager, Class<T> type) {
        List<T> all = all(manager, type);
        if (all.size() != 1) {
            throw new IllegalStateException("one " + type.getSimpleName() + " expected in " + manager + ", not " + all);
        }
        return all.get(0);
    }

    /**
     * Puts something else in place of what the manager holds in its one field of the type.
     *
     * @throws IllegalStateException if there is no such field, or more than one
     */
    static <T> void replace(ModularLoadManagerImpl manager, Class<T> type, UnaryOperator<T> replacement) {
        T replaced = replacement.apply(only(manager, type));
        for (Field field : ModularLoadManagerImpl.class.getDeclaredFields()) {
            if (field.getType() == type) {
                try {
                    field.setAccessible(true);
                    field.set(manager, replaced);
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException("cannot set " + field, e);
                }
            }
        }
        if (only(manager, type) != replaced) {
            throw new IllegalStateException("no field of type " + type.getSimpleName() + " in " + manager);
        }
    }

    private static Object read(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot read " + field, e);
        }
    }
}
