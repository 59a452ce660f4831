package io.avgshedder.pulsar;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.pulsar.broker.ServiceConfiguration;

/**
 * The broker's own getters of some configuration keys, by name, because brokers differ in which they have. They are
 * looked up once per class of configuration; a call then costs some nanoseconds.
 */
final class BrokerGetters {

    private static final MethodType GETTER = MethodType.methodType(Object.class, ServiceConfiguration.class);

    private final Class<?> type;
    private final MethodHandle[] handles;

    BrokerGetters(Class<? extends ServiceConfiguration> type, List<String> keys) {
        this.type = type;
        handles = keys.stream().map(key -> find(type, key)).toArray(MethodHandle[]::new);
    }

    boolean fits(ServiceConfiguration conf) {
        return conf.getClass() == type;
    }

    /**
     * What the getter of the key at {@code index} returns, a collection as its elements separated by commas; null where
     * there is no such getter, and a {@link Failure} where it throws.
     */
    Object get(int index, ServiceConfiguration conf) {
        MethodHandle handle = handles[index];
        if (handle == null) {
            return null;
        }
        try {
            Object value = (Object) handle.invokeExact(conf);
            return value instanceof Collection<?> elements
                    ? elements.stream().map(String::valueOf).collect(Collectors.joining(","))
                    : value;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            return new Failure(e.toString());
        }
    }

    private static MethodHandle find(Class<?> type, String key) {
        String property = key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
        for (String name : List.of("get" + property, "is" + property)) {
            try {
                Method method = type.getMethod(name);
                if (method.trySetAccessible()) {
                    return MethodHandles.lookup().unreflect(method).asType(GETTER);
                }
            } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
                continue;
            }
        }
        return null;
    }

    /** A getter threw. */
    record Failure(String reason) {
    }
}
