package io.avgshedder.faults;

import io.avgshedder.cluster.EmbeddedBroker;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;

/**
 * A broker whose own unloads are given up after a time-out, as long as this is open: every second one has happened
 * nevertheless.
 */
final class TimingOut implements AutoCloseable {

    private final PulsarService service;
    private final PulsarAdmin real;
    private final AtomicInteger asked = new AtomicInteger();

    private TimingOut(PulsarService service) throws Exception {
        this.service = service;
        this.real = service.getAdminClient();
    }

    static TimingOut at(EmbeddedBroker broker) throws Exception {
        TimingOut slow = new TimingOut(broker.service());
        Namespaces namespaces = proxy(Namespaces.class, (method, arguments) -> {
            boolean isUnload = method.getName().equals("unloadNamespaceBundle");
            if (isUnload && slow.asked.getAndIncrement() % 2 == 0) {
                throw new PulsarAdminException(new TimeoutException("as a test wants it"));
            }
            Object answer = method.invoke(slow.real.namespaces(), arguments);
            if (isUnload) {
                throw new PulsarAdminException(new TimeoutException("as a test wants it, but done"));
            }
            return answer;
        });
        slow.use(proxy(PulsarAdmin.class, (method, arguments) -> method.getName().equals("namespaces") ? namespaces
                : method.invoke(slow.real, arguments)));
        return slow;
    }

    private interface Handler {
        Object call(java.lang.reflect.Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> {
                    try {
                        return handler.call(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void use(PulsarAdmin admin) throws ReflectiveOperationException {
        Field field = PulsarService.class.getDeclaredField("adminClient");
        field.setAccessible(true);
        field.set(service, admin);
    }

    /** How many unloads have timed out. */
    int timedOut() {
        return asked.get();
    }

    @Override
    public void close() throws ReflectiveOperationException {
        use(real);
    }
}
