package io.avgshedder.tool;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.pulsar.client.api.AuthenticationDataProvider;
import org.apache.pulsar.client.api.KeyStoreParams;

/** Makes the TLS context that the options ask for. */
final class Tls {

    private Tls() {
    }

    /** @param identity the client's certificate, where its authentication has one; may be {@code null} */
    static SSLContext context(AdminOptions options, AuthenticationDataProvider identity) {
        try {
            X509ExtendedTrustManager trust = options.tlsAllowInsecure ? null : trusting(options.tlsTrustCert);
            TrustManager used = trust != null && options.tlsHostnameVerification ? trust : new Lenient(trust);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity == null || !identity.hasDataForTls() ? null : keys(identity),
                    new TrustManager[] {used}, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new UserError("cannot set up TLS: " + e, e);
        }
    }

    private static X509ExtendedTrustManager trusting(Path pem) throws IOException, GeneralSecurityException {
        KeyStore store = null;
        if (pem != null) {
            store = emptyStore();
            try (InputStream in = Files.newInputStream(pem)) {
                for (Certificate certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                    store.setCertificateEntry("authority-" + store.size(), certificate);
                }
            } catch (IOException | CertificateException e) {
                throw new UserError("--tls-trust-cert-path: cannot read certificates from " + pem + ": "
                        + e.getMessage(), e);
            }
            if (store.size() == 0) {
                throw new UserError("--tls-trust-cert-path: there is no certificate in " + pem);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("this Java has no X.509 trust manager");
    }

    private static KeyManager[] keys(AuthenticationDataProvider identity)
            throws IOException, GeneralSecurityException {
        KeyStore store;
        char[] password = new char[0];
        KeyStoreParams params = identity.getTlsKeyStoreParams();
        if (params != null) {
            store = KeyStore.getInstance(params.getKeyStoreType());
            password = params.getKeyStorePassword().toCharArray();
            try (InputStream in = Files.newInputStream(Path.of(params.getKeyStorePath()))) {
                store.load(in, password);
            }
        } else {
            store = emptyStore();
            PrivateKey key = identity.getTlsPrivateKey();
            store.setKeyEntry("client", key, password, identity.getTlsCertificates());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, password);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    /**
     * Does not look at the host's name; without a delegate at nothing. The HTTP client asks for that check through the
     * engine, which is why this drops the engine.
     */
    private static final class Lenient extends X509ExtendedTrustManager {

        private final X509ExtendedTrustManager delegate;

        private Lenient(X509ExtendedTrustManager delegate) {
            this.delegate = delegate;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            if (delegate != null) {
                delegate.checkServerTrusted(chain, type);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("this is no server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return delegate == null ? new X509Certificate[0] : delegate.getAcceptedIssuers();
        }
    }
}
