package io.avgshedder.demo;

/** Shows the demonstration as it goes on. */
interface Screen {

    /** The picture after a round, or when a phase has changed. */
    void show(Chronicle chronicle, String phase);

    /** Words that stay. */
    void say(String words);

    static Screen on(Terminal terminal, String[] introduction) {
        return terminal.live() ? new LiveScreen(terminal, introduction) : new PlainScreen(terminal, introduction);
    }
}
