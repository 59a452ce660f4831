package io.avgshedder.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An image's start script changes only keys that its {@code broker.conf} has; others need a prefix, or are ignored. */
class ContainerExamplesIT {

    private static final Path HOME = Path.of(System.getProperty("avgshedder.distribution.home"));
    private static final Pattern DEFINITION = Pattern.compile("(?m)^(\\w+)\\s*=");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^\\s*(loadBalancer\\w+)\\s*[=:]");

    @ParameterizedTest
    @ValueSource(strings = {"docker.env", "kubernetes-values.yaml"})
    void keysWithoutThePrefixAreInTheImagesFile(String example) throws IOException {
        assertThat(names(VARIABLE, Path.of("conf-examples", example))).isNotEmpty()
                .isSubsetOf(names(DEFINITION, HOME.resolve("conf/broker.conf")));
    }

    private static Set<String> names(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file)).results().map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());
    }
}
