package io.avgshedder.sim;

import io.avgshedder.sim.Scenario.LoadChange;
import java.util.Comparator;
import java.util.List;

/** The factor on a namespace's load over time: what lasts, of the namespace and of all, times what comes and goes. */
final class LoadProfile {

    private final List<LoadChange> own;
    private final List<LoadChange> common;
    private final List<LoadChange> repeated;

    LoadProfile(String namespace, List<LoadChange> changes) {
        own = lasting(namespace, changes);
        common = lasting("", changes);
        repeated = changes.stream().filter(change -> change.every() > 0
                && (change.namespace().isEmpty() || change.namespace().equals(namespace))).toList();
    }

    private static List<LoadChange> lasting(String namespace, List<LoadChange> changes) {
        return changes.stream().filter(change -> change.every() == 0 && change.namespace().equals(namespace))
                .sorted(Comparator.comparingDouble(LoadChange::from)).toList();
    }

    double at(double minute) {
        double factor = value(own, minute) * value(common, minute);
        for (LoadChange change : repeated) {
            double since = minute - change.from();
            if (since >= 0 && since % change.every() < change.lasts()) {
                factor *= change.factor();
            }
        }
        return factor;
    }

    private static double value(List<LoadChange> changes, double minute) {
        double value = 1;
        for (LoadChange change : changes) {
            double since = minute - change.from();
            if (since >= 0) {
                value = since >= change.over() ? change.factor()
                        : value + (change.factor() - value) * since / change.over();
            }
        }
        return value;
    }
}
