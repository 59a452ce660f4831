package io.avgshedder.tool;

import java.io.Console;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** One line on a terminal that tells how far long work has come; nothing anywhere else. */
final class Progress {

    private static final long REFRESH_NANOS = 200_000_000;
    private static final String CLEAR_LINE = "\r\u001b[2K";

    private final PrintWriter err;
    private final boolean live;
    private final LongSupplier nanos;
    private long shownAt;
    private boolean shown;

    /**
     * @param live  whether anything is shown at all
     * @param nanos a clock, as {@link System#nanoTime}
     */
    Progress(PrintWriter err, boolean live, LongSupplier nanos) {
        this.err = err;
        this.live = live;
        this.nanos = nanos;
    }

    static Progress on(PrintWriter err) {
        String type = System.getenv("TERM");
        return new Progress(err, type != null && !type.equals("dumb") && isTerminal(System.console()),
                System::nanoTime);
    }

    /** From Java 22 on there is a console even where there is no terminal, and it can be asked. */
    private static boolean isTerminal(Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    PrintWriter err() {
        return err;
    }

    /** Shows a state, unless one was shown just before. */
    void show(String state) {
        long now = nanos.getAsLong();
        if (live && (!shown || now - shownAt >= REFRESH_NANOS)) {
            shown = true;
            shownAt = now;
            err.print(CLEAR_LINE + state);
            err.flush();
        }
    }

    /** Takes the line away, before something else is printed. */
    void clear() {
        if (shown) {
            shown = false;
            err.print(CLEAR_LINE);
            err.flush();
        }
    }
}
