package io.avgshedder.pulsar;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/**
 * Members of the load report that differ between Pulsar's versions, resolved once.
 *
 * <p>{@code getNumTopics} returns an int up to 2.11 and a long later: a call that is compiled against one does not link
 * against the other. {@code getStartTimestamp} exists from 3.0.0 on.
 */
final class PulsarMembers {

    private static final MethodHandle NUM_TOPICS = getter("getNumTopics");
    private static final MethodHandle START_TIMESTAMP = getter("getStartTimestamp");

    private PulsarMembers() {
    }

    private static MethodHandle getter(String name) {
        try {
            return MethodHandles.publicLookup().unreflect(LocalBrokerData.class.getMethod(name))
                    .asType(MethodType.methodType(long.class, LocalBrokerData.class));
        } catch (ReflectiveOperationException absent) {
            return null;
        }
    }

    /** The broker's number of topics; 0 where the version does not tell. */
    static long topics(LocalBrokerData report) {
        return call(NUM_TOPICS, report);
    }

    /** When the broker's process started, in milliseconds of its own clock; 0 where the version does not tell. */
    static long startTimestamp(LocalBrokerData report) {
        return call(START_TIMESTAMP, report);
    }

    private static long call(MethodHandle getter, LocalBrokerData report) {
        if (getter == null) {
            return 0;
        }
        try {
            return (long) getter.invokeExact(report);
        } catch (Throwable failure) {
            return 0;
        }
    }
}
