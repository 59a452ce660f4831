package io.avgshedder.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalsTest {

    private final Refusals refusals = new Refusals();

    @Test
    void aRefusalKeepsOneNamespaceFromOneBroker() {
        refusals.learn("t/n", "B", 100);

        assertThat(refusals.refuses("t/n", "B")).isTrue();
        assertThat(refusals.refuses("t/n", "C")).isFalse();
        assertThat(refusals.refuses("t/m", "B")).isFalse();
    }

    @Test
    void aFullBrokerRefusesAll() {
        refusals.learnAll("B", 100);

        assertThat(refusals.refuses("t/n", "B")).isTrue();
        assertThat(refusals.refuses("t/m", "B")).isTrue();
        assertThat(refusals.refuses("t/n", "C")).isFalse();
    }

    @Test
    void aRefusalEndsAndCanBeLearntAnew() {
        refusals.learn("t/n", "B", 100);
        refusals.learn("t/m", "B", 200);
        refusals.expire(99);
        assertThat(refusals.size()).isEqualTo(2);

        refusals.expire(100);
        assertThat(refusals.refuses("t/n", "B")).isFalse();
        assertThat(refusals.refuses("t/m", "B")).isTrue();

        refusals.learn("t/m", "B", 300);
        refusals.expire(200);
        assertThat(refusals.refuses("t/m", "B")).isTrue();
    }

    @Test
    void thoseThatCountAreListedInTheOrderOfTheirTargets() {
        refusals.learn("t/n", "C", 200);
        refusals.learn("t/m", "C", 101);
        refusals.learn("t/a", "C", 102);
        refusals.learn("t/z", "C", 103);
        refusals.learn("t/f", "C", 104);
        refusals.learn("t/n", "D", 100);
        refusals.learnAll("B", 150);

        assertThat(refusals.list(100)).containsExactly(new Placement.LearntRefusal(null, "B", 150),
                new Placement.LearntRefusal("t/a", "C", 102), new Placement.LearntRefusal("t/f", "C", 104),
                new Placement.LearntRefusal("t/m", "C", 101), new Placement.LearntRefusal("t/n", "C", 200),
                new Placement.LearntRefusal("t/z", "C", 103));
    }

    @Test
    void aCopyDoesNotFollow() {
        refusals.learn("t/n", "B", 100);
        Refusals copy = refusals.copy();
        refusals.clear();

        assertThat(refusals.isEmpty()).isTrue();
        assertThat(copy.refuses("t/n", "B")).isTrue();
    }
}
