package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.pulsar.EffectiveSetting.Origin;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is set in the configuration of this broker version reaches the settings, whichever way this version has. */
class SettingsContractTest {

    static Stream<SettingSample> samples() {
        return SettingSample.all().stream();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void aLineOfBrokerConfReachesTheSettings(SettingSample sample) {
        Reading reading = new SettingsReader().read(BrokerConf.installed(sample.key() + "=" + sample.text()));

        assertThat(sample.in(reading.settings())).isEqualTo(sample.expected());
        assertThat(reading.problems()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theOriginIsTheBrokersGetterExactlyWhereItHasOne(SettingSample sample) {
        ServiceConfiguration conf = BrokerConf.installed(sample.key() + "=" + sample.text());

        assertThat(new SettingsReader().effective(conf)).filteredOn(setting -> setting.key().equals(sample.key()))
                .extracting(EffectiveSetting::origin)
                .containsExactly(sample.isDeclaredByTheBroker() ? Origin.GETTER : Origin.PROPERTIES);
    }

    static Stream<SettingSample> samplesThatTheBrokerDeclares() {
        return samples().filter(SettingSample::isDeclaredByTheBroker);
    }

    @ParameterizedTest
    @MethodSource("samplesThatTheBrokerDeclares")
    void dynamicConfigurationReachesTheSettingsAtTheNextReading(SettingSample sample) {
        ServiceConfiguration conf = BrokerConf.installed();
        SettingsReader reader = new SettingsReader();
        assertThat(sample.in(reader.read(conf).settings())).isNotEqualTo(sample.expected());

        BrokerConf.set(conf, sample.key(), parsedByTheBroker(sample));

        Reading reading = reader.read(conf);
        assertThat(sample.in(reading.settings())).isEqualTo(sample.expected());
        assertThat(reading.problems()).isEmpty();
    }

    @Test
    void everyKeyButTheOneOfTheSettingsFileHasASample() {
        List<String> keys = SettingKeys.ALL.stream().map(SettingKeys.Key::name).toList();

        assertThat(samples().map(SettingSample::key)).doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(keys.stream()
                        .filter(key -> !key.equals("loadBalancerAvgShedderSettingsFile")).toList());
    }

    private static Object parsedByTheBroker(SettingSample sample) {
        Class<?> type = BrokerConf.type(sample.key());
        if (type == int.class) {
            return Integer.valueOf(sample.text());
        }
        if (type == long.class) {
            return Long.valueOf(sample.text());
        }
        return type == double.class ? Double.valueOf(sample.text()) : sample.expected();
    }
}
