package io.avgshedder.pulsar;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * A properties file (UTF-8) that is read again when its modification time, its size or the file behind its name has
 * changed. What was last read from it is kept while it cannot be read: a file that is just being replaced must not turn
 * all its settings back to their defaults.
 */
final class SettingsFile {

    private static final long LARGEST = 1 << 20;

    private Path path;
    private Stamp stamp;
    private Map<String, String> content = Map.of();
    private String failure;

    /** Looks at the file; whether anything that this object tells has changed. */
    boolean refresh(Optional<Path> wanted) {
        boolean moved = !wanted.equals(Optional.ofNullable(path));
        if (moved) {
            path = wanted.orElse(null);
            stamp = null;
            content = Map.of();
            failure = null;
        }
        return path != null && reread() || moved;
    }

    private boolean reread() {
        String failedBefore = failure;
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            Stamp found = new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
            if (found.equals(stamp)) {
                return false;
            }
            if (!attributes.isRegularFile() || attributes.size() > LARGEST) {
                failure = attributes.isRegularFile() ? "is larger than 1 MiB" : "is not a file";
            } else {
                content = load(path);
                stamp = found;
                failure = null;
                return true;
            }
        } catch (IOException | RuntimeException e) {
            failure = reason(e);
        }
        stamp = null;
        return !failure.equals(failedBefore);
    }

    private static Map<String, String> load(Path path) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toUnmodifiableMap(name -> name, properties::getProperty));
    }

    private static String reason(Exception e) {
        if (e instanceof NoSuchFileException) {
            return "does not exist";
        }
        if (e instanceof AccessDeniedException || e instanceof SecurityException) {
            return "may not be read by the broker";
        }
        if (e instanceof CharacterCodingException) {
            return "is not UTF-8 text";
        }
        return "cannot be read: " + e;
    }

    /** What was last read from the file. */
    Map<String, String> content() {
        return content;
    }

    /** Why the file cannot be read now, to be written after its name. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    private record Stamp(FileTime modified, long size, Object fileKey) {
    }
}
