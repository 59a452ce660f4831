package io.avgshedder.pulsar;

import static io.avgshedder.pulsar.SettingKeys.BANDWIDTH_IN_WEIGHT;
import static io.avgshedder.pulsar.SettingKeys.BANDWIDTH_OUT_WEIGHT;
import static io.avgshedder.pulsar.SettingKeys.BANDWITH_IN_WEIGHT;
import static io.avgshedder.pulsar.SettingKeys.BANDWITH_OUT_WEIGHT;
import static io.avgshedder.pulsar.SettingKeys.SETTINGS_FILE;

import io.avgshedder.pulsar.EffectiveSetting.Origin;
import io.avgshedder.pulsar.SettingKeys.Key;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.broker.ServiceConfiguration;

/**
 * What is written in all places that a setting can come from, as raw as it is, and whether any of it has changed. As
 * long as nothing has, looking costs a call and a comparison per key.
 */
final class ConfigurationSource {

    static final long CHECK_INTERVAL_MILLIS = 5_000;

    /** Everything that is read from the broker: all keys, in their order, then those that the advice is about. */
    private static final List<String> WATCHED =
            Stream.concat(SettingKeys.ALL.stream().map(Key::name), SetupAdvice.KEYS.stream()).toList();
    private static final Set<String> KNOWN =
            SettingKeys.ALL.stream().map(Key::name).collect(Collectors.toUnmodifiableSet());

    private final LongSupplier clock;
    private BrokerGetters getters;
    private final Object[] fromBroker = new Object[WATCHED.size()];
    private final String[] fromProperties = new String[SettingKeys.ALL.size()];
    private final SettingsFile file = new SettingsFile();
    private Set<String> unknownKeys = Set.of();
    private long checkedAt;
    private boolean changed = true;

    ConfigurationSource(LongSupplier clock) {
        this.clock = clock;
    }

    /** Looks everywhere; whether something has changed since {@link #settled} was called. */
    boolean look(ServiceConfiguration conf) {
        if (getters == null || !getters.fits(conf)) {
            getters = new BrokerGetters(conf.getClass(), WATCHED);
        }
        for (int i = 0; i < fromBroker.length; i++) {
            Object value = getters.get(i, conf);
            if (!Objects.equals(value, fromBroker[i])) {
                fromBroker[i] = value;
                changed = true;
            }
        }
        Properties properties = conf.getProperties() == null ? new Properties() : conf.getProperties();
        for (int i = 0; i < fromProperties.length; i++) {
            String text = properties.getProperty(WATCHED.get(i));
            if (!Objects.equals(text, fromProperties[i])) {
                fromProperties[i] = text;
                changed = true;
            }
        }
        long now = clock.getAsLong();
        if (changed || now - checkedAt < 0 || now - checkedAt >= CHECK_INTERVAL_MILLIS) {
            checkedAt = now;
            changed |= file.refresh(filePath());
            Set<String> unknown = unknownKeys(properties);
            changed |= !unknown.equals(unknownKeys);
            unknownKeys = unknown;
        }
        return changed;
    }

    /** What was seen has been dealt with. */
    void settled() {
        changed = false;
    }

    /** What is written for a key, the place that counts first. A key without a value counts as not written. */
    List<Written> written(Key<?> key) {
        List<Written> all = new ArrayList<>();
        if (fromBroker[key.index()] != null) {
            all.add(new Written(Origin.GETTER, fromBroker[key.index()]));
        }
        String inFile = key == SETTINGS_FILE ? null : file.content().get(key.name());
        if (!isBlank(inFile)) {
            all.add(new Written(Origin.FILE, inFile));
        }
        if (!isBlank(fromProperties[key.index()])) {
            all.add(new Written(Origin.PROPERTIES, fromProperties[key.index()]));
        }
        return all;
    }

    /**
     * Whether the broker's getter of this key answers with what is written under the old spelling, as the getters of
     * the bandwidth weights do from 4.0 on.
     */
    boolean answersForOldSpelling(Key<?> key) {
        Key<?> old = key == BANDWIDTH_IN_WEIGHT ? BANDWITH_IN_WEIGHT
                : key == BANDWIDTH_OUT_WEIGHT ? BANDWITH_OUT_WEIGHT : null;
        return old != null && Objects.equals(fromBroker[key.index()], fromBroker[old.index()]);
    }

    /** The broker's own value of any key that is watched, or null where it has none. */
    Object broker(String key) {
        return fromBroker[WATCHED.indexOf(key)];
    }

    /** Keys of {@code broker.conf} that look like ours and are not, in order. */
    Set<String> unknownKeys() {
        return unknownKeys;
    }

    Map<String, String> fileContent() {
        return file.content();
    }

    Optional<String> fileFailure() {
        return file.failure();
    }

    /** A place by its name, to be written after "in" or "from". */
    String name(Origin place) {
        return switch (place) {
            case GETTER -> "the broker's configuration";
            case FILE -> filePath().map(Path::toString).orElse("the settings file");
            case PROPERTIES -> "broker.conf";
            case DEFAULT -> "the defaults";
        };
    }

    static boolean isKnown(String key) {
        return KNOWN.contains(key);
    }

    private Optional<Path> filePath() {
        String path = fromProperties[SETTINGS_FILE.index()];
        return isBlank(path) ? Optional.empty() : SETTINGS_FILE.parse(path).flatMap(parsed -> parsed);
    }

    private static Set<String> unknownKeys(Properties properties) {
        return properties.stringPropertyNames().stream()
                .filter(name -> !isKnown(name) && NearestKey.looksLikeOurs(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }

    /** What one place has for a key: text, a value that the broker has read already, or a getter's failure. */
    record Written(Origin origin, Object raw) {

        Optional<String> text() {
            return raw instanceof BrokerGetters.Failure ? Optional.empty() : Optional.of(raw.toString());
        }

        /** The same for one value as the broker holds it and as it is written: -3.0 and "-3". */
        Object comparable() {
            try {
                return Double.valueOf(raw.toString());
            } catch (NumberFormatException e) {
                return raw;
            }
        }

        String complaint(String place) {
            return raw instanceof BrokerGetters.Failure failed
                    ? " cannot be read from " + place + " (" + failed.reason() + ")"
                    : " is \"" + raw + "\" in " + place;
        }
    }
}
