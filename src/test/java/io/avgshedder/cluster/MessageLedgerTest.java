package io.avgshedder.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageLedgerTest {

    private final MessageLedger ledger = new MessageLedger();

    @Test
    void anAcknowledgedMessageThatNeverArrivesIsLost() {
        ledger.acknowledge(ledger.send());
        ledger.acknowledge(ledger.send());
        ledger.acknowledge(ledger.send());
        ledger.receive(0);
        ledger.receive(2);

        assertThat(ledger.tally()).isEqualTo(new Tally(3, 3, 0, 2, 0, 1));
    }

    @Test
    void aFailedMessageIsNotLostAndMayArriveAllTheSame() {
        ledger.send();
        ledger.fail();
        ledger.send();
        ledger.fail();
        ledger.receive(1);

        assertThat(ledger.tally()).isEqualTo(new Tally(2, 0, 2, 1, 0, 0));
    }

    @Test
    void aMessageSeenTwiceIsOneMessageAndOneDuplicate() {
        ledger.acknowledge(ledger.send());
        ledger.receive(0);
        ledger.receive(0);

        assertThat(ledger.tally()).isEqualTo(new Tally(1, 1, 0, 1, 1, 0));
    }

    @Test
    void isSettledWhenEveryMessageHasItsAnswer() {
        ledger.send();
        ledger.send();
        ledger.acknowledge(1);
        assertThat(ledger.settled()).isFalse();

        ledger.fail();
        assertThat(ledger.settled()).isTrue();
    }
}
