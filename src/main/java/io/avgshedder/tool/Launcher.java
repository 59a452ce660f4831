package io.avgshedder.tool;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What {@code java -jar lib/pulsar-avg-shedder-<version>.jar} starts: puts the jars beside it, which are Pulsar's own,
 * on a class path and calls {@link Main} there.
 *
 * <p>A {@code Class-Path} in the manifest cannot do this, because the jars' names differ between Pulsar's versions.
 * Knows only {@code java.*}: nothing else is there before the class path is.
 */
public final class Launcher {

    private static final int BAD_INPUT = 2;

    private Launcher() {
    }

    public static void main(String[] args) throws Throwable {
        CodeSource source = Launcher.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            System.err.println("Cannot find out which jar this is; start it with java -jar.");
            System.exit(BAD_INPUT);
            return;
        }
        URLClassLoader loader = new URLClassLoader("pulsar", classPath(Path.of(source.getLocation().toURI())),
                ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        try {
            loader.loadClass("io.avgshedder.tool.Main").getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** This jar first, so that it finds its own classes whatever else lies there, then the others by name. */
    private static URL[] classPath(Path own) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(own.toUri().toURL());
        File[] jars = own.toAbsolutePath().getParent().toFile().listFiles((directory, name) -> name.endsWith(".jar"));
        if (jars != null) {
            Arrays.sort(jars);
            for (File jar : jars) {
                if (!jar.getName().equals(own.getFileName().toString())) {
                    urls.add(jar.toURI().toURL());
                }
            }
        }
        return urls.toArray(URL[]::new);
    }
}
