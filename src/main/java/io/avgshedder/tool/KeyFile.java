package io.avgshedder.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * The key of a trace's pseudonyms, in a file beside it that is not to be given away: without it the pseudonyms of a
 * restarted recorder would be others, and inside the trace it would undo them.
 */
final class KeyFile {

    private static final int BYTES = 32;

    private KeyFile() {
    }

    static Path beside(Path trace) {
        return trace.resolveSibling(trace.getFileName() + ".key");
    }

    /** The pseudonyms of a trace, or {@code null} where its names are recorded as they are. */
    static Pseudonyms pseudonyms(Path trace, boolean anonymize, boolean isNew) {
        Path file = beside(trace);
        boolean exists = Files.exists(file);
        if (exists && !anonymize) {
            throw new UserError(trace + ": its names are pseudonyms, as " + file + " shows; go on with --anonymize, or "
                    + "record into another file");
        }
        if (anonymize && !exists && !isNew) {
            throw new UserError(trace + ": has lines already, and " + file + ", the key of its pseudonyms, is missing; "
                    + "record into another file");
        }
        if (!anonymize) {
            return null;
        }
        try {
            if (!exists) {
                byte[] key = new byte[BYTES];
                new SecureRandom().nextBytes(key);
                create(file);
                Files.writeString(file, HexFormat.of().formatHex(key) + "\n");
            }
            if (Files.size(file) > 4 * BYTES) {
                throw new IllegalArgumentException("it has " + Files.size(file) + " bytes");
            }
            byte[] key = HexFormat.of().parseHex(Files.readString(file).trim());
            if (key.length != BYTES) {
                throw new IllegalArgumentException("it has " + key.length + " bytes, not " + BYTES);
            }
            return new Pseudonyms(key);
        } catch (IOException | IllegalArgumentException e) {
            throw new UserError(file + ": cannot use this key: " + e.getMessage(), e);
        }
    }

    /** For its owner's eyes, where the file system knows owners. */
    private static void create(Path file) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
                : new FileAttribute<?>[0];
        Files.newByteChannel(file, options, attributes).close();
    }
}
