package io.avgshedder.cluster;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.avgshedder.AvgShedder;
import io.avgshedder.core.Round;
import io.avgshedder.pulsar.PluginClock;
import io.avgshedder.pulsar.SettingSample;
import io.avgshedder.pulsar.SettingsProbe;
import io.avgshedder.pulsar.TimeSource;
import io.avgshedder.telemetry.RoundListeners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.pulsar.PulsarVersion;
import org.apache.pulsar.client.admin.PulsarAdminException;
import org.apache.pulsar.client.admin.PulsarAdminException.PreconditionFailedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every setting can be changed while the broker runs: those that this version of the broker declares through the admin
 * API, the others through the settings file. What was found is left in {@code target/matrix} for the README.
 */
class DynamicConfigurationIT {

    private static final Set<String> DECLARED_BY_ALL = Set.of(
            "loadBalancerCPUResourceWeight",
            "loadBalancerBandwithInResourceWeight",
            "loadBalancerBandwithOutResourceWeight",
            "loadBalancerSheddingIntervalMinutes",
            "loadBalancerSheddingGracePeriodMinutes",
            "loadBalancerHostUsageCheckIntervalMinutes",
            "loadBalancerReportUpdateMaxIntervalMinutes",
            "loadBalancerReportUpdateThresholdPercentage",
            "loadBalancerBrokerOverloadedThresholdPercentage",
            "loadBalancerBrokerMaxTopics");
    private static final Set<String> DECLARED_WITH_A_BUILT_IN_STRATEGY_OF_THE_SAME_NAME = Set.of(
            "loadBalancerAvgShedderLowThreshold",
            "loadBalancerAvgShedderHighThreshold",
            "loadBalancerAvgShedderHitCountLowThreshold",
            "loadBalancerAvgShedderHitCountHighThreshold");
    private static final Set<String> DECLARED_SINCE_4_0 = Set.of(
            "loadBalancerBandwidthInResourceWeight",
            "loadBalancerBandwidthOutResourceWeight");

    private static final String CPU_WEIGHT = "loadBalancerCPUResourceWeight";
    private static final String DRY_RUN = "loadBalancerAvgShedderDryRun";
    private static final String WRONG = "not a value";
    private static final int PRECONDITION_FAILED = 412;
    private static final long MINUTE = 60_000;

    private static final SteppedTime time = new SteppedTime();
    private static TimeSource clockBefore;
    private static Path settingsFile;
    private static EmbeddedCluster cluster;

    private final List<Round> rounds = new CopyOnWriteArrayList<>();
    private final Map<String, String> before = new HashMap<>();
    private RoundListeners.Subscription listening;
    private LogEvents log;
    private SettingsProbe plugin;

