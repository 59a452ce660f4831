package io.avgshedder.distribution;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** When brokers unloaded which bundles, by their own account: what really happened, not what was decided. */
final class Unloads {

    private static final Pattern DONE = Pattern.compile(
            "\\.OwnedBundle - Unloading (\\S+/0x\\w+) namespace-bundle with \\d+ topics completed ");

    private final List<Unload> all;

    private Unloads(List<Unload> all) {
        this.all = all;
    }

    /** One bundle that left its broker. */
    record Unload(Instant at, String bundle) {
    }

    /**
     * @param logs      the lines of each broker's log
     * @param namespace such as {@code tenant/}: only bundles that begin so
     */
    static Unloads of(Collection<List<String>> logs, String namespace) {
        List<Unload> unloads = new ArrayList<>();
        for (List<String> log : logs) {
            for (String line : log) {
                Matcher done = DONE.matcher(line);
                if (done.find() && done.group(1).startsWith(namespace)) {
                    unloads.add(new Unload(BrokerLog.timeOf(line), done.group(1)));
                }
            }
        }
        unloads.sort(Comparator.comparing(Unload::at));
        return new Unloads(List.copyOf(unloads));
    }

    List<Unload> all() {
        return all;
    }

    Unloads after(Instant from) {
        return new Unloads(all.stream().filter(unload -> unload.at().isAfter(from)).toList());
    }

    Unloads of(String namespace) {
        return new Unloads(all.stream().filter(unload -> unload.bundle().startsWith(namespace + "/")).toList());
    }

    /** The largest number of unloads in any window of this length, which an unload just as long ago has left. */
    int mostWithin(Duration window) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < all.size(); last++) {
            while (!all.get(first).at().plus(window).isAfter(all.get(last).at())) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
