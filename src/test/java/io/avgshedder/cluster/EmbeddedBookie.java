package io.avgshedder.cluster;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.meta.MetadataDrivers;
import org.apache.pulsar.metadata.bookkeeper.BKCluster;
import org.apache.pulsar.metadata.bookkeeper.PulsarMetadataBookieDriver;
import org.apache.pulsar.metadata.bookkeeper.PulsarMetadataClientDriver;

/** One bookie in this process, bound to the loopback interface, with caches small enough for a test. */
final class EmbeddedBookie implements AutoCloseable {

    private static final String SCHEME = "metadata-store";

    private final BKCluster bookie;

    EmbeddedBookie(String metadataUrl, Path directory) throws Exception {
        // BKCluster names them in a system property, which comes too late where a cluster without a bookie ran before
        MetadataDrivers.registerBookieDriver(SCHEME, PulsarMetadataBookieDriver.class, true);
        MetadataDrivers.registerClientDriver(SCHEME, PulsarMetadataClientDriver.class, true);
        ServerConfiguration conf = new ServerConfiguration();
        conf.setLedgerStorageClass(DbLedgerStorage.class.getName());
        conf.setProperty("dbStorage_writeCacheMaxSizeMb", 16);
        conf.setProperty("dbStorage_readAheadCacheMaxSizeMb", 4);
        conf.setProperty("dbStorage_rocksDB_writeBufferSizeMB", 4);
        conf.setProperty("dbStorage_rocksDB_blockCacheSize", 4 << 20);
        conf.setProperty("journalPreAllocSizeMB", 1);
        conf.setProperty("journalMaxGroupWaitMSec", 1L);
        conf.setJournalSyncData(false);
        conf.setFlushInterval(60_000);
        conf.setGcWaitTime(60_000);
        // a build machine with a nearly full disk must not turn the only bookie read-only
        conf.setDiskUsageThreshold(0.999f);
        conf.setDiskUsageWarnThreshold(0.99f);
        conf.setAllowLoopback(true);
        conf.setListeningInterface(loopbackInterface());
        conf.setAdvertisedAddress("127.0.0.1");
        bookie = BKCluster.builder()
                .baseServerConfiguration(conf)
                .metadataServiceUri(metadataUrl)
                .numBookies(1)
                .dataDir(directory.toString())
                .bkPort(0)
                .clearOldData(true)
                .build();
    }

    private static String loopbackInterface() throws SocketException {
        return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getName();
    }

    @Override
    public void close() throws Exception {
        bookie.close();
    }
}
