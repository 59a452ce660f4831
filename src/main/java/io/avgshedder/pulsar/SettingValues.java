package io.avgshedder.pulsar;

import io.avgshedder.pulsar.EffectiveSetting.Origin;
import io.avgshedder.pulsar.SettingKeys.Key;

/** A value for every key, and where each was read from. */
final class SettingValues {

    private final Chosen<?>[] chosen = new Chosen<?>[SettingKeys.ALL.size()];

    static SettingValues defaults() {
        SettingValues values = new SettingValues();
        SettingKeys.ALL.forEach(key -> values.chosen[key.index()] = Chosen.byDefault(key));
        return values;
    }

    <T> void put(Key<T> key, Chosen<T> value) {
        chosen[key.index()] = value;
    }

    @SuppressWarnings("unchecked") // put() lets nothing else in
    <T> Chosen<T> chosen(Key<T> key) {
        return (Chosen<T>) chosen[key.index()];
    }

    <T> T get(Key<T> key) {
        return chosen(key).value();
    }

    record Chosen<T>(T value, Origin origin) {

        static <T> Chosen<T> byDefault(Key<T> key) {
            return new Chosen<>(key.defaultValue(), Origin.DEFAULT);
        }

        boolean isDefault() {
            return origin == Origin.DEFAULT;
        }
    }
}
