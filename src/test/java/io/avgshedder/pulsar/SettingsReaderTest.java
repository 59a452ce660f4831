package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.avgshedder.core.Metric;
import io.avgshedder.core.PlacementMode;
import io.avgshedder.core.Settings;
import io.avgshedder.pulsar.EffectiveSetting.Origin;
import io.avgshedder.pulsar.Problem.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

    private static final String OLDER_BROKER = "3.0.0";
    private static final String MEMORY_WEIGHT = "loadBalancerAvgShedderMemoryWeight";
    private static final String LOW = "loadBalancerAvgShedderLowThreshold";
    private static final String HIGH = "loadBalancerAvgShedderHighThreshold";

    private long now = 1_000_000;
    private final SettingsReader reader = new SettingsReader(() -> now, OLDER_BROKER);

    @Test
    void whereNothingIsWrittenEverySettingHasItsDefault() {
        Settings settings = reader.read(BrokerConf.of()).settings();

        assertThat(settings.weight(Metric.CPU)).isEqualTo(1);
        assertThat(settings.weight(Metric.BANDWIDTH_IN)).isEqualTo(1);
        assertThat(settings.weight(Metric.BANDWIDTH_OUT)).isEqualTo(1);
        assertThat(settings.weight(Metric.MEMORY)).isZero();
        assertThat(settings.weight(Metric.DIRECT_MEMORY)).isZero();
        assertThat(settings.msgRateCapacity()).isZero();
        assertThat(settings.msgThroughputCapacity()).isZero();
        assertThat(settings.lowThreshold()).isEqualTo(15);
        assertThat(settings.highThreshold()).isEqualTo(40);
        assertThat(settings.hitCountLow()).isEqualTo(8);
        assertThat(settings.hitCountHigh()).isEqualTo(2);
        assertThat(settings.overloadThreshold()).isEqualTo(85);
        assertThat(settings.gracePeriodMillis()).isEqualTo(1_800_000);
        assertThat(settings.sheddingIntervalMillis()).isEqualTo(60_000);
        assertThat(settings.hostUsageIntervalMillis()).isEqualTo(60_000);
        assertThat(settings.longestReportIntervalMillis()).isEqualTo(900_000);
        assertThat(settings.maxTopicsPerBroker()).isEqualTo(50_000);
        assertThat(settings.maxUnloadsPerRound()).isEqualTo(200);
        assertThat(settings.quietPeriod()).isTrue();
        assertThat(settings.placement()).isEqualTo(PlacementMode.PREDICTED);
        assertThat(settings.excludedNamespaces()).isEmpty();
    }

    @Test
    void aBrokerThatIsSetUpAsDocumentedHearsOfNoProblem() {
        assertThat(new SettingsReader().read(BrokerConf.installed()).problems()).isEmpty();
    }

    @Test
    void everyDefaultMayBeWrittenAsItIsShown() {
        ServiceConfiguration conf = BrokerConf.installed();
        reader.effective(conf).forEach(setting -> conf.getProperties().setProperty(setting.key(), setting.value()));

        SettingsReader another = new SettingsReader(() -> now, OLDER_BROKER);
        assertThat(another.read(conf).problems()).isEmpty();
        assertThat(another.read(conf).settings()).usingRecursiveComparison().isEqualTo(Settings.defaults());
    }

    @Test
    void whileNothingChangesTheSameReadingIsGivenAgain() {
        ServiceConfiguration conf = BrokerConf.installed();
        Reading first = reader.read(conf);

        now += 3_600_000;

        assertThat(reader.read(conf)).isSameAs(first);
    }

    @Test
    void aWrongValueIsToldWithItsKeyItsRangeAndWhatIsUsedInstead() {
        Reading reading = reader.read(BrokerConf.installed(MEMORY_WEIGHT + "=abc"));

        assertThat(reading.problems()).containsExactly(new Problem(Level.ERROR, MEMORY_WEIGHT + " is \"abc\" in "
                + "broker.conf, but must be a number from 0 to 100; the default, 0, is used instead"));
        assertThat(reading.settings().weight(Metric.MEMORY)).isZero();
    }

    @Test
    void aWrongValueLeavesTheLastGoodOneInUse() {
        ServiceConfiguration conf = BrokerConf.installed(MEMORY_WEIGHT + "=0.5");
        reader.read(conf);

        conf.getProperties().setProperty(MEMORY_WEIGHT, "101");
        Reading reading = reader.read(conf);

        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(0.5);
        assertThat(reading.problems()).containsExactly(new Problem(Level.ERROR, MEMORY_WEIGHT + " is \"101\" in "
                + "broker.conf, but must be a number from 0 to 100; 0.5, the last good value, is used instead"));
    }

    @Test
    void aProblemIsToldOnceAndAgainOnlyWhenItIsAnotherOrHasComeBack() {
        ServiceConfiguration conf = BrokerConf.installed(MEMORY_WEIGHT + "=abc");
        assertThat(reader.read(conf).problems()).hasSize(1);
        assertThat(reader.read(conf).problems()).isEmpty();

        conf.setLoadBalancerSheddingGracePeriodMinutes(31);
        assertThat(reader.read(conf).problems()).as("after a change elsewhere").isEmpty();

        conf.getProperties().setProperty(MEMORY_WEIGHT, "abd");
        assertThat(messages(reader.read(conf))).singleElement().asString().contains("\"abd\"");

        conf.getProperties().setProperty(MEMORY_WEIGHT, "1");
        assertThat(reader.read(conf).problems()).isEmpty();

        conf.getProperties().setProperty(MEMORY_WEIGHT, "abd");
        assertThat(messages(reader.read(conf))).singleElement().asString().contains("\"abd\"");
    }

    @Test
    void askingForTheEffectiveSettingsDoesNotSwallowAProblem() {
        ServiceConfiguration conf = BrokerConf.installed(MEMORY_WEIGHT + "=abc");

        reader.effective(conf);

        assertThat(reader.read(conf).problems()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
            "MemoryWeight, -0.1", "MemoryWeight, 100.1", "MemoryWeight, NaN", "MemoryWeight, Infinity",
            "MemoryWeight, 1d", "MemoryWeight, 0x1p3", "MemoryWeight, '0,5'", "MemoryWeight, 1e999999999999",
            "DirectMemoryWeight, x", "MsgRateWeight, -1", "MsgThroughputWeight, 1e3",
            "MsgRateCapacity, 0", "MsgRateCapacity, -5", "MsgRateCapacity, 1e400", "MsgThroughputCapacity, 10MB",
            "MaxUnloadsPerRound, 0", "MaxUnloadsPerRound, 1000001", "MaxUnloadsPerRound, 2.5",
            "QuietPeriod, yes", "QuietPeriod, 1", "Placement, leastLoaded"})
    void aValueOutOfItsRangeHasNoEffect(String key, String wrong) {
        Reading reading = reader.read(BrokerConf.installed("loadBalancerAvgShedder" + key + "=" + wrong));

        assertThat(messages(reading)).singleElement().asString()
                .startsWith("loadBalancerAvgShedder" + key + " is \"" + wrong + "\" in broker.conf, but must be ");
        assertThat(reading.settings()).usingRecursiveComparison().isEqualTo(Settings.defaults());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "100, 100", "' 0.5 ', 0.5", "1e-3, 0.001", "+2, 2"})
    void theEndsOfARangeBelongToIt(String written, double expected) {
        Reading reading = reader.read(BrokerConf.installed(MEMORY_WEIGHT + "=" + written));

        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(expected);
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void aKeyWithoutAValueCountsAsNotWritten() {
        ServiceConfiguration conf = BrokerConf.installed("loadBalancerAvgShedderMsgRateCapacity=",
                "loadBalancerAvgShedderSettingsFile=  ", LOW + "=");

        assertThat(reader.read(conf).problems()).isEmpty();
        assertThat(effective(conf, "loadBalancerAvgShedderMsgRateCapacity"))
                .isEqualTo(new EffectiveSetting("loadBalancerAvgShedderMsgRateCapacity", "off", Origin.DEFAULT));
    }

    @Test
    void wordsAreReadInUpperAndLowerCaseAlike() {
        Settings settings = reader.read(BrokerConf.installed("loadBalancerAvgShedderPlacement=Random",
                "loadBalancerAvgShedderQuietPeriod=FALSE")).settings();

        assertThat(settings.placement()).isEqualTo(PlacementMode.RANDOM);
        assertThat(settings.quietPeriod()).isFalse();
    }

    @Test
    void aThresholdOfTextStopsABrokerThatDeclaresItAndLeavesTheDefaultOnOthers() {
        if (BrokerConf.declares(LOW)) {
            assertThatThrownBy(() -> BrokerConf.installed(LOW + "=abc"))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(LOW);
        } else {
            Reading reading = reader.read(BrokerConf.installed(LOW + "=abc"));

            assertThat(messages(reading)).containsExactly(LOW + " is \"abc\" in broker.conf, but must be a whole "
                    + "number from 1 to 1000; the default, 15, is used instead");
            assertThat(reading.settings().lowThreshold()).isEqualTo(15);
        }
    }

    @Test
    void textThatTheBrokerDidNotReadItselfIsToldBesideTheValueItHas() {
        ServiceConfiguration conf = BrokerConf.installed();
        conf.setLoadBalancerSheddingGracePeriodMinutes(20);
        conf.getProperties().setProperty("loadBalancerSheddingGracePeriodMinutes", "half an hour");

        Reading reading = reader.read(conf);

        assertThat(messages(reading)).containsExactly("loadBalancerSheddingGracePeriodMinutes is \"half an hour\" in "
                + "broker.conf, but must be a whole number from 0 to 525600; 20 from the broker's configuration is "
                + "used instead");
        assertThat(reading.settings().gracePeriodMillis()).isEqualTo(1_200_000);
    }

    @Test
    void aBrokersOwnValueOutOfOurRangeIsTold() {
        ServiceConfiguration conf = BrokerConf.installed();
        conf.setLoadBalancerCPUResourceWeight(Double.NaN);
        conf.setLoadBalancerSheddingIntervalMinutes(0);

        Reading reading = reader.read(conf);

        assertThat(messages(reading)).containsExactly(
                "loadBalancerCPUResourceWeight is \"NaN\" in the broker's configuration, but must be a number from 0 "
                        + "to 100; the default, 1, is used instead",
                "loadBalancerSheddingIntervalMinutes is \"0\" in the broker's configuration, but must be a whole "
                        + "number from 1 to 525600; the default, 1, is used instead");
        assertThat(reading.settings()).usingRecursiveComparison().isEqualTo(Settings.defaults());
    }

    @Test
    void aWrongValueFromDynamicConfigurationLeavesTheOneOfBrokerConfInUse() {
        ServiceConfiguration conf = BrokerConf.installed("loadBalancerBrokerOverloadedThresholdPercentage=70");
        conf.setLoadBalancerBrokerOverloadedThresholdPercentage(-1);

        Reading reading = reader.read(conf);

        assertThat(reading.settings().overloadThreshold()).isEqualTo(70);
        assertThat(messages(reading)).containsExactly("loadBalancerBrokerOverloadedThresholdPercentage is \"-1\" in "
                + "the broker's configuration, but must be a whole number from 0 to 10000; 70 from broker.conf is used "
                + "instead");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-3.0", "-3", "NaN"})
    void aWrongValueThatTheBrokerHasReadIsToldOnce(String wrong) {
        Reading reading = reader.read(BrokerConf.installed("loadBalancerCPUResourceWeight=" + wrong));

        assertThat(messages(reading)).singleElement().asString().startsWith("loadBalancerCPUResourceWeight is ");
    }

    @Test
    void aLowThresholdAboveTheHighOneLeavesTheDefaultsOfBoth() {
        Reading reading = reader.read(BrokerConf.installed(LOW + "=50", HIGH + "=45"));

        assertThat(messages(reading)).containsExactly(LOW + " is 50, but must not be above " + HIGH
                + ", which is 45; 15 and 40, the defaults, are used instead");
        assertThat(reading.settings().lowThreshold()).isEqualTo(15);
        assertThat(reading.settings().highThreshold()).isEqualTo(40);
    }

    @Test
    void aLowThresholdAboveTheHighOneLeavesTheLastGoodPair() {
        ServiceConfiguration conf = BrokerConf.installed(LOW + "=20", HIGH + "=30");
        reader.read(conf);

        change(conf, LOW, 31);
        Reading reading = reader.read(conf);

        assertThat(messages(reading)).containsExactly(LOW + " is 31, but must not be above " + HIGH
                + ", which is 30; 20 and 30, the last good values, are used instead");
        assertThat(reading.settings().lowThreshold()).isEqualTo(20);
        assertThat(reading.settings().highThreshold()).isEqualTo(30);
        assertThat(reader.read(conf).problems()).isEmpty();

        change(conf, HIGH, 60);
        assertThat(reader.read(conf).settings().lowThreshold()).isEqualTo(31);
    }

    @Test
    void equalThresholdsAreAllowed() {
        Reading reading = reader.read(BrokerConf.installed(LOW + "=30", HIGH + "=30"));

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.settings().lowThreshold()).isEqualTo(30);
    }

    @Test
    void theNewSpellingOfABandwidthWeightBeatsTheOldOneUnlessItIsOne() {
        assertThat(bandwidthInWeight("loadBalancerBandwidthInResourceWeight=0.2",
                "loadBalancerBandwithInResourceWeight=0.7")).isEqualTo(0.2);
        assertThat(bandwidthInWeight("loadBalancerBandwidthInResourceWeight=1.0",
                "loadBalancerBandwithInResourceWeight=0.7")).isEqualTo(0.7);
    }

    @Test
    void aWrongWeightUnderTheOldSpellingIsToldUnderThatKeyOnly() {
        Reading reading = reader.read(BrokerConf.installed("loadBalancerBandwithInResourceWeight=-1"));

        assertThat(messages(reading)).singleElement().asString()
                .startsWith("loadBalancerBandwithInResourceWeight is \"-1.0\"");
        assertThat(reading.settings().weight(Metric.BANDWIDTH_IN)).isEqualTo(1);
    }

    private double bandwidthInWeight(String... lines) {
        return reader.read(BrokerConf.installed(lines)).settings().weight(Metric.BANDWIDTH_IN);
    }

    @ParameterizedTest
    @CsvSource({
            "loadBalancerAvgShedderPlacment, loadBalancerAvgShedderPlacement",
            "loadBalancerAvgShedderHitCountLow, loadBalancerAvgShedderHitCountLowThreshold",
            "loadBalancerAvgSheddderMaxUnloads, loadBalancerAvgShedderMaxUnloads",
            "loadBalancerAvgSheddingQuietPeriod, loadBalancerAvgShedderQuietPeriod",
            "loadBalncerAvgShederDryRun, loadBalancerAvgShedderDryRun",
            "avgShedderDryRun, loadBalancerAvgShedderDryRun",
            "LoadBalancerAvgShedderQuietperiod, loadBalancerAvgShedderQuietPeriod",
            "loadBalancerAvgShedderMsgRateCapacityPerSecond, loadBalancerAvgShedderMsgRateCapacity"})
    void anUnknownKeyIsToldWithTheNearestKnownOne(String unknown, String nearest) {
        Reading reading = reader.read(BrokerConf.installed(unknown + "=1"));

        assertThat(reading.problems()).containsExactly(new Problem(Level.WARN, unknown + " in broker.conf is not a "
                + "setting of this plugin and is ignored; the nearest one is " + nearest));
    }

    @Test
    void aKeyOfSomebodyElseIsNoneOfOurs() {
        assertThat(reader.read(BrokerConf.installed("loadBalancerOfMine=1", "loadBalancerSheddingOfMine=2")).problems()).isEmpty();
    }

    @Test
    void onlyTheSheddingKeyNamesThePlugin() {
        ServiceConfiguration conf = BrokerConf.installed();
        conf.setLoadBalancerLoadPlacementStrategy("org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate");

        assertThat(reader.read(conf).problems()).containsExactly(new Problem(Level.ERROR,
                "loadBalancerLoadPlacementStrategy is org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate"
                        + ": bundles are not placed where this plugin decides. Write into broker.conf: "
                        + "loadBalancerLoadPlacementStrategy=io.avgshedder.AvgShedder"));
        assertThat(reader.read(conf).problems()).isEmpty();
    }

    @Test
    void onlyThePlacementKeyNamesThePlugin() {
        ServiceConfiguration conf = BrokerConf.installed();
        conf.setLoadBalancerLoadSheddingStrategy("org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder");

        assertThat(messages(reader.read(conf))).containsExactly("loadBalancerLoadSheddingStrategy is "
                + "org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder: this plugin moves nothing. Write into "
                + "broker.conf: loadBalancerLoadSheddingStrategy=io.avgshedder.AvgShedder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.0.6", "3.0.7"})
    void theTwoVersionsThatNeedAThirdKeyAreToldOfIt(String version) {
        ServiceConfiguration conf = BrokerConf.installed();
        conf.setLoadBalancerPlacementStrategy("leastLoadedServer");

        assertThat(messages(new SettingsReader(() -> now, version).read(conf))).containsExactly(
                "loadBalancerPlacementStrategy is leastLoadedServer: Pulsar " + version + " takes another load manager "
                        + "without it once loadBalancerLoadPlacementStrategy names this plugin. Write into broker.conf: "
                        + "loadBalancerPlacementStrategy=io.avgshedder.AvgShedder");
        assertThat(new SettingsReader(() -> now, "4.0.8").read(conf).problems()).isEmpty();
    }

    @Test
    void switchesThatLeaveThePluginWithoutWorkAreTold() {
        ServiceConfiguration conf = BrokerConf.installed();
        conf.setLoadBalancerEnabled(false);
        conf.setLoadBalancerSheddingEnabled(false);
        conf.setLoadBalancerDistributeBundlesEvenlyEnabled(true);

        assertThat(reader.read(conf).problems()).containsExactly(
                new Problem(Level.ERROR, "loadBalancerEnabled is false: there is no load balancing on this broker. "
                        + "Write into broker.conf: loadBalancerEnabled=true"),
                new Problem(Level.ERROR, "loadBalancerSheddingEnabled is false: the load manager never asks this plugin "
                        + "what to move. Write into broker.conf: loadBalancerSheddingEnabled=true"),
                new Problem(Level.WARN, "loadBalancerDistributeBundlesEvenlyEnabled is true: the load manager offers "
                        + "only the brokers with the fewest bundles of a namespace, which often leaves the planned one "
                        + "out. Write into broker.conf: loadBalancerDistributeBundlesEvenlyEnabled=false"));
    }

    @Test
    void limitsOfTheBuiltInStrategiesThatAreNotUsedAreTold() {
        ServiceConfiguration conf = BrokerConf.installed("maxUnloadPercentage=0.5", "minUnloadMessage=10",
                "minUnloadMessageThroughput=1048576", "maxUnloadBundleNumPerShedding=10", "loadBalancerMemoryResourceWeight=0.5",
                "loadBalancerDirectMemoryResourceWeight=1.0");

        assertThat(reader.read(conf).problems()).extracting(Problem::level).containsOnly(Level.WARN);
        assertThat(messages(new SettingsReader(() -> now, OLDER_BROKER).read(conf))).containsExactly(
                "maxUnloadPercentage is 0.5, which is not used: both brokers of a pair end level. To move less per "
                        + "round, write into broker.conf: loadBalancerAvgShedderMaxUnloadsPerRound=<bundles>",
                "minUnloadMessage is 10, which is not used: both brokers of a pair end level. To move less per round, "
                        + "write into broker.conf: loadBalancerAvgShedderMaxUnloadsPerRound=<bundles>",
                "maxUnloadBundleNumPerShedding is 10, which is not used: loadBalancerAvgShedderMaxUnloadsPerRound is. To "
                        + "keep this limit, write into broker.conf: loadBalancerAvgShedderMaxUnloadsPerRound=10",
                "loadBalancerMemoryResourceWeight is 0.5, which is not used: loadBalancerAvgShedderMemoryWeight is, "
                        + "because brokers have different defaults. To weight it, write into broker.conf: "
                        + "loadBalancerAvgShedderMemoryWeight=0.5");
    }

    @Test
    void noCapOfAnotherStrategyIsNothingToTell() {
        assertThat(reader.read(BrokerConf.installed("maxUnloadBundleNumPerShedding=-1")).problems()).isEmpty();
    }

    @Test
    void settingsWithoutAnyMetricAreTold() {
        String[] noWeights = {"loadBalancerCPUResourceWeight=0", "loadBalancerBandwithInResourceWeight=0",
                "loadBalancerBandwithOutResourceWeight=0"};
        assertThat(messages(reader.read(BrokerConf.installed(noWeights)))).containsExactly("Every weight is 0: no "
                + "broker has a score and nothing is ever moved. Write into broker.conf: "
                + "loadBalancerCPUResourceWeight=1.0");

        ServiceConfiguration byCapacity = BrokerConf.installed(noWeights);
        byCapacity.getProperties().setProperty("loadBalancerAvgShedderMsgRateCapacity", "20000");
        assertThat(reader.read(byCapacity).problems()).isEmpty();
    }

    @Test
    void theSettingsFileBeatsBrokerConfForKeysThatTheBrokerDoesNotDeclare(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, MEMORY_WEIGHT + " = 0.25\n# a comment\nloadBalancerAvgShedderPlacement: random\n");
        ServiceConfiguration conf = BrokerConf.installed(settingsFile(file), MEMORY_WEIGHT + "=0.5");

        Reading reading = reader.read(conf);

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(0.25);
        assertThat(reading.settings().placement()).isEqualTo(PlacementMode.RANDOM);
        assertThat(effective(conf, MEMORY_WEIGHT)).isEqualTo(new EffectiveSetting(MEMORY_WEIGHT, "0.25", Origin.FILE));
        assertThat(effective(conf, "loadBalancerAvgShedderSettingsFile")).isEqualTo(new EffectiveSetting(
                "loadBalancerAvgShedderSettingsFile", file.toString(), Origin.PROPERTIES));
    }

    @Test
    void theSettingsFileIsLookedAtEveryFiveSeconds(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, MEMORY_WEIGHT + "=0.25\n");
        ServiceConfiguration conf = BrokerConf.installed(settingsFile(file));
        assertThat(reader.read(conf).settings().weight(Metric.MEMORY)).isEqualTo(0.25);

        Files.writeString(file, MEMORY_WEIGHT + "=0.125\n");
        now += 4_999;
        assertThat(reader.read(conf).settings().weight(Metric.MEMORY)).isEqualTo(0.25);
        now += 1;
        assertThat(reader.read(conf).settings().weight(Metric.MEMORY)).isEqualTo(0.125);

        Files.writeString(file, "");
        now -= 100_000;
        assertThat(reader.read(conf).settings().weight(Metric.MEMORY)).as("the clock was set back").isZero();
    }

    @Test
    void aNewModificationTimeAloneMakesTheFileReadAgain(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, MEMORY_WEIGHT + "=0.25\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));
        ServiceConfiguration conf = BrokerConf.installed(settingsFile(file));
        reader.read(conf);

        Files.writeString(file, MEMORY_WEIGHT + "=0.75\n");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_001_000L));
        now += 5_000;

        assertThat(reader.read(conf).settings().weight(Metric.MEMORY)).isEqualTo(0.75);
    }

    @Test
    void aWrongValueInTheSettingsFileIsToldWithTheFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, MEMORY_WEIGHT + "=much\nplacement=random\nloadBalancerAvgShedderSettingsFile=other\n");
        ServiceConfiguration conf = BrokerConf.installed(settingsFile(file), MEMORY_WEIGHT + "=0.5");

        Reading reading = reader.read(conf);

        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(0.5);
        assertThat(reading.problems()).containsExactly(
                new Problem(Level.ERROR, MEMORY_WEIGHT + " is \"much\" in " + file + ", but must be a number from 0 to "
                        + "100; 0.5 from broker.conf is used instead"),
                new Problem(Level.WARN, "loadBalancerAvgShedderSettingsFile has no effect in " + file + " itself; it "
                        + "belongs into broker.conf"),
                new Problem(Level.WARN, "placement in " + file + " is not a setting of this plugin and is ignored; the "
                        + "nearest one is loadBalancerAvgShedderPlacement"));

        conf.setLoadBalancerSheddingGracePeriodMinutes(31);
        assertThat(reader.read(conf).problems()).as("after a change elsewhere").isEmpty();
    }

    @Test
    void aLineOfTheSettingsFileThatTheBrokersOwnValueHidesIsTold(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, "loadBalancerCPUResourceWeight=0.5\nloadBalancerBrokerMaxTopics=50000\n");

        Reading reading = reader.read(BrokerConf.installed(settingsFile(file)));

        assertThat(reading.settings().weight(Metric.CPU)).isEqualTo(1);
        assertThat(reading.problems()).containsExactly(new Problem(Level.WARN, "loadBalancerCPUResourceWeight=0.5 in "
                + file + " has no effect: this broker declares the key itself and has 1. Change it by: pulsar-admin "
                + "brokers update-dynamic-config --config loadBalancerCPUResourceWeight --value 0.5"));
    }

    @Test
    void aSettingsFileThatIsNotThereIsTold(@TempDir Path directory) {
        Path file = directory.resolve("missing.properties");

        assertThat(messages(reader.read(BrokerConf.installed(settingsFile(file))))).containsExactly(
                "loadBalancerAvgShedderSettingsFile is " + file + ", which does not exist; nothing is read from it");
        assertThat(messages(reader.read(BrokerConf.installed(settingsFile(directory))))).containsExactly(
                "loadBalancerAvgShedderSettingsFile is " + directory + ", which is not a file; nothing is read from it");
    }

    @Test
    void aSettingsFileThatCannotBeReadAnyMoreKeepsWhatItSaid(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, MEMORY_WEIGHT + "=0.25\n");
        ServiceConfiguration conf = BrokerConf.installed(settingsFile(file));
        reader.read(conf);

        Files.delete(file);
        now += 5_000;
        Reading gone = reader.read(conf);
        assertThat(gone.settings().weight(Metric.MEMORY)).isEqualTo(0.25);
        assertThat(messages(gone)).containsExactly("loadBalancerAvgShedderSettingsFile is " + file + ", which does not "
                + "exist; what was last read from it stays in use");
        now += 5_000;
        assertThat(reader.read(conf).problems()).isEmpty();

        Files.write(file, new byte[] {'a', '=', (byte) 0xff});
        now += 5_000;
        Reading garbage = reader.read(conf);
        assertThat(garbage.settings().weight(Metric.MEMORY)).isEqualTo(0.25);
        assertThat(messages(garbage)).singleElement().asString().contains("which is not UTF-8 text");

        Files.writeString(file, "a=\\u00zz");
        now += 5_000;
        assertThat(messages(reader.read(conf))).singleElement().asString().contains("which cannot be read");

        Files.writeString(file, MEMORY_WEIGHT + "=0.75\n");
        now += 5_000;
        Reading back = reader.read(conf);
        assertThat(back.settings().weight(Metric.MEMORY)).isEqualTo(0.75);
        assertThat(back.problems()).isEmpty();
    }

    @Test
    void aFileOfSomethingElseIsToldInFewLines(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("other.properties");
        Files.writeString(file, IntStream.range(0, 30_000).mapToObj(i -> String.format("other%05d=%d\n", i, i))
                .collect(Collectors.joining("", MEMORY_WEIGHT + "=0.25\n", "z".repeat(500_000) + "=1\n")));

        Reading reading = assertTimeoutPreemptively(Duration.ofSeconds(10),
                () -> reader.read(BrokerConf.installed(settingsFile(file))));

        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(0.25);
        assertThat(messages(reading)).hasSize(21).contains(
                "29981 more keys in " + file + " are not settings of this plugin and are ignored");
    }

    @Test
    void aNumberWithoutEndIsRefusedAtOnceAndNotRepeated(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, "loadBalancerAvgShedderMsgRateCapacity=" + "9".repeat(1_000_000));

        Reading reading = reader.read(BrokerConf.installed(settingsFile(file)));

        assertThat(reading.settings().msgRateCapacity()).isZero();
        assertThat(messages(reading)).singleElement().asString().hasSizeLessThan(1_500)
                .endsWith("..., but must be a number above 0; the default, off, is used instead");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1000000000-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "1969-12-31T23:59:59Z"})
    void anInstantThatHasNoMillisecondsIsToldAndStopsNothing(String instant) {
        Reading reading = reader.read(BrokerConf.installed("loadBalancerAvgShedderHoldUntil=" + instant,
                MEMORY_WEIGHT + "=0.5"));

        assertThat(messages(reading)).containsExactly("loadBalancerAvgShedderHoldUntil is \"" + instant + "\" in "
                + "broker.conf, but must be an instant from 1970 to 9999 such as 2026-12-24T08:00:00Z; the default, none, "
                + "is used instead");
        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(0.5);
    }

    @Test
    void takingTheSettingsFileOutOfUseTakesItsValuesBack(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("avg-shedder.properties");
        Files.writeString(file, MEMORY_WEIGHT + "=0.25\n");
        ServiceConfiguration conf = BrokerConf.installed(settingsFile(file));
        reader.read(conf);

        conf.getProperties().remove("loadBalancerAvgShedderSettingsFile");

        assertThat(reader.read(conf).settings().weight(Metric.MEMORY)).isZero();
    }

    @Test
    void excludedNamespacesComeFromAGetterWhereThereIsOne() {
        WithExcludedNamespaces conf = new WithExcludedNamespaces();
        conf.setProperties(new Properties());
        conf.getProperties().setProperty("loadBalancerSheddingExcludedNamespaces", "from/file");
        conf.excluded = Set.of("tenant/ns");
        assertThat(reader.read(conf).settings().excludedNamespaces()).containsExactly("tenant/ns");

        conf.excluded = Set.of();
        assertThat(reader.read(conf).settings().excludedNamespaces()).isEmpty();
    }

    @Test
    void aListWithSomethingThatIsNoNamespaceIsTold() {
        Reading reading = reader.read(BrokerConf.installed("loadBalancerSheddingExcludedNamespaces=a/b,nonsense"));

        assertThat(messages(reading)).containsExactly("loadBalancerSheddingExcludedNamespaces is \"a/b,nonsense\" in "
                + "broker.conf, but must be a list such as tenant/namespace,tenant/other; the default, none, is used "
                + "instead");
    }

    @Test
    void aConfigurationWithoutPropertiesIsReadAsFarAsItGoes() {
        ServiceConfiguration conf = new ServiceConfiguration();
        conf.setProperties(null);
        conf.setLoadBalancerCPUResourceWeight(0.5);

        assertThat(reader.read(conf).settings().weight(Metric.CPU)).isEqualTo(0.5);
        assertThat(reader.effective(conf)).hasSameSizeAs(SettingKeys.ALL);
    }

    @Test
    void aGetterThatThrowsIsToldAndNotThrown() {
        ServiceConfiguration conf = new ServiceConfiguration() {
            @Override
            public double getLoadBalancerCPUResourceWeight() {
                throw new UnsupportedOperationException("not here");
            }
        };

        Reading reading = reader.read(conf);

        assertThat(reading.settings().weight(Metric.CPU)).isEqualTo(1);
        assertThat(messages(reading)).contains("loadBalancerCPUResourceWeight cannot be read from the broker's "
                + "configuration (java.lang.UnsupportedOperationException: not here), but must be a number from 0 to "
                + "100; the default, 1, is used instead");
    }

    @Test
    void whatCannotBeReadAtAllLeavesTheSettingsAsTheyWere() {
        reader.read(BrokerConf.installed(MEMORY_WEIGHT + "=0.5"));
        ServiceConfiguration broken = new ServiceConfiguration() {
            @Override
            public Properties getProperties() {
                throw new IllegalStateException("closed");
            }
        };

        Reading reading = reader.read(broken);

        assertThat(reading.settings().weight(Metric.MEMORY)).isEqualTo(0.5);
        assertThat(messages(reading)).containsExactly("The configuration cannot be read, and the settings stay as they "
                + "were: java.lang.IllegalStateException: closed");
        assertThat(reader.read(broken).problems()).isEmpty();
        assertThat(reader.read(null).settings().weight(Metric.MEMORY)).isEqualTo(0.5);
    }

    @Test
    void keysAreDistinctAndTheirDefaultsAreInTheirOwnRange() {
        assertThat(SettingKeys.ALL).extracting(SettingKeys.Key::name).doesNotHaveDuplicates();
        assertThat(SettingKeys.ALL).allSatisfy(key -> {
            assertThat(SettingKeys.ALL.get(key.index())).isSameAs(key);
            if (!Set.of("off", "none").contains(key.defaultText())) {
                assertThat(key.domain().parse(key.defaultText())).hasValueSatisfying(
                        value -> assertThat(value).isEqualTo(key.defaultValue()));
            }
        });
    }

    /** Sets a threshold at run time: by the setter where this broker has one, else in the properties. */
    private static void change(ServiceConfiguration conf, String key, int value) {
        if (BrokerConf.declares(key)) {
            BrokerConf.set(conf, key, value);
        } else {
            conf.getProperties().setProperty(key, String.valueOf(value));
        }
    }

    private EffectiveSetting effective(ServiceConfiguration conf, String key) {
        return reader.effective(conf).stream().filter(setting -> setting.key().equals(key)).findFirst().orElseThrow();
    }

    private static List<String> messages(Reading reading) {
        return reading.problems().stream().map(Problem::message).toList();
    }

    private static String settingsFile(Path file) {
        return "loadBalancerAvgShedderSettingsFile=" + file;
    }

    /** A broker of 4.1. */
    static class WithExcludedNamespaces extends ServiceConfiguration {

        Set<String> excluded = Set.of();

        public Set<String> getLoadBalancerSheddingExcludedNamespaces() {
            return excluded;
        }
    }
}
