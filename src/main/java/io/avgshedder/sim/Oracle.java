package io.avgshedder.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows the hidden truth, and says with how few moves a spread could have been reached.
 *
 * <p>Starts from where every bundle would be had nobody shed it. A lower bound comes from each broker by itself: to end
 * inside a window of the given spread, a hot one must give at least so many of its largest bundles, and a cold one
 * must take at least so many of the largest there are. The window that makes the larger of the two sums smallest gives
 * the bound. An upper bound comes from the run itself and from a greedy search. Where the two do not meet, small cases
 * are searched through; of large ones the lower bound is told as such.
 */
final class Oracle {

    private static final int MOST_NODES = 20_000;
    private static final int MOST_BUNDLES = 200;
    private static final double EPSILON = 1e-6;

    /** The fewest moves, or at least so many where {@code exact} is false. */
    record Answer(int moves, boolean exact) {
    }

    private static final class Place {
        private final double perMessage;
        private double load;
        /** Unmoved bundles, the largest first. */
        private final List<Item> items = new ArrayList<>();

        private Place(double perMessage, double load) {
            this.perMessage = perMessage;
            this.load = load;
        }
    }

    private static final class Item {
        private final double rate;
        private Place place;

        private Item(double rate, Place place) {
            this.rate = rate;
            this.place = place;
        }
    }

    private final List<Place> places;
    private final List<Item> items;
    private final double spread;
    private int nodes;

    private Oracle(List<Place> places, List<Item> items, double spread) {
        this.places = places;
        this.items = items;
        this.spread = spread + EPSILON;
        items.sort(Comparator.comparingDouble((Item item) -> item.rate).reversed());
        items.forEach(item -> item.place.items.add(item));
    }

    /** Asks for the state at this moment of the run. */
    static Answer fewestMoves(VirtualCluster cluster, double spread) {
        Map<String, List<SimBroker>> groups = new LinkedHashMap<>();
        for (SimBroker broker : cluster.brokers()) {
            if (broker.alive) {
                groups.computeIfAbsent(broker.isolation, group -> new ArrayList<>()).add(broker);
            }
        }
        int moves = 0;
        boolean exact = true;
        for (List<SimBroker> group : groups.values()) {
            Map<SimBroker, Place> places = new LinkedHashMap<>();
            for (SimBroker broker : group) {
                places.put(broker, new Place(broker.points(1), broker.backgroundUsage()));
            }
            List<Item> items = new ArrayList<>();
            int moved = 0;
            for (SimBundle bundle : cluster.bundles()) {
                Place place = places.get(bundle.unshed != null && bundle.unshed.alive ? bundle.unshed : bundle.owner);
                if (place != null) {
                    items.add(new Item(bundle.expected, place));
                    place.load += place.perMessage * bundle.expected;
                    moved += bundle.owner == bundle.unshed ? 0 : 1;
                }
            }
            Answer answer = new Oracle(new ArrayList<>(places.values()), items, spread).answer(moved);
            moves += answer.moves;
            exact &= answer.exact;
        }
        return new Answer(moves, exact);
    }

    private Answer answer(int achieved) {
        if (spreadNow() <= spread) {
            return new Answer(0, true);
        }
        int least = Math.max(1, leastFromHere());
        int most = Math.min(achieved == 0 ? Integer.MAX_VALUE : achieved, greedy());
        if (least >= most) {
            return new Answer(most, true);
        }
        if (items.size() > MOST_BUNDLES) {
            return new Answer(least, false);
        }
        for (int moves = least; moves < most; moves++) {
            if (reach(moves, 0)) {
                return new Answer(moves, true);
            }
            if (nodes > MOST_NODES) {
                return new Answer(moves, false);
            }
        }
        return new Answer(most, true);
    }

    private double spreadNow() {
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (Place place : places) {
            lowest = Math.min(lowest, place.load);
            highest = Math.max(highest, place.load);
        }
        return highest - lowest;
    }

