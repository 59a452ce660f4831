package io.avgshedder.demo;

import java.io.Console;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * What the place that we write to can do.
 *
 * @param out where to write
 * @param live it is a person's terminal that can move its cursor
 * @param colour it may be given colours
 * @param unicode it can show block characters and arrows
 * @param width columns
 * @param height rows
 */
record Terminal(PrintStream out, boolean live, boolean colour, boolean unicode, int width, int height) {

    private static final int USUAL_WIDTH = 80;
    private static final int USUAL_HEIGHT = 24;
    private static final int PLAIN_WIDTH = 120;

    static Terminal detect() {
        String type = System.getenv("TERM");
        Console console = System.console();
        boolean live = isTerminal(console) && type != null && !type.equals("dumb");
        Charset charset = console != null ? console.charset() : Charset.defaultCharset();
        boolean unicode = charset.equals(StandardCharsets.UTF_8);
        boolean colour = live && System.getenv("NO_COLOR") == null;
        int[] size = live ? size() : new int[] {USUAL_HEIGHT, PLAIN_WIDTH};
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, charset);
        return new Terminal(out, live, colour, unicode, size[1], size[0]);
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

    /** Java cannot ask for the size of its terminal; {@code stty} can. */
    private static int[] size() {
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
            if (stty.waitFor(1, TimeUnit.SECONDS) && answer.matches("[1-9]\\d* [1-9]\\d*")) {
                String[] numbers = answer.split(" ");
                return new int[] {Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1])};
            }
        } catch (IOException e) {
            // no such command or no such terminal: the usual size
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new int[] {USUAL_HEIGHT, USUAL_WIDTH};
    }
}
