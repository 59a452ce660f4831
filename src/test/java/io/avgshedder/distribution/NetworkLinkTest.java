package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class NetworkLinkTest {

    private ServerSocket server;
    private NetworkLink link;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getByName(DistributionCluster.HOST));
        link = new NetworkLink(server.getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        server.close();
    }

    private Socket connect() throws IOException {
        return new Socket(DistributionCluster.HOST, link.port());
    }

    private static boolean isEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void passesBytesBothWays() throws IOException {
        try (Socket client = connect(); Socket accepted = server.accept()) {
            client.getOutputStream().write(7);
            assertThat(accepted.getInputStream().read()).isEqualTo(7);
            accepted.getOutputStream().write(8);
            assertThat(client.getInputStream().read()).isEqualTo(8);
        }
    }

    @Test
    void endsOneHalfWithTheOther() throws IOException {
        try (Socket client = connect(); Socket accepted = server.accept()) {
            accepted.close();
            assertThat(isEnded(client)).isTrue();
        }
    }

    @Test
    void aCutEndsConnectionsAndRefusesNewOnesUntilItIsMended() throws IOException {
        try (Socket client = connect(); Socket accepted = server.accept()) {
            link.cut();
            assertThat(isEnded(client)).isTrue();
            assertThat(isEnded(accepted)).isTrue();
        }
        try (Socket refused = connect()) {
            assertThat(isEnded(refused)).isTrue();
        }
        link.mend();
        passesBytesBothWays();
    }
}
