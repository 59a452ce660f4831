package io.avgshedder.tool;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A trace that grows by whole lines. What fails half way is taken back; what a crash left half way is cut off when the
 * file is opened again, unless nothing but its line end is missing. A file that is no trace is never touched, nor one
 * that another process writes to.
 */
final class TraceFile implements AutoCloseable {

    private static final int CHUNK = 1 << 16;

    private final Path path;
    private final FileChannel channel;
    private final String repair;
    private long latest = Long.MIN_VALUE;
    private boolean empty;
    private boolean closed;

    private TraceFile(Path path, FileChannel channel) throws IOException {
        this.path = path;
        this.channel = channel;
        this.repair = check();
        this.empty = channel.size() == 0;
    }

    /** Opens the file, or makes it. */
    static TraceFile open(Path path) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw new UserError(path + ": another process is recording into it");
            }
            return new TraceFile(path, channel);
        } catch (OverlappingFileLockException e) {
            closeAfter(channel, e);
            throw new UserError(path + ": is being recorded into already", e);
        } catch (IOException e) {
            closeAfter(channel, e);
            throw new UserError(path + ": cannot write: " + e, e);
        } catch (UserError e) {
            closeAfter(channel, e);
            throw e;
        }
    }

    private static void closeAfter(FileChannel channel, Exception failure) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** Mends the end, learns the latest time, and says what was mended; {@code null} for nothing. */
    private String check() throws IOException {
        long size = channel.size();
        long end = lineStart(size);
        if (end > 0) {
            learnLatest(end);
        }
        if (end == size) {
            return null;
        }
        String tail = text(end, size);
        TraceLine last = parse(tail);
        if (last != null) {
            note(last);
            write(ByteBuffer.wrap(new byte[] {'\n'}), size);
            return "the end of its last line was missing and is added";
        }
        boolean couldBeTrace = end > 0 || "{\"conf\"".startsWith(tail.substring(0, Math.min(7, tail.length())))
                || "{\"time\"".startsWith(tail.substring(0, Math.min(7, tail.length())));
        if (!couldBeTrace) {
            throw noTrace("it does not begin like one");
        }
        channel.truncate(end);
        return "its last line was torn (" + (size - end) + " bytes) and is removed";
    }

    /** Goes back from the end of a line to the last one that has a time. */
    private void learnLatest(long end) throws IOException {
        while (end > 0 && latest == Long.MIN_VALUE) {
            long start = lineStart(end - 1);
            String text = text(start, end - 1);
            if (!text.isBlank()) {
                TraceLine line = parse(text);
                if (line == null) {
                    throw noTrace("the line that ends at byte " + end + " is none of a trace");
                }
                note(line);
            }
            end = start;
        }
    }

    private UserError noTrace(String why) {
        return new UserError(path + ": is there already and is no trace: " + why + "; it is left as it is");
    }

    private void note(TraceLine line) {
        if (line instanceof TraceLine.Reports reports) {
            latest = Math.max(latest, reports.time());
        } else if (line instanceof TraceLine.Place place) {
            latest = Math.max(latest, place.time());
        }
    }

    private static TraceLine parse(String text) {
        try {
            return new TraceReader("", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).next();
        } catch (UserError unreadable) {
            return null;
        }
    }

    /** Where the line begins that ends at {@code end}: after the last line end before it. */
    private long lineStart(long end) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
        for (long to = end; to > 0;) {
            long from = Math.max(0, to - CHUNK);
            chunk.clear().limit((int) (to - from));
            readFully(chunk, from);
            for (int i = (int) (to - from) - 1; i >= 0; i--) {
                if (chunk.get(i) == '\n') {
                    return from + i + 1;
                }
            }
            to = from;
        }
        return 0;
    }

    private String text(long from, long to) throws IOException {
        if (to - from > TraceReader.LONGEST_LINE) {
            throw noTrace("it has a line of " + (to - from) + " bytes");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
        readFully(bytes, from);
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }

    private void readFully(ByteBuffer buffer, long from) throws IOException {
        int start = buffer.position();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position() - start) < 0) {
                throw new IOException("the file became shorter");
            }
        }
    }

    /** What was mended when the file was opened; {@code null} for nothing. */
    String repair() {
        return repair;
    }

    /** Whether there is no line yet. */
    synchronized boolean isEmpty() {
        return empty;
    }

    /** The latest time in the file; {@link Long#MIN_VALUE} where there is none. */
    synchronized long latest() {
        return latest;
    }

    /** Appends a line with a time, whole or not at all; returns whether the file is still open. */
    synchronized boolean append(String line, long time) {
        latest = Math.max(latest, time);
        return append(line);
    }

    /** Appends a line without a time. */
    synchronized boolean append(String line) {
        if (closed) {
            return false;
        }
        try {
            long size = channel.size();
            try {
                write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)), size);
                channel.force(false);
            } catch (IOException e) {
                channel.truncate(size);
                throw e;
            }
            empty = false;
            return true;
        } catch (IOException e) {
            throw new UserError(path + ": cannot write: " + e.getMessage(), e);
        }
    }

    private void write(ByteBuffer bytes, long at) throws IOException {
        int start = bytes.position();
        while (bytes.hasRemaining()) {
            channel.write(bytes, at + bytes.position() - start);
        }
    }

    /** Waits for a line that is being written; nothing is written afterwards. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            throw new UserError(path + ": cannot close: " + e.getMessage(), e);
        }
    }
}
