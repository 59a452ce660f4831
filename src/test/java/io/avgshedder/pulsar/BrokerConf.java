package io.avgshedder.pulsar;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;

/** Configurations as a broker makes them from {@code broker.conf}, and as dynamic configuration changes them. */
final class BrokerConf {

    private static final String PLUGIN = "io.avgshedder.AvgShedder";

    private BrokerConf() {
    }

    /** What the broker of this version has after it has read these lines. */
    static ServiceConfiguration of(String... lines) {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
        try {
            return PulsarConfigurationLoader.create(new ByteArrayInputStream(text), ServiceConfiguration.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A broker that is set up for the plugin, with these lines on top. */
    static ServiceConfiguration installed(String... lines) {
        String[] all = Arrays.copyOf(lines, lines.length + 4);
        all[lines.length] = "loadBalancerLoadSheddingStrategy=" + PLUGIN;
        all[lines.length + 1] = "loadBalancerLoadPlacementStrategy=" + PLUGIN;
        all[lines.length + 2] = "loadBalancerPlacementStrategy=" + PLUGIN;
        all[lines.length + 3] = "loadBalancerDistributeBundlesEvenlyEnabled=false";
        return of(all);
    }

    /** Whether the broker of this version has a setting of its own under this key. */
    static boolean declares(String key) {
        return setter(key).isPresent();
    }

    /** Sets what dynamic configuration would set. */
    static void set(ServiceConfiguration conf, String key, Object value) {
        try {
            setter(key).orElseThrow().invoke(conf, value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot set " + key + " to " + value, e);
        }
    }

    static Class<?> type(String key) {
        return setter(key).orElseThrow().getParameterTypes()[0];
    }

    private static Optional<Method> setter(String key) {
        String name = "set" + key.substring(0, 1).toUpperCase(Locale.ROOT) + key.substring(1);
        return Arrays.stream(ServiceConfiguration.class.getMethods())
                .filter(method -> method.getName().equals(name)).findFirst();
    }
}
