package io.avgshedder.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster in the notation {@code name score rate [bytes] [{bundles}]}, brokers separated by commas:
 *
 * <pre>A 80 20000 {11x900, 500x0.01}, B 30@400 2000 4M {x:1500, g/y:500}</pre>
 *
 * <p>The score is CPU in percent, of a limit of 100 unless another one follows the {@code @}; {@code ?} is unknown. The
 * rate is in msg/s, a message has 1 KiB unless the broker's bytes are given in MiB/s. {@code 11x900} is eleven bundles
 * of 900 msg/s; a bundle may have a name, in the namespace {@code t/n} unless it brings another one along. Bundles
 * that are not listed still count for the broker's rate.
 *
 * <p>A report is what was last {@linkplain Broker#write written}; a broker that is frozen does not write. Each
 * broker's clock is wrong by an amount of its own.
 */
final class Cluster {

    private static final double KIB = 1024;
    private static final double MIB = 1024 * KIB;
    private static final Pattern BROKER = Pattern.compile(
            "(\\S+) ([\\d.?]+)(?:@([\\d.]+))? ([\\d.]+)(?: ([\\d.]+)M)?(?: \\{(.*)})?");
    private static final Pattern BUNDLE = Pattern.compile("(?:([1-9]\\d*)x)?(?:([^:]+):)?([\\d.]+)");

    private final Map<String, Broker> brokers = new TreeMap<>();
    private final Set<String> withoutData = new TreeSet<>();

    static Cluster of(String text) {
        return new Cluster().join(text);
    }

    /** One broker's report, in the same notation. */
    static BrokerLoad report(String broker) {
        return of(broker).brokers().iterator().next().report;
    }

    /** Brokers join, in the same notation. */
    Cluster join(String text) {
        for (String one : text.split(",\\s*(?![^{]*})")) {
            Broker broker = new Broker(match(BROKER, one.trim()));
            brokers.put(broker.name, broker);
        }
        return this;
    }

    /** A broker is active without a load report. */
    Cluster joinWithoutData(String broker) {
        withoutData.add(broker);
        return this;
    }

    /** A broker leaves; it can {@link #put} itself back later. */
    Broker leave(String broker) {
        withoutData.remove(broker);
        return brokers.remove(broker);
    }

    Cluster put(Broker broker) {
        brokers.put(broker.name, broker);
        return this;
    }

    Broker broker(String name) {
        return brokers.get(name);
    }

    Collection<Broker> brokers() {
        return brokers.values();
    }

    Cluster score(String broker, double score) {
        brokers.get(broker).score = score;
        return this;
    }

    void freeze(boolean frozen) {
        brokers.values().forEach(broker -> broker.frozen = frozen);
    }

    /** Every broker that is not frozen writes a report. */
    void write(long now) {
        brokers.values().forEach(broker -> broker.write(now));
    }

    ClusterSnapshot snapshot(Map<String, Long> unloaded) {
        return new ClusterSnapshot(brokers.values().stream().map(broker -> broker.report).toList(), withoutData,
                unloaded);
    }

    /** The brokers' present scores, such as {@code A 50.0, B 50.0}. */
    String scores() {
        List<String> all = new ArrayList<>();
        brokers.values().forEach(broker -> all.add(broker.name + " " + Sentences.points(broker.score)));
        return String.join(", ", all);
    }

    /** The distance between the hottest and the coldest broker, in points. */
    double spread() {
        return brokers.values().stream().mapToDouble(broker -> broker.score).max().orElseThrow()
                - brokers.values().stream().mapToDouble(broker -> broker.score).min().orElseThrow();
    }

    private static Matcher match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not in the notation: '" + text + "'");
        }
        return matcher;
    }

    /** One broker as it is; what others know of it is its {@link #report}. */
    static final class Broker {

        final String name;
        final Map<String, Double> bundles = new LinkedHashMap<>();
        private final Map<Metric, double[]> usages = new EnumMap<>(Metric.class);
        private final double limit;
        private final double bytesPerMessage;
        private final long clockError;
        double score;
        double rate;
        boolean frozen;
        long topics;
        BrokerLoad report;
        private long startedAt = Long.MIN_VALUE;

        private Broker(Matcher text) {
            name = text.group(1);
            score = text.group(2).equals("?") ? Double.NaN : Double.parseDouble(text.group(2));
            limit = text.group(3) == null ? 100 : Double.parseDouble(text.group(3));
            rate = Double.parseDouble(text.group(4));
            bytesPerMessage = text.group(5) == null || rate == 0 ? KIB : Double.parseDouble(text.group(5)) * MIB / rate;
            clockError = name.hashCode() % 1000 * 1_000_003L;
            Map<String, Integer> numbers = new HashMap<>();
            if (text.group(6) != null && !text.group(6).isBlank()) {
                for (String item : text.group(6).split(",\\s*")) {
                    Matcher bundle = match(BUNDLE, item.trim());
                    boolean many = bundle.group(1) != null || bundle.group(2) == null;
                    int count = bundle.group(1) == null ? 1 : Integer.parseInt(bundle.group(1));
                    String base = bundle.group(2) == null ? name : bundle.group(2);
                    for (int i = 0; i < count; i++) {
                        int number = numbers.merge(base, 1, Integer::sum);
                        bundles.put(bundle(many ? String.format("%s-%03d", base, number) : base),
                                Double.parseDouble(bundle.group(3)));
                    }
                }
            }
            write(0);
        }

        /** A raw usage beside CPU's, with its limit. */
        Broker usage(Metric metric, double usage, double limit) {
            usages.put(metric, new double[] {usage, limit});
            return this;
        }

        /** The process starts anew, with what is still on it. */
        void restart(long now) {
            startedAt = now;
        }

        void write(long now) {
            if (frozen) {
                return;
            }
            long clock = now + clockError;
            long start = startedAt == Long.MIN_VALUE ? -clockError : startedAt + clockError;
            double bytes = rate * bytesPerMessage;
            BrokerLoad.Builder builder = BrokerLoad.named(name).usage(Metric.CPU, score * limit / 100, limit)
                    .traffic(rate, bytes / 2, bytes / 2).reportTime(clock).started(start, clock - start)
                    .topicCount(topics).bundles(bundles.size(), BundleReport.of(
                            bundles.entrySet().stream().map(bundle -> load(bundle.getKey(), bundle.getValue())).toList()));
            usages.forEach((metric, values) -> builder.usage(metric, values[0], values[1]));
            report = builder.build();
        }

        private BundleLoad load(String bundle, double messages) {
            return new BundleLoad(bundle, messages, messages * bytesPerMessage / 2, messages * bytesPerMessage / 2);
        }
    }

    /** A bundle's full name: {@code x} stands for {@code t/n/x}, {@code g/x} for {@code t/g/x}. */
    static String bundle(String name) {
        return switch ((int) name.chars().filter(c -> c == '/').count()) {
            case 0 -> "t/n/" + name;
            case 1 -> "t/" + name;
            default -> name;
        };
    }

    /** A bundle of so many msg/s of 1 KiB. */
    static BundleLoad load(String name, double messages) {
        return new BundleLoad(bundle(name), messages, messages * KIB / 2, messages * KIB / 2);
    }
}
