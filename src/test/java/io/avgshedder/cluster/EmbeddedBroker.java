package io.avgshedder.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pulsar.broker.PulsarServerException;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.LoadData;

/** One real broker of an {@link EmbeddedCluster}. */
public final class EmbeddedBroker {

    private final PulsarService service;
    private final String id;

    private EmbeddedBroker(PulsarService service) {
        this.service = service;
        // getBrokerId() says the same, but does not exist before 3.1
        this.id = service.getWebServiceAddress().substring("http://".length());
    }

    /** Starts a broker; what was started of it is stopped again when that fails. */
    static EmbeddedBroker start(ServiceConfiguration configuration, Map<String, String> pins) throws Exception {
        PulsarService service = new PulsarService(configuration);
        try {
            service.start();
            EmbeddedBroker broker = new EmbeddedBroker(service);
            broker.loadManager().pinnedBy(pins);
            return broker;
        } catch (Exception e) {
            try {
                service.close();
            } catch (PulsarServerException | RuntimeException onClose) {
                e.addSuppressed(onClose);
            }
            throw e;
        }
    }

    /** The name that load data, plans and log lines use: {@code 127.0.0.1:port}, the port of the web service. */
    public String id() {
        return id;
    }

    public PulsarService service() {
        return service;
    }

    public boolean isLeader() {
        return service.getLeaderElectionService() != null && service.getLeaderElectionService().isLeader();
    }

    /**
     * The load manager that the broker really runs.
     *
     * @throws IllegalStateException if it is not the modular one: a broker that cannot make the configured load manager or
     *     its strategies logs a warning and goes on with another one, and every test on it would be about something else
     */
    public SteppedLoadManager loadManager() {
        LoadManager manager = service.getLoadManager().get();
        if (manager instanceof ModularLoadManagerWrapper wrapper
                && wrapper.getLoadManager() instanceof SteppedLoadManager stepped) {
            return stepped;
        }
        throw new IllegalStateException("broker " + id + " silently fell back to " + manager.getClass().getName()
                + "; its log says why after \"Error when trying to create load manager\"");
    }

    /** What this broker knows of the load of all; only the leader's is used for shedding. */
    public LoadData loadData() {
        return PrivateFields.only(loadManager(), LoadData.class);
    }

    public LoadSheddingStrategy sheddingStrategy() {
        List<LoadSheddingStrategy> strategies = PrivateFields.all(loadManager(), LoadSheddingStrategy.class);
        if (strategies.size() != 1) {
            throw new IllegalStateException("one shedding strategy expected, not " + strategies);
        }
        return strategies.get(0);
    }

    public ModularLoadManagerStrategy placementStrategy() {
        return PrivateFields.only(loadManager(), ModularLoadManagerStrategy.class);
    }

    public Set<String> ownedBundles() {
        return service.getNamespaceService().getOwnedServiceUnits().stream()
                .map(Object::toString)
                .collect(Collectors.toUnmodifiableSet());
    }

    public boolean owns(String bundle) {
        return ownedBundles().contains(bundle);
    }

    /** A clean stop: bundles are given up, clients are told, the leader's post is left. */
    void stop() throws PulsarServerException {
        service.close();
    }

    @Override
    public String toString() {
        return id;
    }
}
