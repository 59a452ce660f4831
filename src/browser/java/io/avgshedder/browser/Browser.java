package io.avgshedder.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's chromium without a window, which fetches nothing by itself. */
final class Browser implements AutoCloseable {

    private static final String BINARY = System.getProperty("chromium", "/usr/bin/chromium");
    private static final String DRIVER = System.getProperty("chromedriver", "/usr/bin/chromedriver");

    private final ChromeDriver driver;

    /** @param profile an empty directory */
    Browser(Path profile) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BINARY);
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + profile);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(new File(DRIVER))
                .usingAnyFreePort().build(), options);
    }

    void open(Path page) {
        driver.get(page.toUri().toString());
    }

    /** What a page sees of the device. */
    void device(int width, int height, boolean dark, boolean print) {
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", Map.of("width", width, "height", height,
                "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", print ? "print" : "screen", "features",
                List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> findAll(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** The element that the keyboard acts on. */
    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The page as it would be printed. */
    byte[] pdf() {
        return Base64.getDecoder().decode((String) driver.executeCdpCommand("Page.printToPDF", Map.of())
                .get("data"));
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    void screenshot(WebElement element, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, element.getScreenshotAs(OutputType.BYTES));
    }

    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage).toList();
    }

    /** The protocol's events since the last call, as JSON. */
    List<String> events() {
        return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream().map(LogEntry::getMessage).toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
