package io.avgshedder.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.avgshedder.sim.Scenario.LoadChange;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadProfileTest {

    @Test
    void aLastingChangeIsReachedInAStraightLineAndStays() {
        LoadProfile profile = new LoadProfile("t/n", List.of(
                new LoadChange("t/n", 10, 5, 3, 0, 0), new LoadChange("t/other", 0, 0, 100, 0, 0)));

        assertThat(profile.at(9.9)).isEqualTo(1);
        assertThat(profile.at(12.5)).isEqualTo(2, within(1e-9));
        assertThat(profile.at(15)).isEqualTo(3);
        assertThat(profile.at(1000)).isEqualTo(3);
    }

    @Test
    void aChangeOfAllMultipliesTheNamespacesOwn() {
        LoadProfile profile = new LoadProfile("t/n", List.of(
                new LoadChange("", 0, 0, 2, 0, 0), new LoadChange("t/n", 0, 0, 0.25, 0, 0)));

        assertThat(profile.at(1)).isEqualTo(0.5);
    }

    @Test
    void aRepeatedChangeComesAndGoes() {
        LoadProfile profile = new LoadProfile("t/n", List.of(new LoadChange("t/n", 1, 0, 0, 2, 1)));

        assertThat(profile.at(0.5)).isEqualTo(1);
        assertThat(profile.at(1.5)).isZero();
        assertThat(profile.at(2.5)).isEqualTo(1);
        assertThat(profile.at(3.5)).isZero();
    }
}
