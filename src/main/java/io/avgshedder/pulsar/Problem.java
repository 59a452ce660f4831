package io.avgshedder.pulsar;

/** Something wrong with the configuration, in one line that an operator can act on. */
public record Problem(Level level, String message) {

    public enum Level {
        /** A value is not the one that was written, or the plugin cannot do its work. */
        ERROR,
        /** Something that was written has no effect, or works against the plugin. */
        WARN
    }
}
