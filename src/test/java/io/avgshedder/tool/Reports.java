package io.avgshedder.tool;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Load reports as Pulsar writes them, with a field that no version knows. */
final class Reports {

    /** A minute, in milliseconds. */
    static final long MINUTE = 60_000;
    /** When the traces begin. */
    static final long START = 1_700_000_000_000L;

    private Reports() {
    }

    /** A broker of which each bundle has the same rate, at 1 KiB a message; in and out carry the same. */
    static String report(double cpu, double rate, String namespace, int bundles, double each, long lastUpdate) {
        String stats = IntStream.range(0, bundles).mapToObj(i -> String.format(Locale.ROOT,
                "\"%s\":{\"msgRateIn\":%s,\"msgThroughputIn\":%s,\"msgRateOut\":%2$s,\"msgThroughputOut\":%3$s,"
                        + "\"consumerCount\":1,\"producerCount\":1,\"topics\":1,\"cacheSize\":0}",
                bundle(namespace, i), each / 2, each * 512)).collect(Collectors.joining(","));
        String names = IntStream.range(0, bundles).mapToObj(i -> "\"" + bundle(namespace, i) + "\"")
                .collect(Collectors.joining(","));
        return String.format(Locale.ROOT, "{\"loadReportType\":\"LocalBrokerData\",\"brokerVersionString\":\"4.0.8\","
                + "\"cpu\":{\"usage\":%s,\"limit\":100.0},\"memory\":{\"usage\":20.0,\"limit\":100.0},"
                + "\"directMemory\":{\"usage\":20.0,\"limit\":100.0},"
                + "\"bandwidthIn\":{\"usage\":1.0,\"limit\":100.0},\"bandwidthOut\":{\"usage\":1.0,\"limit\":100.0},"
                + "\"msgRateIn\":%s,\"msgRateOut\":%2$s,\"msgThroughputIn\":%s,\"msgThroughputOut\":%3$s,"
                + "\"lastUpdate\":%d,\"numBundles\":%d,\"numTopics\":%5$d,\"lastStats\":{%s},\"bundles\":[%s],"
                + "\"fromALaterVersion\":{\"a\":[1]}}", cpu, rate / 2, rate * 512, lastUpdate, bundles, stats, names);
    }

    /** The bundle number {@code i} of a namespace that has 32. */
    static String bundle(String namespace, int i) {
        long range = 1L << 27;
        return String.format(Locale.ROOT, "%s/0x%08x_0x%08x", namespace, i * range,
                Math.min((i + 1) * range, 0xffffffffL));
    }

    /** A line with the reports of A at 80 with 20,000 msg/s in 11 bundles of 900, B at 30 with 2,000, and C at 50. */
    static String round(long minute) {
        long time = START + minute * MINUTE;
        return "{\"time\":" + time + ",\"brokers\":{"
                + "\"A\":" + report(80, 20_000, "t/ns", 11, 900, time) + ","
                + "\"B\":" + report(30, 2_000, "t/b", 2, 1_000, time) + ","
                + "\"C\":" + report(50, 10_000, "t/c", 10, 1_000, time) + "}}";
    }
}
