package io.avgshedder.tool;

/**
 * What came of asking one broker.
 *
 * @param value   its answer; {@code null} where there is none
 * @param failure why there is none, else {@code null}
 */
record Outcome<T>(T value, String failure) {

    static <T> Outcome<T> of(T value) {
        return new Outcome<>(value, null);
    }

    static <T> Outcome<T> failed(String failure) {
        return new Outcome<>(null, failure);
    }

    boolean isAnswer() {
        return failure == null;
    }
}
