package io.avgshedder.sim;

import java.util.List;

/**
 * What one run came to.
 *
 * @param minutesToLevel          minutes from the scenario's {@code measureFrom} until the true spread stays within the
 *                                low threshold; {@code null} where it never does
 * @param sheddingRounds          rounds that unloaded something
 * @param unloads                 bundles that were unloaded
 * @param disturbedBytesPerSecond the traffic of those bundles when they were unloaded, summed
 * @param harmfulMoves            moves by which, as things really were, a receiver ended hotter than its donor had
 *                                been, or the two were turned round by more than the low threshold
 * @param returns                 bundles shed back within two grace periods
 * @param regret                  unloads divided by the fewest that reach the same final spread; infinite where none
 *                                were needed
 * @param regretExact             whether the fewest are known exactly and are not a lower bound
 * @param finalSpread             the true spread at the end, in points
 * @param failures                calls in which the strategy threw something
 * @param lastUnload              minute of the last unload; negative where there was none
 * @param broken                  the expectations that were not met, as sentences
 */
public record Run(String strategy, long seed, Double minutesToLevel, int sheddingRounds, int unloads,
                  double disturbedBytesPerSecond, int harmfulMoves, int returns, double regret, boolean regretExact,
                  double finalSpread, int failures, double lastUnload, List<String> broken, History history) {

    /** Whether every expectation was met. */
    public boolean expectationsMet() {
        return broken.isEmpty();
    }

    /** The same without what happened over time, which takes the most memory by far. */
    public Run withoutHistory() {
        return new Run(strategy, seed, minutesToLevel, sheddingRounds, unloads, disturbedBytesPerSecond, harmfulMoves,
                returns, regret, regretExact, finalSpread, failures, lastUnload, broken,
                new History(List.of(), new double[0], new double[0][], List.of(), List.of()));
    }

    /**
     * What happened over time, for plots.
     *
     * @param brokers names
     * @param minutes when the samples were taken
     * @param usage   true usage by broker and sample, NaN where the broker was not there
     */
    public record History(List<String> brokers, double[] minutes, double[][] usage, List<Shed> sheds,
                          List<String> trace) {
    }

    /** One round that unloaded something. */
    public record Shed(double minute, int unloads, int harmful) {
    }
}
