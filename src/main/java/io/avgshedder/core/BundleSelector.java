package io.avgshedder.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the bundles whose traffic comes nearest to a size with the fewest unloads.
 *
 * <p>The naive rule takes the largest bundle that still fits, until nothing fits. Of 4,500, 4,500 and 1,000 against a
 * size of 4,000 it takes the 1,000 alone and leaves the pair three quarters out of level. One overshoot is allowed
 * here: at every step the smallest bundle that does not fit is tried as the last one, and what ends nearest to the size
 * wins, the smaller set where two end equally near. Then one bundle may be exchanged for another that ends nearer
 * still. A remainder that is worth less than a tenth of a point of score is left: nobody can see it.
 *
 * <p>Linear in the bundles, after the donor's sort, and logarithmic for each bundle taken.
 */
final class BundleSelector {

    /** What is still worth an unload, in points. */
    private static final double VISIBLE = 0.1;

    private final List<Donor.Candidate> candidates;
    private final double size;
    private final Forecast forecast;

    private BundleSelector(List<Donor.Candidate> candidates, double size, Forecast forecast) {
        this.candidates = candidates;
        this.size = size;
        this.forecast = forecast;
    }

    /**
     * Chooses among bundles that are ordered by {@link Donor.Candidate#LARGEST_FIRST}.
     *
     * @return the chosen bundles, the largest first; empty where no choice is allowed by the forecast
     */
    static List<Donor.Candidate> choose(List<Donor.Candidate> candidates, double size, Forecast forecast) {
        return new BundleSelector(candidates, size, forecast).choose();
    }

    private List<Donor.Candidate> choose() {
        double negligible = forecast.fall() > 0 ? VISIBLE / forecast.fall() : 0;
        List<Integer> taken = new ArrayList<>();
        double sum = 0;
        Best best = new Best();
        for (int i = 0; i < candidates.size() && size - sum > negligible; i++) {
            double traffic = candidates.get(i).traffic();
            if (traffic <= size - sum) {
                taken.add(i);
                sum += traffic;
                best.offer(taken.size(), sum, -1);
            } else if (i + 1 == candidates.size() || candidates.get(i + 1).traffic() <= size - sum) {
                best.offer(taken.size(), sum + traffic, i);
            }
        }
        if (best.distance == Double.POSITIVE_INFINITY) {
            return List.of();
        }
        List<Integer> chosen = new ArrayList<>(taken.subList(0, best.prefix));
        if (best.last >= 0) {
            chosen.add(best.last);
        }
        if (best.distance > negligible) {
            exchangeOne(chosen, best.sum, negligible);
        }
        return chosen.stream().sorted().map(candidates::get).toList();
    }

    /** The nearest choice so far: a prefix of what the largest-first pass took, and perhaps one more. */
    private final class Best {
        private double distance = Double.POSITIVE_INFINITY;
        private double sum;
        private int prefix;
        private int last = -1;

        private void offer(int prefix, double sum, int last) {
            double distance = Math.abs(size - sum);
            if (distance < this.distance && forecast.allows(sum)) {
                this.distance = distance;
                this.sum = sum;
                this.prefix = prefix;
                this.last = last;
            }
        }
    }

    /** Replaces one chosen bundle by one that was not, where that ends nearest to the size and the difference shows. */
    private void exchangeOne(List<Integer> chosen, double sum, double negligible) {
        boolean[] isChosen = new boolean[candidates.size()];
        chosen.forEach(index -> isChosen[index] = true);
        double distance = Math.abs(size - sum) - negligible;
        int out = -1;
        int in = -1;
        for (int i = 0; i < chosen.size(); i++) {
            double without = sum - candidates.get(chosen.get(i)).traffic();
            int nearest = firstNotAbove(size - without);
            for (int step : new int[] {nearest - 1, nearest}) {
                if (step < 0 || step >= candidates.size() || isChosen[step]) {
                    continue;
                }
                double exchanged = without + candidates.get(step).traffic();
                if (Math.abs(size - exchanged) < distance && forecast.allows(exchanged)) {
                    distance = Math.abs(size - exchanged);
                    out = i;
                    in = step;
                }
            }
        }
        if (out >= 0) {
            chosen.set(out, in);
        }
    }

    private int firstNotAbove(double traffic) {
        return firstNotAbove(candidates, traffic);
    }

    /** The index of the largest candidate that carries no more than {@code traffic}; the number of all if none does. */
    static int firstNotAbove(List<Donor.Candidate> candidates, double traffic) {
        int from = 0;
        int to = candidates.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (candidates.get(middle).traffic() <= traffic) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }
}
