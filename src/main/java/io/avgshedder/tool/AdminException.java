package io.avgshedder.tool;

/** A broker did not answer, or not as it should; the message says which and how. */
final class AdminException extends Exception {

    private static final long serialVersionUID = 1;

    AdminException(String message) {
        super(message);
    }

    AdminException(String message, Throwable cause) {
        super(message, cause);
    }
}
