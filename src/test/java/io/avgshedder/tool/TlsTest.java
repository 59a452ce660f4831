package io.avgshedder.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the commands trust. The server's certificate is its own authority and is not for the server's address. */
class TlsTest {

    private static final String PASSWORD = "changeit";
    /** The answer was read. */
    private static final String ANSWERED = "the cluster lists no broker";

    @TempDir
    private static Path directory;
    private static HttpsServer server;

    @BeforeAll
    static void startServer() throws Exception {
        Path store = directory.resolve("server.p12");
        keytool("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=elsewhere", "-validity", "2",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD);
        keytool("-exportcert", "-rfc", "-alias", "server", "-file", directory.resolve("ca.pem").toString(),
                "-keystore", store.toString(), "-storepass", PASSWORD);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/admin/v2/brokers", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("[]".getBytes());
            exchange.close();
        });
        server.start();
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.txt").toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(directory.resolve("keytool.txt"))).isZero();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.stop(0);
        }
    }

    private static String check(String... more) {
        List<String> arguments = new ArrayList<>(List.of("check", "--admin-url",
                "https://127.0.0.1:" + server.getAddress().getPort()));
        arguments.addAll(List.of(more));
        Tool.Result result = Tool.run(arguments.toArray(String[]::new));
        assertThat(result.status()).isEqualTo(2);
        return result.err();
    }

    @Test
    void anUnknownAuthorityIsNotTrusted() {
        assertThat(check()).contains("TLS with https://127.0.0.1").contains("--tls-trust-cert-path");
    }

    @Test
    void aCertificateMustBeItsHosts() {
        assertThat(check("--tls-trust-cert-path", directory.resolve("ca.pem").toString()))
                .contains("TLS with https://127.0.0.1").contains("--tls-enable-hostname-verification");
    }

    @Test
    void theHostsNameNeedNotBeLookedAt() {
        assertThat(check("--tls-trust-cert-path", directory.resolve("ca.pem").toString(),
                "--tls-enable-hostname-verification=false")).contains(ANSWERED);
    }

    @Test
    void withoutItsNameTheAuthorityIsStillAskedFor() {
        assertThat(check("--tls-enable-hostname-verification=false")).contains("TLS with https://127.0.0.1");
    }

    @Test
    void anythingIsTrustedWhereThatIsAskedFor() {
        assertThat(check("--tls-allow-insecure")).contains(ANSWERED);
    }

    @Test
    void aFileWithoutCertificatesIsAnError() throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.pem"));

        assertThat(check("--tls-trust-cert-path", empty.toString())).contains("there is no certificate in " + empty);
    }
}
