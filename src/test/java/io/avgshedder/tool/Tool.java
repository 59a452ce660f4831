package io.avgshedder.tool;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs the command line in this process. */
final class Tool {

    /** What came of one command. */
    record Result(int status, String out, String err) {

        List<String> lines() {
            return out.lines().toList();
        }
    }

    private Tool() {
    }

    static Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Result(status, out.toString(), err.toString());
    }
}
