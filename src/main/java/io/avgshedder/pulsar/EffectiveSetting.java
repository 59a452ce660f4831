package io.avgshedder.pulsar;

/** A setting as it is in use, and where it was read from. */
record EffectiveSetting(String key, String value, Origin origin) {

    enum Origin {
        /** The broker declares the key: {@code broker.conf}, and where the broker allows it, dynamic configuration. */
        GETTER,
        /** The settings file. */
        FILE,
        /** A line of {@code broker.conf} whose key the broker does not declare. */
        PROPERTIES,
        /** Written nowhere. */
        DEFAULT
    }
}
