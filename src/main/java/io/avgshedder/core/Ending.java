package io.avgshedder.core;

/**
 * How a transfer's story ended: from here on its shed target is forgotten.
 *
 * @param transfer what was planned
 * @param how      what became of it
 * @param sentence the same for a person; it begins with the bundle
 */
public record Ending(Transfer transfer, How how, String sentence) {

    /** What can become of a transfer. */
    public enum How {
        /** A report of its new broker lists the bundle. */
        ARRIVED,
        /** Its target could not be had, and it was better left where it was. */
        STAYED,
        /** The load manager did not unload it. */
        NOT_UNLOADED,
        /** It was unloaded, and its source has it still or again. */
        BACK,
        /** Its range is reported under other names. */
        SPLIT,
        /** Its target left or was refused before it was there. */
        WITHOUT_TARGET,
        /** No report listed it in time. */
        UNSEEN
    }
}
