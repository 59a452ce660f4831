package io.avgshedder.tool;

/**
 * Something that whoever called the tool can mend. Ends the command with {@link Main#BAD_INPUT} and its message, which
 * says what is wrong and where; never with a stack trace.
 */
final class UserError extends RuntimeException {

    private static final long serialVersionUID = 1;

    UserError(String message) {
        super(message);
    }

    UserError(String message, Throwable cause) {
        super(message, cause);
    }
}
