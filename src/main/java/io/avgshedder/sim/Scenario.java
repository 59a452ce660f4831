package io.avgshedder.sim;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One closed-loop experiment: the brokers and the load as they really are, what happens to them, how they report, and
 * the bounds within which a strategy should end. Read from YAML by {@link ScenarioReader}.
 *
 * <p>Units: times in minutes from the first moment of the leader, rates in messages per second in and out together,
 * usage in points of CPU percent.
 *
 * @param name        the scenario's short name
 * @param title       one line for people
 * @param about       what it shows
 * @param minutes     how long it runs
 * @param warmUp      minutes of reporting before the leader's term, in which nothing is shed and no event happens
 * @param measureFrom the minute from which the time to level is counted
 * @param settings    broker.conf keys by strategy name; those under {@code all} apply to every strategy
 * @param expect      bounds by strategy name; those under {@code all} apply to every strategy
 */
public record Scenario(String name, String title, String about, double minutes, double warmUp, double measureFrom,
                       List<BrokerGroup> brokers, List<BundleGroup> bundles, List<LoadChange> load, Noise noise,
                       List<Event> events, Reporting reporting, Unloading unloading,
                       Map<String, Map<String, String>> settings, Map<String, Expectations> expect) {

    public Scenario {
        brokers = List.copyOf(brokers);
        bundles = List.copyOf(bundles);
        load = List.copyOf(load);
        events = List.copyOf(events);
        settings = Map.copyOf(settings);
        expect = Map.copyOf(expect);
    }

    /**
     * Brokers that are alike. With a count above 1 they are called {@code name-1}, {@code name-2} and so on.
     *
     * @param capacity  messages per second that use 100 points of its CPU
     * @param cores     the CPU limit that its reports show, in cores
     * @param idle      points used without any load
     * @param other     points used by other processes at the start
     * @param isolation the isolation group it serves; empty for none
     * @param present   whether it is there from the start, and not only after a {@code join}
     */
    record BrokerGroup(String name, int count, double capacity, double cores, double idle, double other, double nic,
                       String isolation, boolean present) {

        List<String> names() {
            return count == 1 ? List.of(name)
                    : java.util.stream.IntStream.rangeClosed(1, count).mapToObj(i -> name + "-" + i).toList();
        }
    }

    /** How a group's rate is divided among its bundles. */
    enum Distribution {
        /** All alike. */
        EQUAL,
        /** The k-th largest carries in proportion to 1 / k^skew. */
        ZIPF,
        /** The first one carries the share {@code skew} of all, the others the rest in equal parts. */
        DOMINANT,
        /** Log-normal with a standard deviation of {@code skew}. */
        LOGNORMAL
    }

    /** Where bundles are at the start. */
    sealed interface Start {

        /** Each on a broker that is drawn. */
        record Random() implements Start {
        }

        /** One after another over all brokers that are there. */
        record Spread() implements Start {
        }

        /** Nowhere: looked up at the start, through the strategy. */
        record Lookup() implements Start {
        }

        /** So many on each, in this order. A count of -1 takes an equal part of what is left. */
        record On(Map<String, Integer> counts) implements Start {
        }
    }

    /**
     * Bundles of one namespace.
     *
     * @param rate      messages per second of all of them together, in and out, before any load change
     * @param size      bytes per message
     * @param isolation the isolation group whose brokers may own them; empty for none
     */
    record BundleGroup(String namespace, int count, double rate, double size, Distribution distribution, double skew,
                       Start start, String isolation) {
    }

    /**
     * The load of a namespace, or of all where that is empty, as a factor over time.
     *
     * @param from  minute at which the factor begins to apply
     * @param over  minutes in which it is reached in a straight line
     * @param every period of repetition in minutes; 0 for a change that stays
     * @param lasts minutes of each period in which the factor applies
     */
    record LoadChange(String namespace, double from, double over, double factor, double every, double lasts) {
    }

    /**
     * What cannot be foreseen.
     *
     * @param jitter        relative standard deviation of a bundle's load from one ten seconds to the next
     * @param drift         standard deviation per minute of the logarithm of a bundle's load, which wanders
     * @param burstsPerHour how often a bundle bursts
     * @param burstFactor   what its load is multiplied by then
     * @param burstMinutes  for how long
     * @param usage         standard deviation of a broker's usage figure in points
     */
    record Noise(double jitter, double drift, double burstsPerHour, double burstFactor, double burstMinutes,
                 double usage) {
    }

    /** Something that happens at a minute. Brokers are named singly or by their group. */
    sealed interface Event {

        double at();

        /** Brokers that were absent come up, empty, all at once or one every so many minutes. */
        record Join(double at, List<String> brokers, double every) implements Event {
        }

        /** Brokers stop. A killed one is noticed only after the metadata session. */
        record Stop(double at, List<String> brokers, double every, boolean killed) implements Event {
        }

        /** Brokers restart one after another. */
        record Restart(double at, List<String> brokers, double every, double down) implements Event {
        }

        /** One broker is killed and comes back, several times. */
        record Crash(double at, List<String> brokers, double every, double down, int times) implements Event {
        }

        /** Brokers write no report any more, until a minute. */
        record Freeze(double at, List<String> brokers, double until) implements Event {
        }

        /** Other processes on the brokers' machines take so many points. */
        record OtherLoad(double at, List<String> brokers, double points) implements Event {
        }

        /** Another broker becomes leader. */
        record NewLeader(double at) implements Event {
        }
    }

    /**
     * How brokers report.
     *
     * @param check   seconds between two checks whether a report has to be written
     * @param usage   seconds over which usage is averaged
     * @param stats   seconds between two readings of bundle statistics
     * @param change  percent of rates or bundles, or points of usage, above which a report is written
     * @param longest minutes after which it is written in any case
     * @param delay   seconds until the leader has it
     */
    record Reporting(double check, double usage, double stats, double change, double longest, double delay) {
    }

    /**
     * How unloads go.
     *
     * @param least seconds that an unload takes at least
     * @param most  and at most
     * @param races the part of moved bundles for which the placement is asked a second time, by a lookup
     */
    record Unloading(double least, double most, double races) {
    }

    /**
     * What a run should reach; {@code null} where nothing is expected.
     *
     * @param levelWithin  minutes from {@code measureFrom} until the spread stays within the low threshold
     * @param spread       the final spread in points
     * @param rounds       shedding rounds
     * @param unloads      unloads
     * @param leastUnloads unloads at least: something has to happen
     * @param harmfulMoves harmful moves
     * @param returns      bundles shed back
     * @param steadyAfter  the minute after which nothing is unloaded any more
     */
    record Expectations(Double levelWithin, Double spread, Integer rounds, Integer unloads, Integer leastUnloads,
                        Integer harmfulMoves, Integer returns, Double steadyAfter) {

        static final Expectations NONE = new Expectations(null, null, null, null, null, null, null, null);

        Expectations over(Expectations other) {
            return new Expectations(or(levelWithin, other.levelWithin), or(spread, other.spread),
                    or(rounds, other.rounds), or(unloads, other.unloads), or(leastUnloads, other.leastUnloads),
                    or(harmfulMoves, other.harmfulMoves), or(returns, other.returns),
                    or(steadyAfter, other.steadyAfter));
        }

        private static <T> T or(T value, T otherwise) {
            return value == null ? otherwise : value;
        }
    }

    /** The same with other settings for one strategy, which hold over those that the scenario gives it. */
    public Scenario with(String strategy, Map<String, String> overriding) {
        Map<String, String> own = new TreeMap<>(settings.getOrDefault(strategy, Map.of()));
        own.putAll(overriding);
        Map<String, Map<String, String>> changed = new TreeMap<>(settings);
        changed.put(strategy, own);
        return new Scenario(name, title, about, minutes, warmUp, measureFrom, brokers, bundles, load, noise, events,
                reporting, unloading, changed, expect);
    }

    /** The settings of one strategy. */
    public Map<String, String> settingsFor(String strategy) {
        Map<String, String> merged = new TreeMap<>(settings.getOrDefault("all", Map.of()));
        merged.putAll(settings.getOrDefault(strategy, Map.of()));
        return merged;
    }

    /** The bounds of one strategy. */
    Expectations expectationsFor(String strategy) {
        Expectations all = expect.getOrDefault("all", Expectations.NONE);
        Expectations own = expect.get(strategy);
        return own == null ? all : own.over(all);
    }
}