    /** A lower bound on the moves from here, with bundles that were not moved yet. */
    private int leastFromHere() {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (Place place : places) {
            low = Math.min(low, place.load);
            high = Math.max(high, place.load);
        }
        if (high - low <= spread) {
            return 0;
        }
        low -= EPSILON;
        for (int i = 0; i < 40 && high - low > EPSILON; i++) {
            double middle = (low + high) / 2;
            if (given(middle + spread) > taken(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return Math.min(given(low + spread), taken(high));
    }

    /** How many bundles must at least leave brokers that are above {@code ceiling}. */
    private int given(double ceiling) {
        int given = 0;
        for (Place place : places) {
            double excess = place.load - ceiling - EPSILON;
            for (int i = 0; excess > 0; i++) {
                if (i >= place.items.size()) {
                    return Integer.MAX_VALUE;
                }
                excess -= place.perMessage * place.items.get(i).rate;
                given++;
            }
        }
        return given;
    }

    /** How many bundles must at least come to brokers that are below {@code floor}. */
    private int taken(double floor) {
        int taken = 0;
        for (Place place : places) {
            double lack = floor - place.load - EPSILON;
            for (int i = 0; lack > 0; i++) {
                if (i >= items.size()) {
                    return Integer.MAX_VALUE;
                }
                if (items.get(i).place != place) {
                    lack -= place.perMessage * items.get(i).rate;
                    taken++;
                }
            }
        }
        return taken;
    }

    /** Moves made by going from the hottest to the coldest broker, each time with the bundle that levels best. */
    private int greedy() {
        List<Item> moved = new ArrayList<>();
        List<Place> from = new ArrayList<>();
        int most = items.size();
        int result = Integer.MAX_VALUE;
        while (moved.size() <= most) {
            if (spreadNow() <= spread) {
                result = moved.size();
                break;
            }
            Place hot = places.get(0);
            Place cold = places.get(0);
            for (Place place : places) {
                hot = place.load > hot.load ? place : hot;
                cold = place.load < cold.load ? place : cold;
            }
            Item best = null;
            double bestHeight = hot.load - EPSILON;
            for (Item item : hot.items) {
                double height = Math.max(hot.load - hot.perMessage * item.rate,
                        cold.load + cold.perMessage * item.rate);
                if (height < bestHeight) {
                    best = item;
                    bestHeight = height;
                }
            }
            if (best == null) {
                break;
            }
            moved.add(best);
            from.add(hot);
            move(best, cold);
        }
        for (int i = moved.size() - 1; i >= 0; i--) {
            moveBack(moved.get(i), from.get(i));
        }
        return result;
    }

    private static void move(Item item, Place to) {
        item.place.items.remove(item);
        item.place.load -= item.place.perMessage * item.rate;
        item.place = to;
        to.load += to.perMessage * item.rate;
    }

    private static void moveBack(Item item, Place to) {
        item.place.load -= item.place.perMessage * item.rate;
        item.place = to;
        to.load += to.perMessage * item.rate;
        int index = 0;
        while (index < to.items.size() && to.items.get(index).rate >= item.rate) {
            index++;
        }
        to.items.add(index, item);
    }

    /** Whether the spread can be reached with this many more moves of bundles from {@code first} on. */
    private boolean reach(int moves, int first) {
        if (spreadNow() <= spread) {
            return true;
        }
        if (moves == 0 || ++nodes > MOST_NODES || leastFromHere() > moves) {
            return false;
        }
        for (int i = first; i < items.size(); i++) {
            Item item = items.get(i);
            if (!item.place.items.contains(item) || isRepetition(i, first)) {
                continue;
            }
            Place from = item.place;
            for (Place to : places) {
                if (to != from) {
                    move(item, to);
                    boolean reached = reach(moves - 1, i + 1);
                    moveBack(item, from);
                    if (reached) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** A bundle like the one before it on the same broker leads to nothing new. */
    private boolean isRepetition(int index, int first) {
        Item item = items.get(index);
        for (int i = index - 1; i >= first && items.get(i).rate - item.rate < EPSILON * item.rate; i--) {
            if (items.get(i).place == item.place && item.place.items.contains(items.get(i))) {
                return true;
            }
        }
        return false;
    }
}
