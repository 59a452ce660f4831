package io.avgshedder.core;

/**
 * How the scores of a pair answer to traffic that moves from the hot broker to the cold one, in a straight line.
 *
 * @param hotScore  the hot broker's score now, in points
 * @param coldScore the cold broker's
 * @param fall      points that the hot broker loses for each unit of traffic given
 * @param rise      points that the cold broker gains for each unit taken
 * @param most      traffic that must not be exceeded whatever the line says; infinite where nothing is known
 */
record Forecast(double hotScore, double coldScore, double fall, double rise, double most) {

    double hotAfter(double traffic) {
        return hotScore - fall * traffic;
    }

    double coldAfter(double traffic) {
        return coldScore + rise * traffic;
    }

    double gapAfter(double traffic) {
        return hotAfter(traffic) - coldAfter(traffic);
    }

    /**
     * Whether moving this much is worth an unload and harms nobody: the gap shrinks by a tenth at least, in either
     * direction, and the receiver does not end above the donor's start.
     */
    boolean allows(double traffic) {
        double gap = hotScore - coldScore;
        return traffic <= most && Math.abs(gapAfter(traffic)) <= 0.9 * gap && coldAfter(traffic) <= hotScore;
    }
}
