package io.avgshedder.tool;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads lines of UTF-8 up to a longest length, so that a file that is no trace cannot fill the memory. */
final class LineReader {

    private final InputStream in;
    private final int longest;
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int filled;

    /** @param longest in bytes */
    LineReader(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /**
     * The next line without its end; {@code null} after the last one.
     *
     * @throws CharacterCodingException where the line is not UTF-8; the next call goes on after it
     * @throws UserError                where the line is too long
     */
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean any = false;
        while (fill()) {
            any = true;
            int end = position;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, position, end - position);
            if (line.size() > longest) {
                throw new UserError("the line is longer than " + longest + " bytes");
            }
            position = end;
            if (end < filled) {
                position++;
                return text(line);
            }
        }
        return any ? text(line) : null;
    }

    private boolean fill() throws IOException {
        if (position == filled) {
            position = 0;
            filled = Math.max(0, in.read(buffer));
        }
        return position < filled;
    }

    private static String text(ByteArrayOutputStream line) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line.toByteArray())).toString();
    }
}
