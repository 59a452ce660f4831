package io.avgshedder.pulsar;

/** A setting as it is in use, and where it was read from. */
record EffectiveSetting(String key, String value, Origin origin) {

    enum Origin {
        /** The broker declares the key: {@code broker.conf}, and where the broker allows it, dynamic configuration. */
        GETTER("broker"),
        /** The settings file. */
        FILE("settings file"),
        /** A line of {@code broker.conf} whose key the broker does not declare. */
        PROPERTIES("broker.conf"),
        /** Written nowhere. */
        DEFAULT("default");

        private final String label;

        Origin(String label) {
            this.label = label;
        }
    }

    /** For an operator, such as {@code loadBalancerAvgShedderPlan=level (broker.conf)}. */
    String text() {
        return key + "=" + value + " (" + origin.label + ")";
    }
}
