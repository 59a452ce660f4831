package io.avgshedder;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What may know what. The core decides from what it is given and from nothing else, so that every rule can be tested
 * with literal numbers and the same trace always gives the same plan; Pulsar's types, which differ between versions,
 * stop at the adapter; and the jar needs nothing that a broker does not have.
 */
@AnalyzeClasses(packages = "io.avgshedder", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String PLUGIN = "io.avgshedder";
    private static final String CORE = "io.avgshedder.core..";
    private static final String PULSAR = "io.avgshedder.pulsar..";
    private static final String TELEMETRY = "io.avgshedder.telemetry..";
    private static final String TOOL = "io.avgshedder.tool..";
    private static final String SIM = "io.avgshedder.sim..";

    @ArchTest
    static final ArchRule nothingIsUsedThatABrokerDoesNotHave = classes()
            .that().resideOutsideOfPackages(SIM, TOOL, TELEMETRY)
            .should().onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "io.avgshedder..", "org.apache.pulsar..", "com.google.common..", "org.slf4j.."));

    @ArchTest
    static final ArchRule whatAnOperatorSeesAlsoUsesJmxAndOneClassThePrometheusClient = classes()
            .that().resideInAPackage(TELEMETRY)
            .and().haveNameNotMatching(".*\\.PrometheusMetrics(\\$.*)?")
            .should().onlyDependOnClassesThat(resideInAnyPackage("java..", "javax.management..", "io.avgshedder..",
                    "org.slf4j.."));

    @ArchTest
    static final ArchRule thePrometheusClientMayBeMissing = classes()
            .that().haveNameMatching(".*\\.telemetry\\.PrometheusMetrics(\\$.*)?")
            .should().onlyDependOnClassesThat(resideInAnyPackage("java..", "io.avgshedder..", "io.prometheus.client.."));

    @ArchTest
    static final ArchRule theSimulatorAlsoUsesSnakeYamlWhichABrokerHas = classes()
            .that().resideInAPackage(SIM)
            .should().onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "io.avgshedder..", "org.apache.pulsar..", "com.google.common..", "org.yaml.snakeyaml.."));

    @ArchTest
    static final ArchRule theCommandLineAlsoUsesJacksonWhichABrokerHasAndPicocliWhichIsInTheJar = classes()
            .that().resideInAPackage(TOOL)
            .should().onlyDependOnClassesThat(resideInAnyPackage(
                    "java..", "javax.crypto..", "javax.net.ssl..", "io.avgshedder..", "org.apache.pulsar..",
                    "com.google.common..", "com.fasterxml.jackson..", "picocli.."));

    @ArchTest
    static final ArchRule theLauncherIsThereBeforeAnyClassPath = classes()
            .that().haveFullyQualifiedName("io.avgshedder.tool.Launcher")
            .should().onlyDependOnClassesThat(resideInAnyPackage("java.."));

    @ArchTest
    static final ArchRule dependenciesPointTowardsTheCore = layeredArchitecture().consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("tool").definedBy(TOOL)
            .layer("sim").definedBy(SIM)
            .layer("plugin").definedBy(PLUGIN)
            .layer("pulsar").definedBy(PULSAR)
            .layer("telemetry").definedBy(TELEMETRY)
            .layer("core").definedBy(CORE)
            .whereLayer("tool").mayNotBeAccessedByAnyLayer()
            .whereLayer("sim").mayOnlyBeAccessedByLayers("tool")
            .whereLayer("plugin").mayOnlyBeAccessedByLayers("tool", "sim")
            .whereLayer("pulsar").mayOnlyBeAccessedByLayers("plugin", "tool", "sim")
            .whereLayer("telemetry").mayOnlyBeAccessedByLayers("pulsar", "plugin", "tool", "sim")
            .whereLayer("core").mayOnlyBeAccessedByLayers("telemetry", "pulsar", "plugin", "tool", "sim");

    @ArchTest
    static final ArchRule pulsarsTypesStopAtTheAdapter = noClasses()
            .that().resideOutsideOfPackages(PLUGIN, PULSAR, TOOL, SIM)
            .should().dependOnClassesThat().resideInAPackage("org.apache.pulsar..");

    @ArchTest
    static final ArchRule coreKnowsOnlyItselfAndJava = classes()
            .that().resideInAPackage(CORE)
            .should().onlyDependOnClassesThat(resideInAnyPackage("java..", CORE));

    @ArchTest
    static final ArchRule coreHasNoSideDoor = noClasses()
            .that().resideInAPackage(CORE)
            .should().dependOnClassesThat(resideInAnyPackage(
                    "java.io..", "java.lang.reflect..", "java.net..", "java.nio..", "java.sql..", "java.util.logging..")
                    .or(belongTo(System.Logger.class)))
            .orShould().accessTargetWhere(is("an input or output of the process", access ->
                    access.getTargetOwner().isEquivalentTo(System.class)
                            && Set.of("in", "out", "err", "getProperty", "getProperties", "setProperty", "getenv",
                                    "getLogger", "exit").contains(access.getTarget().getName())));

    @ArchTest
    static final ArchRule coreIsToldTheTime = noClasses()
            .that().resideInAPackage(CORE)
            .should().dependOnClassesThat(belongTo(
                    java.time.Clock.class, java.time.InstantSource.class, java.util.Date.class,
                    java.util.Calendar.class, java.util.Timer.class,
                    java.util.concurrent.ScheduledExecutorService.class))
            .orShould().accessTargetWhere(is("a clock", access -> {
                JavaClass owner = access.getTargetOwner();
                String name = access.getTarget().getName();
                return owner.isEquivalentTo(System.class) && Set.of("currentTimeMillis", "nanoTime").contains(name)
                        || owner.getPackageName().startsWith("java.time") && name.equals("now");
            }))
            .orShould().accessTargetWhere(is("a wait", access ->
                    Set.of("sleep", "wait", "await", "park", "parkNanos", "parkUntil")
                            .contains(access.getTarget().getName())
                            && access.getTargetOwner().getPackageName().startsWith("java.")));

    @ArchTest
    static final ArchRule coreIsGivenItsRandomGenerator = noClasses()
            .that().resideInAPackage(CORE)
            .should().dependOnClassesThat(belongTo(
                    java.util.Random.class, java.util.SplittableRandom.class, java.security.SecureRandom.class,
                    java.util.concurrent.ThreadLocalRandom.class, java.util.random.RandomGeneratorFactory.class,
                    java.util.UUID.class))
            .orShould().accessTargetWhere(is("a random generator of its own", access -> {
                JavaClass owner = access.getTargetOwner();
                String name = access.getTarget().getName();
                return (owner.isEquivalentTo(Math.class) || owner.isEquivalentTo(StrictMath.class))
                        && name.equals("random")
                        || owner.isEquivalentTo(java.util.Collections.class) && name.equals("shuffle")
                        || owner.isEquivalentTo(java.util.random.RandomGenerator.class)
                        && Set.of("of", "getDefault").contains(name);
            }));

    @ArchTest
    static final ArchRule coreHasNoStaticState = fields()
            .that().areDeclaredInClassesThat().resideInAPackage(CORE)
            .and().areStatic()
            .and().doNotHaveModifier(SYNTHETIC)
            .should().beFinal()
            .andShould(new HoldAnImmutableValue());

    private static DescribedPredicate<JavaClass> belongTo(Class<?>... types) {
        return DescribedPredicate.describe("are one of " + Arrays.stream(types).map(Class::getSimpleName).toList(),
                javaClass -> Arrays.stream(types).anyMatch(javaClass::isEquivalentTo));
    }

    private static DescribedPredicate<JavaAccess<?>> is(String what, Predicate<JavaAccess<?>> test) {
        return DescribedPredicate.describe("it is " + what, test);
    }
}
