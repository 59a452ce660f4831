package io.avgshedder.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page that {@code simulate --html} writes, as a reader has it before them. */
class SimulationPageIT {

    private static final Path SCREENSHOTS = Path.of("target", "browser");
    /** Advice on what {@link #ink} does. */
    private static final String READ_BACK = "Multiple readback operations using getImageData";
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 900;

    @TempDir
    private static Path directory;

    private static Path page;
    private static Browser browser;

    @BeforeAll
    static void simulateAndStart() throws IOException, InterruptedException {
        page = SCREENSHOTS.resolve("simulation.html").toAbsolutePath();
        Files.createDirectories(SCREENSHOTS);
        File log = directory.resolve("simulate.log").toFile();
        Process simulate = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), "io.avgshedder.tool.Main", "simulate", "article-uneven",
                "--strategies", "avg,level,builtin,threshold", "--seeds", "2", "--html", page.toString())
                .redirectErrorStream(true).redirectOutput(log).start();
        try {
            assertThat(simulate.waitFor(120, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        } finally {
            simulate.destroyForcibly();
        }
        assertThat(simulate.exitValue()).as(Files.readString(log.toPath())).isBetween(0, 1);
        browser = new Browser(Files.createDirectory(directory.resolve("profile")));
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() {
        browser.device(WIDTH, HEIGHT, false, false);
        browser.events();
        browser.open(page);
        assertThat(browser.console().stream().filter(line -> !line.contains(READ_BACK))).isEmpty();
    }

    /** Pixels of a plot's canvas that something was drawn on. */
    private static long ink(int plot) {
        return (long) browser.run("""
                const canvas = document.querySelectorAll('.plot canvas')[arguments[0]];
                const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                let drawn = 0;
                for (let i = 3; i < data.length; i += 4) { if (data[i] > 0) { drawn++; } }
                return drawn;""", plot);
    }

    private static int height() {
        return ((Number) browser.run("return document.documentElement.scrollHeight")).intValue();
    }

    /** A screenshot of the whole page. */
    private static void screenshot(String name, int width, boolean dark) throws IOException {
        browser.device(width, height(), dark, false);
        await().atMost(10, TimeUnit.SECONDS).until(() -> (boolean) browser.run(
                "return document.querySelector('.uplot').offsetWidth <= document.querySelector('.plot').clientWidth"));
        browser.screenshot(SCREENSHOTS.resolve(name));
    }

    @Test
    void showsTheMeasuresAndAPlotForEveryStrategy() throws IOException {
        List<String> rows = browser.findAll("tbody th").stream().map(WebElement::getText).toList();
        assertThat(rows).hasSize(4);
        assertThat(rows.get(0)).startsWith("avg").contains("this plugin, plan=pairs");
        assertThat(rows.get(3)).startsWith("threshold").contains("ThresholdShedder with LeastResourceUsageWithWeight");
        assertThat(browser.findAll("tbody tr:first-child td")).hasSize(9);
        assertThat(browser.findAll("#plots figure")).hasSize(4);
        for (int plot = 0; plot < 4; plot++) {
            assertThat(ink(plot)).as("pixels of plot %d", plot).isGreaterThan(5_000);
        }
        assertThat(browser.findAll("#legend button")).extracting(WebElement::getText)
                .containsExactly("b-1", "b-2", "b-3", "b-4", "b-5");
        screenshot("light.png", WIDTH, false);
    }

    /** The picture in the README is {@code plots.png}. */
    @Test
    void thePlotsAloneMakeAPicture() throws IOException {
        browser.device(900, height(), false, false);
        await().atMost(10, TimeUnit.SECONDS).until(() -> (boolean) browser.run(
                "return document.querySelector('.uplot').offsetWidth === document.querySelector('.plot').clientWidth"));
        browser.find(".plot").sendKeys(Keys.END);
        browser.run("document.activeElement.blur()");
        browser.screenshot(browser.find("#plots"), SCREENSHOTS.resolve("plots.png"));

        assertThat(Files.size(SCREENSHOTS.resolve("plots.png"))).isBetween(10_000L, 150_000L);
    }

    @Test
    void theTableFitsIntoAnOrdinaryWindow() {
        assertThat(browser.run("const t = document.querySelector('.wide'); return t.scrollWidth - t.clientWidth"))
                .isEqualTo(0L);
    }

    @Test
    void loadsNothing() throws IOException {
        List<String> loaded = new ArrayList<>();
        for (String event : browser.events()) {
            JsonNode message = new ObjectMapper().readTree(event).get("message");
            if (message.get("method").asText().equals("Network.requestWillBeSent")) {
                loaded.add(message.get("params").get("request").get("url").asText());
            }
        }

        assertThat(loaded).contains(page.toUri().toString())
                .allMatch(url -> url.equals(page.toUri().toString()) || url.startsWith("data:"));
    }

    @Test
    void canBeWalkedThroughByKeyboardAlone() {
        browser.run("document.querySelector('.plot').focus()");
        WebElement plot = browser.focused();
        assertThat(plot.getDomAttribute("role")).isEqualTo("slider");
        assertThat(plot.getDomAttribute("aria-valuetext")).startsWith("minute 0, hottest b-");

        plot.sendKeys(Keys.ARROW_RIGHT, Keys.chord(Keys.SHIFT, Keys.ARROW_RIGHT));
        assertThat(plot.getDomAttribute("aria-valuetext")).startsWith("minute 2.75, ");
        assertThat(browser.findAll(".readout")).as("the same moment everywhere")
                .allSatisfy(line -> assertThat(line.getText()).startsWith("minute 2.75, "));

        plot.sendKeys(Keys.END);
        assertThat(plot.getDomAttribute("aria-valuenow")).isEqualTo("60");
        plot.sendKeys(Keys.ARROW_RIGHT);
        assertThat(plot.getDomAttribute("aria-valuenow")).as("there is nothing after the end").isEqualTo("60");

        long whole = ink(0);
        plot.sendKeys("+", "+", "+");
        await().atMost(10, TimeUnit.SECONDS).until(() -> ink(0) != whole);
        plot.sendKeys("0");
        await().atMost(10, TimeUnit.SECONDS).until(() -> ink(0) == whole);
    }

    @Test
    void aLineIsHiddenAndShownFromTheLegendInAllPlots() {
        WebElement button = browser.find("#legend button");
        long before = ink(3);

        browser.run("arguments[0].focus()", button);
        button.sendKeys(Keys.SPACE);
        assertThat(button.getDomAttribute("aria-pressed")).isEqualTo("false");
        browser.run("arguments[0].blur()", button);
        await().atMost(10, TimeUnit.SECONDS).until(() -> ink(3) < before);

        button.sendKeys(Keys.SPACE);
        assertThat(button.getDomAttribute("aria-pressed")).isEqualTo("true");
        browser.run("arguments[0].blur()", button);
        await().atMost(10, TimeUnit.SECONDS).until(() -> ink(3) == before);
    }

    @Test
    void anotherSeedIsAnotherRun() {
        String first = browser.find("#plot-builtin figcaption p").getText();

        browser.find("#seed select").sendKeys("2");

        assertThat(browser.find("#plot-builtin figcaption p").getText()).isNotEqualTo(first);
    }

    @Test
    void everythingThatCanBeUsedHasANameAndCanBeReached() {
        assertThat((List<?>) browser.run("""
                return [...document.querySelectorAll('button, select, summary, [tabindex]')].filter(element =>
                    element.tabIndex < 0 || !(element.textContent.trim() || element.getAttribute('aria-label')
                        || element.labels?.[0]?.textContent.trim())).map(element => element.outerHTML)"""))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void textStandsOutFromItsBackground(boolean dark) throws IOException {
        browser.device(WIDTH, HEIGHT, dark, false);

        List<?> faint = (List<?>) browser.run("""
                const rgb = text => text.match(/[\\d.]+/g).map(Number);
                const light = c => c.slice(0, 3).map(v => v / 255)
                    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
                    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
                const ground = e => { for (let at = e; at; at = at.parentElement) {
                    const c = rgb(getComputedStyle(at).backgroundColor);
                    if (c.length < 4 || c[3] > 0) { return c; } } };
                const contrast = (one, other) => (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
                const faint = [...document.querySelectorAll('main *')]
                    .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()))
                    .filter(e => contrast(light(rgb(getComputedStyle(e).color)), light(ground(e))) < 4.5)
                    .map(e => e.outerHTML);
                const card = light(ground(document.querySelector('section')));
                document.querySelectorAll('#legend line').forEach(line => {
                    const stroke = light(rgb(getComputedStyle(line).stroke));
                    if (contrast(stroke, card) < 3) { faint.push(line.outerHTML); } });
                return faint;""");

        assertThat(faint).isEmpty();
        if (dark) {
            screenshot("dark.png", WIDTH, true);
        }
    }

    @Test
    void aNarrowWindowScrollsTheTableAndNotThePage() throws IOException {
        browser.device(400, HEIGHT, false, false);

        await().atMost(10, TimeUnit.SECONDS).until(() -> (boolean) browser.run(
                "return document.documentElement.scrollWidth <= 400"
                        + " && document.querySelector('.uplot').offsetWidth <= 400"));
        assertThat(browser.run("const t = document.querySelector('.wide'); return t.scrollWidth > t.clientWidth"))
                .isEqualTo(true);
        screenshot("narrow.png", 400, false);
    }

    @Test
    void paperIsWhiteHasNoControlsAndThenTheScreenIsAsBefore() {
        browser.device(WIDTH, HEIGHT, true, false);
        String dark = (String) browser.run("return getComputedStyle(document.body).backgroundColor");
        browser.run("""
                addEventListener('beforeprint', () => window.printed =
                    getComputedStyle(document.documentElement).getPropertyValue('--ink').trim())""");

        byte[] pdf = browser.pdf();

        assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
        assertThat(browser.run("return window.printed")).as("ink on paper").isEqualTo("#1b1c1e");
        assertThat(browser.run("return getComputedStyle(document.body).backgroundColor")).isEqualTo(dark);
        assertThat(browser.run("return 'paper' in document.documentElement.dataset")).isEqualTo(false);

        browser.device(WIDTH, HEIGHT, true, true);
        assertThat(browser.find("#seed").isDisplayed()).isFalse();
        assertThat(browser.find(".hint").isDisplayed()).isFalse();
        assertThat(browser.find("tbody").isDisplayed()).isTrue();
    }
}
