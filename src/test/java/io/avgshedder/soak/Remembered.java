package io.avgshedder.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.core.Placement;
import io.avgshedder.core.Reason;
import io.avgshedder.core.Shedder;
import io.avgshedder.pulsar.SharedState;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** How much the plugin remembers of one load manager, by the field that holds it, such as {@code shedder.hits.hits}. */
final class Remembered {

    /** What is kept for each broker, as long as it is there. */
    private static final Set<String> PER_BROKER = Set.of("shedder.evidence.memories",
            "shedder.quietPeriod.startTimes", "shedder.unknownMetrics.said", "shedder.suspects.said",
            "shedder.placement.orphans.lastSeen");

    /** Hits by the score and by each of two metrics that have thresholds of their own; what was said, by reason. */
    private static final Map<String, Integer> SEVERAL_PER_BROKER =
            Map.of("shedder.hits.hits", 3, "log.lastSaid", Reason.values().length);

    private final Map<String, Integer> sizes = new TreeMap<>();

    private Remembered() {
    }

    static Remembered of(SharedState state) {
        Remembered remembered = new Remembered();
        for (String field : new String[] {"shedder", "log", "plannedNames"}) {
            remembered.add(field, read(SharedState.class, field, state));
        }
        return remembered;
    }

    /** Draws for random placement come from this seed from here on, so that a failure can be repeated. */
    static void seed(SharedState state, long seed) {
        Placement placement = ((Shedder) read(SharedState.class, "shedder", state)).placement();
        try {
            Field random = Placement.class.getDeclaredField("random");
            random.setAccessible(true);
            random.set(placement, new Random(seed));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object read(Class<?> type, String name, Object owner) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(String path, Object value) {
        if (value instanceof Map<?, ?> map) {
            sizes.put(path, map.values().stream().mapToInt(each -> each instanceof Map<?, ?> inner ? inner.size() : 1).sum());
        } else if (value instanceof Collection<?> collection) {
            sizes.put(path, collection.size());
        } else if (value != null && isOurs(value.getClass())) {
            for (Field field : value.getClass().getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    add(path + "." + field.getName(), read(value.getClass(), field.getName(), value));
                }
            }
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.avgshedder.") && !type.isRecord() && !type.isEnum()
                && !type.getSimpleName().matches("UnloadLimits|NamespaceRules|Settings");
    }

    private static int mostPerBroker(String path) {
        return PER_BROKER.contains(path) ? 1 : SEVERAL_PER_BROKER.getOrDefault(path, 0);
    }

    /** After quiet rounds: only what is kept per broker. */
    void check(int brokers) {
        assertThat(sizes).as("the memory can be read").containsKeys("shedder.placement.targets",
                "shedder.evidence.memories", "shedder.failures.failures");
        sizes.forEach((path, size) -> assertThat(size).as("what is left in %s", path)
                .isLessThanOrEqualTo(brokers * mostPerBroker(path)));
    }
}
