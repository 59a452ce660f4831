package io.avgshedder.core;

/**
 * What one bundle carries, in and out together where not said otherwise.
 *
 * @param name     the bundle, such as {@code tenant/namespace/0x00000000_0x08000000}
 * @param messages messages per second
 * @param bytesIn  bytes per second from producers
 * @param bytesOut bytes per second to consumers
 */
public record BundleLoad(String name, double messages, double bytesIn, double bytesOut) {

    /** Rates that are no rates (NaN, infinite, negative) become 0: such a bundle is dust and is left alone. */
    public BundleLoad {
        messages = rate(messages);
        bytesIn = rate(bytesIn);
        bytesOut = rate(bytesOut);
    }

    /** Whether {@code value} can be a rate: finite and not negative. */
    public static boolean isRate(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY;
    }

    static double rate(double value) {
        return isRate(value) ? value : 0;
    }
}
