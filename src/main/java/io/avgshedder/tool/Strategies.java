package io.avgshedder.tool;

import io.avgshedder.AvgShedder;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;

/**
 * The two strategies of a load manager, by the names of their classes.
 *
 * @param shedder the shedding strategy
 * @param placer  the placement strategy; the same object where one class is both
 */
record Strategies(LoadSheddingStrategy shedder, ModularLoadManagerStrategy placer) {

    /** What a broker places with when {@code broker.conf} does not say. */
    static final String USUAL_PLACEMENT = "org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate";

    /**
     * @param shedding  the shedding class; {@code null} for the plugin
     * @param placement the placement class; {@code null} for the shedding one if it can place, else the broker's
     *                  usual one
     */
    static Strategies named(String shedding, String placement) {
        Object shedder = shedding == null ? new AvgShedder() : create("--strategy", shedding);
        if (!(shedder instanceof LoadSheddingStrategy sheds)) {
            throw new UserError("--strategy: " + shedding + " is no LoadSheddingStrategy");
        }
        boolean isOneClass = placement == null || placement.equals(shedder.getClass().getName());
        if (isOneClass && shedder instanceof ModularLoadManagerStrategy both) {
            return new Strategies(sheds, both);
        }
        String name = placement == null ? USUAL_PLACEMENT : placement;
        if (!(create("--placement", name) instanceof ModularLoadManagerStrategy places)) {
            throw new UserError("--placement: " + name + " is no ModularLoadManagerStrategy");
        }
        return new Strategies(sheds, places);
    }

    private static Object create(String option, String name) {
        try {
            return Class.forName(name, true, Thread.currentThread().getContextClassLoader())
                    .getDeclaredConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new UserError(option + ": there is no class " + name + " on the class path", e);
        } catch (NoSuchMethodException e) {
            throw new UserError(option + ": " + name + " has no constructor without arguments", e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new UserError(option + ": " + name + " cannot be created: "
                    + (e.getCause() == null ? e : e.getCause()), e);
        }
    }

    /** Whether the plugin sheds, and so says why. */
    boolean isPlugin() {
        return shedder instanceof AvgShedder;
    }
}
