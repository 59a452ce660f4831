package io.avgshedder.pulsar;

import io.avgshedder.core.Settings;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.broker.ServiceConfiguration;

/** What the plugin makes of one broker's configuration, for tests outside of this package. */
public final class SettingsProbe {

    /** The key that is no setting: it names the file that the others may be in. */
    public static final String SETTINGS_FILE = SettingKeys.SETTINGS_FILE.name();

    private final SettingsReader reader = new SettingsReader();
    private final List<String> complaints = new ArrayList<>();
    private final ServiceConfiguration conf;

    public SettingsProbe(ServiceConfiguration conf) {
        this.conf = conf;
    }

    /** The settings now. */
    public Settings read() {
        Reading reading = reader.read(conf);
        reading.problems().forEach(problem -> complaints.add(problem.message()));
        return reading.settings();
    }

    /** The text of the value that a key has now. */
    public String text(String key) {
        return reader.effective(conf).stream().filter(setting -> setting.key().equals(key))
                .map(EffectiveSetting::value).findFirst().orElseThrow();
    }

    /** What was found wrong since this was last asked. */
    public List<String> takeComplaints() {
        List<String> taken = List.copyOf(complaints);
        complaints.clear();
        return taken;
    }
}