    @BeforeAll
    static void startCluster(@TempDir Path directory) throws Exception {
        clockBefore = PluginClock.use(time);
        settingsFile = Files.createFile(directory.resolve("settings.properties"));
        Map<String, String> lines = new HashMap<>(EmbeddedCluster.strategy(AvgShedder.class));
        lines.put(SettingsProbe.SETTINGS_FILE, settingsFile.toString());
        // taken out: a weight that is not 1 under the one spelling hides the other
        SettingSample.all().stream().map(SettingSample::key).filter(DynamicConfigurationIT::isWeight)
                .forEach(key -> lines.put(key, ""));
        // two, because the load manager has no rounds with one
        cluster = EmbeddedCluster.startWithoutBookie(2, lines);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        PluginClock.use(clockBefore);
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void listen() {
        listening = RoundListeners.subscribe(rounds::add);
        log = new LogEvents(AvgShedder.class.getName());
        plugin = new SettingsProbe(cluster.leader().service().getConfiguration());
        plugin.read();
        assertThat(plugin.takeComplaints()).isEmpty();
    }

    @AfterEach
    void putEverythingBack() throws Exception {
        log.close();
        listening.close();
        write("");
        for (Map.Entry<String, String> changed : before.entrySet()) {
            change(changed.getKey(), changed.getValue());
            awaitText(changed.getKey(), changed.getValue());
        }
    }

    @Test
    void everySettingIsChangedThroughTheBrokerOrThroughTheSettingsFile() throws Exception {
        Map<SettingSample, Boolean> accepted = new LinkedHashMap<>();
        for (SettingSample sample : SettingSample.all()) {
            accepted.put(sample, isChangedByTheBroker(sample));
        }
        assertThatThrownBy(() -> change(SettingsProbe.SETTINGS_FILE, settingsFile.toString()))
                .isInstanceOf(PreconditionFailedException.class);
        record(accepted);

        Set<String> byTheBroker = accepted.entrySet().stream().filter(Map.Entry::getValue)
                .map(entry -> entry.getKey().key()).collect(toSet());
        assertThat(byTheBroker).isEqualTo(expected(PulsarVersion.getVersion()));
        assertThat(cluster.admin().brokers().getDynamicConfigurationNames()).containsAll(byTheBroker);
        for (SettingSample sample : accepted.keySet()) {
            assertThat(accepted.get(sample)).as("%s is accepted exactly where the broker declares it", sample.key())
                    .isEqualTo(sample.isDeclaredByTheBroker());
            if (!accepted.get(sample)) {
                assertIsChangedByTheSettingsFile(sample);
            }
        }
    }

    @Test
    void theBrokerTakesAValueOutOfRangeAndThePluginKeepsTheLastGoodOne() throws Exception {
        change(CPU_WEIGHT, "0.5");
        awaitText(CPU_WEIGHT, "0.5");

        change(CPU_WEIGHT, "-1");

        EmbeddedCluster.awaitUntil("the broker has the wrong value", () ->
                cluster.leader().service().getConfiguration().getLoadBalancerCPUResourceWeight() == -1);
        plugin.read();
        assertThat(plugin.takeComplaints()).singleElement().asString()
                .contains(CPU_WEIGHT, "\"-1.0\"", "a number from 0 to 100", "0.5, the last good value, is used instead");
        assertThat(plugin.text(CPU_WEIGHT)).isEqualTo("0.5");
    }

    @Test
    void theNextRoundHasWhatTheBrokerWasTold() throws Exception {
        String nothingCounts = "Every weight is 0";
        round();
        assertThat(log.messages(Level.ERROR, nothingCounts)).isEmpty();

        for (SettingSample sample : SettingSample.all()) {
            if (isWeight(sample.key()) && sample.isDeclaredByTheBroker()) {
                change(sample.key(), "0");
                awaitText(sample.key(), "0");
            }
        }

        round();
        assertThat(log.messages(Level.ERROR, nothingCounts)).hasSize(1);
    }

    @Test
    void theNextRoundHasWhatTheSettingsFileSays() throws Exception {
        assertThat(round().dryRun()).isFalse();

        write(DRY_RUN + "=true");
        assertThat(round().dryRun()).isTrue();

        write(DRY_RUN + "=perhaps");
        assertThat(round().dryRun()).as("the last good value").isTrue();
        assertThat(round().dryRun()).isTrue();
        assertThat(log.messages(Level.ERROR, DRY_RUN)).as("told once").singleElement().asString()
                .contains("\"perhaps\"", settingsFile.toString(), "true, the last good value, is used instead");

        write("");
        assertThat(round().dryRun()).isFalse();
    }

    /** The keys of which this version should accept a change, as they were found in its class of settings. */
    private static Set<String> expected(String version) {
        boolean is4 = version.startsWith("4.");
        boolean hasBuiltIn = is4 || Set.of("3.0.7", "3.3.5").contains(version);
        return Stream.of(DECLARED_BY_ALL, hasBuiltIn ? DECLARED_WITH_A_BUILT_IN_STRATEGY_OF_THE_SAME_NAME
                : Set.<String>of(), is4 ? DECLARED_SINCE_4_0 : Set.<String>of()).flatMap(Set::stream).collect(toSet());
    }

    /** Whether the broker takes the change; one that it takes must reach the settings, and is taken back again. */
    private boolean isChangedByTheBroker(SettingSample sample) throws PulsarAdminException {
        assertThat(sample.in(plugin.read())).as("%s before", sample).isNotEqualTo(sample.expected());
        try {
            change(sample.key(), sample.text());
        } catch (PreconditionFailedException refused) {
            assertThat(refused.getStatusCode()).isEqualTo(PRECONDITION_FAILED);
            return false;
        }
        EmbeddedCluster.awaitUntil(sample + " is in effect",
                () -> sample.in(plugin.read()).equals(sample.expected()));
        assertThat(plugin.takeComplaints()).as("complaints about %s", sample).isEmpty();
        change(sample.key(), before.get(sample.key()));
        awaitText(sample.key(), before.get(sample.key()));
        return true;
    }

    private void assertIsChangedByTheSettingsFile(SettingSample sample) throws IOException {
        write(sample.toString());
        assertThat(sample.in(plugin.read())).as("%s in the settings file", sample).isEqualTo(sample.expected());
        assertThat(plugin.takeComplaints()).as("complaints about %s", sample).isEmpty();

        write(sample.key() + "=" + WRONG);
        assertThat(sample.in(plugin.read())).as("the last good value of %s", sample.key()).isEqualTo(sample.expected());
        assertThat(plugin.takeComplaints()).singleElement().asString().startsWith(sample.key())
                .contains("\"" + WRONG + "\"", settingsFile.toString(), "the last good value");

        write("");
        assertThat(sample.in(plugin.read())).as("%s without the line", sample.key()).isNotEqualTo(sample.expected());
    }

    private void change(String key, String text) throws PulsarAdminException {
        before.putIfAbsent(key, plugin.text(key));
        try {
            cluster.admin().brokers().updateDynamicConfiguration(key, text);
        } catch (PulsarAdminException refused) {
            before.remove(key);
            throw refused;
        }
    }

    private void awaitText(String key, String text) {
        EmbeddedCluster.awaitUntil(key + " is " + text, () -> plugin.text(key).equals(text));
    }

    private Round round() {
        time.advance(MINUTE);
        cluster.round();
        return rounds.get(rounds.size() - 1);
    }

    /** Puts another file in place, and lets pass the time after which the plugin looks. */
    private static void write(String text) throws IOException {
        Path next = Files.writeString(settingsFile.resolveSibling("next.properties"), text);
        Files.move(next, settingsFile, StandardCopyOption.ATOMIC_MOVE);
        time.advance(MINUTE);
    }

    private static boolean isWeight(String key) {
        return key.endsWith("ResourceWeight");
    }

    /** What the matrix makes its table of. */
    private static void record(Map<SettingSample, Boolean> accepted) throws IOException {
        Map<String, String> lines = new TreeMap<>();
        accepted.forEach((sample, byTheBroker) -> lines.put(sample.key(), byTheBroker ? "yes" : "settings file"));
        lines.put(SettingsProbe.SETTINGS_FILE, "at the start only");
        Path file = Path.of(System.getProperty("basedir", ""), "target", "matrix",
                "dynamic-" + PulsarVersion.getVersion() + ".properties");
        Files.createDirectories(file.getParent());
        Files.write(file, lines.entrySet().stream().map(line -> line.getKey() + "=" + line.getValue()).toList());
    }
}
