package io.avgshedder.distribution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way from one process to a server on this host, which can be cut: connections end then, and new ones are refused. */
final class NetworkLink implements AutoCloseable {

    private final int server;
    private final ServerSocket entrance;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private boolean cut;

    /** @param server the port on which the server listens */
    NetworkLink(int server) {
        this.server = server;
        try {
            entrance = new ServerSocket(0, 50, InetAddress.getByName(DistributionCluster.HOST));
        } catch (IOException e) {
            throw new UncheckedIOException("No free port", e);
        }
        start(this::accept);
    }

    /** Where the process connects to instead of to the server. */
    int port() {
        return entrance.getLocalPort();
    }

    synchronized void cut() {
        cut = true;
        open.forEach(this::end);
    }

    synchronized void mend() {
        cut = false;
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                pass(entrance.accept());
            } catch (IOException closed) {
                // by close(), or by who asked
            }
        }
    }

    private synchronized void pass(Socket client) throws IOException {
        open.add(client);
        if (cut) {
            end(client);
            return;
        }
        try {
            Socket forward = new Socket(DistributionCluster.HOST, server);
            open.add(forward);
            start(() -> copy(client, forward));
            start(() -> copy(forward, client));
        } catch (IOException e) {
            end(client);
            throw e;
        }
    }

    private void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // so does the other half
        } finally {
            end(from);
            end(to);
        }
    }

    private void end(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "network-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        cut();
    }
}
