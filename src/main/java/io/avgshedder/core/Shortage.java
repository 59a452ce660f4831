package io.avgshedder.core;

import java.util.Collection;
import java.util.List;

/**
 * Says once that capacity is short: moving load between brokers cannot help where most of them are overloaded. It is
 * said again only after no more than a quarter of them were.
 */
final class Shortage {

    private boolean said;

    /** One notice in the round that finds most brokers above the overload threshold. */
    List<String> notices(Collection<BrokerScore> scores, Settings settings) {
        long overloaded = scores.stream().filter(score -> score.score() > settings.overloadThreshold()).count();
        if (4 * overloaded <= scores.size()) {
            said = false;
        } else if (!said && 2 * overloaded > scores.size()) {
            said = true;
            return List.of(Sentences.shortage(overloaded, scores.size(), settings.overloadThreshold()));
        }
        return List.of();
    }
}
