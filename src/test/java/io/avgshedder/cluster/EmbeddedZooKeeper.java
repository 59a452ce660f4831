package io.avgshedder.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * One ZooKeeper server in this process, on a free loopback port. Pulsar's in-memory store would start faster, but leader
 * election between several brokers does not work on it.
 */
final class EmbeddedZooKeeper implements AutoCloseable {

    private static final int TICK_MILLIS = 2_000;
    private static final int MAX_CONNECTIONS_PER_CLIENT = 200;

    private final ZooKeeperServer server;
    private final NIOServerCnxnFactory connections = new NIOServerCnxnFactory();

    EmbeddedZooKeeper(Path directory) throws IOException, InterruptedException {
        // read once by the class of the transaction log; the data of a test need not survive a power cut
        System.setProperty("zookeeper.forceSync", "no");
        server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
        try {
            connections.configure(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MAX_CONNECTIONS_PER_CLIENT);
            connections.startup(server);
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The address in the form of Pulsar's {@code metadataStoreUrl}. */
    String url() {
        return "zk:127.0.0.1:" + connections.getLocalPort();
    }

    /** Ends a client's session, as if it had not been heard of for too long; the client learns it at once. */
    void expire(long session) {
        server.closeSession(session);
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown();
    }
}
