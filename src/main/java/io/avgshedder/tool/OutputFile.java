package io.avgshedder.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that an option names for output. */
final class OutputFile {

    private OutputFile() {
    }

    /** Refuses, before long work, what could not be written after it. */
    static void check(String option, Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new UserError(option + ": " + file + " is a directory");
        }
        if (Files.exists(file) ? !Files.isWritable(file) : directory == null || !Files.isWritable(directory)) {
            throw new UserError(option + ": " + file + " cannot be written");
        }
    }

    static void write(String option, Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UserError(option + ": " + file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
