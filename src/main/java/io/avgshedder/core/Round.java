package io.avgshedder.core;

import java.util.List;

/**
 * What one round saw and decided.
 *
 * @param number    counts up from 1 for each cluster that is watched
 * @param time      when the round began, in milliseconds of the plugin's clock
 * @param dryRun    whether nothing is to be unloaded, and the transfers are those that would have been made
 * @param brokers   the scores of all brokers that have one, the hottest first
 * @param verdicts  one for each pair, the hottest first, then one for each broker that takes no part
 * @param transfers what is to be unloaded, in the order in which it was chosen
 * @param notices   what an operator should be told once, such as a metric that a broker cannot report
 * @param endings   what became of transfers of earlier rounds, as far as it was learnt in this one
 */
public record Round(long number, long time, boolean dryRun, List<BrokerScore> brokers, List<Verdict> verdicts,
                    List<Transfer> transfers, List<String> notices, List<Ending> endings) {

    public Round {
        brokers = List.copyOf(brokers);
        verdicts = List.copyOf(verdicts);
        transfers = List.copyOf(transfers);
        notices = List.copyOf(notices);
        endings = List.copyOf(endings);
    }

    /** A round in which nothing was learnt of earlier transfers. */
    public Round(long number, long time, boolean dryRun, List<BrokerScore> brokers, List<Verdict> verdicts,
                 List<Transfer> transfers, List<String> notices) {
        this(number, time, dryRun, brokers, verdicts, transfers, notices, List.of());
    }
}
