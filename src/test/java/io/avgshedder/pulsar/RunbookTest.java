package io.avgshedder.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.avgshedder.Runbook;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.junit.jupiter.api.Test;

/** What the runbook says of settings, of the plugin's and of the broker's. */
class RunbookTest {

    private static final String SETTINGS = "Mistakes in the settings";

    private static List<String> problems(ServiceConfiguration conf) {
        return new SettingsReader().read(conf).problems().stream()
                .map(problem -> problem.level() + " " + problem.message()).toList();
    }

    private static List<String> said() {
        List<String> said = new ArrayList<>();
        ServiceConfiguration strategies = BrokerConf.installed();
        strategies.setLoadBalancerLoadSheddingStrategy("org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder");
        strategies.setLoadBalancerLoadPlacementStrategy(
                "org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate");
        said.addAll(problems(strategies));
        ServiceConfiguration switches = BrokerConf.installed();
        switches.setLoadBalancerEnabled(false);
        switches.setLoadBalancerSheddingEnabled(false);
        switches.setLoadBalancerDistributeBundlesEvenlyEnabled(true);
        said.addAll(problems(switches));
        said.addAll(problems(BrokerConf.installed("loadBalancerAvgShedderHoldUntil=tomorrow",
                "loadBalancerAvgShedderMaxUnload=cluster=20/10m")));
        said.addAll(problems(BrokerConf.installed("loadBalancerCPUResourceWeight=0",
                "loadBalancerBandwithInResourceWeight=0", "loadBalancerBandwithOutResourceWeight=0")));
        said.addAll(problems(BrokerConf.installed("maxUnloadPercentage=0.5", "maxUnloadBundleNumPerShedding=10",
                "loadBalancerMemoryResourceWeight=0.5")));
        return said;
    }

    @Test
    void mistakesAreQuotedAsTheyAreSaid() {
        assertThat(Runbook.quotes(SETTINGS)).containsExactlyElementsOf(said());
    }

    @Test
    void everySettingOfThePluginThatIsNamedIsOne() throws IOException {
        Set<String> known = SettingKeys.ALL.stream().map(SettingKeys.Key::name).collect(Collectors.toSet());
        Set<String> misspelt = Set.of("loadBalancerAvgShedderMaxUnload");
        assertThat(all("loadBalancerAvgShedder[A-Z][A-Za-z]*")).hasSizeGreaterThan(15)
                .allMatch(key -> known.contains(key) || misspelt.contains(key));
    }

    /** The tables of keys to move from: a broker that declares a key has the default that is written there. */
    @Test
    void everyDefaultOfAnotherStrategysKeyIsTheBrokers() throws ReflectiveOperationException {
        Pattern row = Pattern.compile("\\| `([A-Za-z]+)` \\| `([^`]+)`.*");
        ServiceConfiguration conf = new ServiceConfiguration();
        int compared = 0;
        for (String from : List.of("Moving to the plugin", "From ThresholdShedder", "From UniformLoadShedder",
                "From the built-in AvgShedder")) {
            for (String line : Runbook.section(from)) {
                Matcher key = row.matcher(line);
                if (key.matches() && declares(key.group(1))) {
                    Field field = ServiceConfiguration.class.getDeclaredField(key.group(1));
                    field.setAccessible(true);
                    assertThat(plain(field.get(conf))).as(line).endsWith(plain(key.group(2)).replaceFirst("^\\.+", "."));
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(14);
    }

    private static boolean declares(String key) {
        return Stream.of(ServiceConfiguration.class.getDeclaredFields()).anyMatch(field -> field.getName().equals(key));
    }

    private static String plain(Object value) {
        return value.toString().replaceFirst("\\.0$", "");
    }

    @Test
    void everyMetricThatIsNamedIsInTheReadme() throws IOException {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(all("pulsar_avg_shedder_[a-z_]+")).hasSizeGreaterThan(5)
                .allMatch(metric -> readme.contains("`" + metric + "`"));
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        Set<String> here = anchors(Runbook.headings());
        Set<String> readme = anchors(Files.readAllLines(Path.of("README.md")).stream()
                .filter(line -> line.matches("#+ .*")).map(line -> line.substring(line.indexOf(' ') + 1)).toList());
        for (String link : all("(?<=\\]\\()[^)]+")) {
            String file = link.replaceFirst("#.*", "");
            String anchor = link.contains("#") ? link.substring(link.indexOf('#') + 1) : "";
            assertThat(Runbook.PAGE.resolveSibling(file.isEmpty() ? "RUNBOOK.md" : file)).as(link).exists();
            if (!anchor.isEmpty()) {
                assertThat(file.isEmpty() ? here : readme).as(link).contains(anchor);
            }
        }
    }

    private static Set<String> anchors(List<String> headings) {
        return headings.stream().map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_ -]", "")
                .replace(' ', '-')).collect(Collectors.toSet());
    }

    private static Set<String> all(String pattern) throws IOException {
        return Pattern.compile(pattern).matcher(Files.readString(Runbook.PAGE)).results().map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
