package io.avgshedder.core;

/**
 * A setting's text that cannot be read. The message names the part of the text, what is wrong with it, and what is
 * allowed there, such as {@code part 2 "sorce=5/10m": the scope is "sorce", but must be cluster, source, target or
 * namespace}. Whoever read the setting adds its key and what is used instead.
 */
public final class SettingSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int part;
    private final String allowed;

    SettingSyntaxException(int part, String text, String problem, String allowed) {
        super("part " + part + " \"" + text + "\": " + problem + ", but must be " + allowed);
        this.part = part;
        this.allowed = allowed;
    }

    /** Which part of the text, counted from 1. */
    public int part() {
        return part;
    }

    /** What may stand where the error is. */
    public String allowed() {
        return allowed;
    }
}
