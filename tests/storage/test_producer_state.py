"""One producer: every row of the table of answers, the edges of the sequence, and markers."""

from __future__ import annotations

import pytest

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import TRANSACTIONAL_FLAG, BatchHeader
from kwire.storage.producer_state import BatchMetadata, ProducerState

SEQUENCE_MAX = 2**31 - 1


def batch(epoch: int, sequence: int, count: int = 1, attributes: int = 0) -> BatchHeader:
    return BatchHeader(0, 99, 0, 2, 0, attributes, count - 1, 5, 5, 7, epoch, sequence, count)


def producer(*batches: tuple[int, int, int], epoch: int = 3) -> ProducerState:
    """A producer with these batches (sequence, count, offset)."""
    state = ProducerState(7, epoch)
    for sequence, count, offset in batches:
        state.append(epoch, sequence, offset + count - 1, count - 1, 5)
    return state


def refusal(state: ProducerState, header: BatchHeader) -> ErrorCode:
    with pytest.raises(BrokerError) as caught:
        state.check(header)
    assert "producer 7" in caught.value.detail
    return caught.value.code


@pytest.mark.parametrize(
    ("epoch", "sequence", "expected"),
    [
        (3, 10, None),
        (3, 9, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
        (3, 11, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
        (3, 0, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
        (2, 10, ErrorCode.INVALID_PRODUCER_EPOCH),
        (2, 0, ErrorCode.INVALID_PRODUCER_EPOCH),
        (4, 0, None),
        (4, 10, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER),
    ],
)
def test_epoch_and_sequence(epoch: int, sequence: int, expected: ErrorCode | None) -> None:
    state = producer((0, 10, 100))
    header = batch(epoch, sequence)
    assert (state.check(header) if expected is None else refusal(state, header)) == expected


def test_each_of_the_last_five_batches_is_known_again_and_the_sixth_is_not() -> None:
    state = producer(*((n * 10, 10, 100 + n * 20) for n in range(6)))
    for n in range(1, 6):
        duplicate = state.check(batch(3, n * 10, 10))
        assert duplicate is not None
        assert (duplicate.first_offset, duplicate.last_offset, duplicate.timestamp) == (100 + n * 20, 109 + n * 20, 5)
    assert refusal(state, batch(3, 0, 10)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_repeated_sequence_of_another_length_or_epoch_is_no_duplicate() -> None:
    state = producer((0, 10, 100))
    assert refusal(state, batch(3, 0, 9)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert refusal(state, batch(2, 0, 10)) is ErrorCode.INVALID_PRODUCER_EPOCH
    assert state.check(batch(4, 0, 10)) is None


@pytest.mark.parametrize(
    ("sequence", "count", "following"),
    [(SEQUENCE_MAX - 1, 1, SEQUENCE_MAX), (SEQUENCE_MAX, 1, 0), (SEQUENCE_MAX - 1, 5, 3), (SEQUENCE_MAX - 4, 5, 0)],
)
def test_sequences_wrap_after_the_largest_int(sequence: int, count: int, following: int) -> None:
    state = producer((sequence, count, 100))
    assert state.check(batch(3, following)) is None
    assert refusal(state, batch(3, following + 1 & SEQUENCE_MAX)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    duplicate = state.check(batch(3, sequence, count))
    assert duplicate is not None
    assert (duplicate.first_sequence, duplicate.first_offset) == (sequence, 100)


def test_a_new_epoch_forgets_the_batches_of_the_old() -> None:
    state = producer((0, 10, 100))
    state.append(4, 0, 110, 0, 6)
    assert state.batches == [BatchMetadata(0, 110, 0, 6)]
    assert (state.epoch, state.last_sequence, state.next_sequence, state.last_timestamp) == (4, 0, 1, 6)


def test_a_plain_batch_does_not_go_into_an_open_transaction() -> None:
    state = producer((0, 10, 100))
    state.transaction_start_offset = 100
    assert state.check(batch(3, 10, attributes=TRANSACTIONAL_FLAG)) is None
    assert refusal(state, batch(3, 10)) is ErrorCode.INVALID_TXN_STATE
    with pytest.raises(BrokerError, match="INVALID_TXN_STATE"):
        state.check_epoch(batch(3, -1))


def test_batches_without_a_sequence_are_checked_by_epoch_alone() -> None:
    state = producer((0, 10, 100))
    state.check_epoch(batch(3, -1))
    with pytest.raises(BrokerError, match="INVALID_PRODUCER_EPOCH"):
        state.check_epoch(batch(2, -1))
    state.append(3, -1, 111, 0, 5)
    assert (state.last_sequence, state.next_sequence) == (-1, 0)


@pytest.mark.parametrize(
    ("version", "epoch", "is_open", "taken"),
    [
        (0, 3, True, True),
        (0, 4, True, True),
        (0, 2, True, False),
        (2, 4, True, True),
        (2, 3, True, False),  # the epoch should have been bumped
        (2, 3, False, True),  # the retry of a marker that is there
        (2, 2, False, False),
    ],
)
def test_which_epoch_a_marker_needs(version: int, epoch: int, is_open: bool, taken: bool) -> None:
    state = producer((0, 10, 100))
    if is_open:
        state.transaction_start_offset = 100
    if taken:
        state.check_marker(epoch, 0, version)
    else:
        with pytest.raises(BrokerError, match="INVALID_PRODUCER_EPOCH"):
            state.check_marker(epoch, 0, version)


def test_at_the_largest_epoch_a_marker_cannot_have_a_newer_one() -> None:
    state = producer((0, 10, 100), epoch=32767)
    state.transaction_start_offset = 100
    state.check_marker(32767, 0, 2)


def test_a_replaced_coordinator_is_fenced() -> None:
    state = producer((0, 10, 100))
    state.end_transaction(3, 8, 6)
    state.check_marker(3, 8, 0)
    with pytest.raises(BrokerError, match="TRANSACTION_COORDINATOR_FENCED"):
        state.check_marker(3, 7, 0)


def test_a_marker_ends_the_transaction_and_only_a_newer_epoch_restarts_the_sequence() -> None:
    state = producer((0, 10, 100))
    state.transaction_start_offset = 100
    state.end_transaction(3, 1, 9)
    assert (state.transaction_start_offset, state.coordinator_epoch, state.last_timestamp) == (-1, 1, 9)
    assert state.check(batch(3, 10)) is None
    state.end_transaction(4, 1, 9)
    assert state.batches == []
    assert state.check(batch(4, 0)) is None
    assert refusal(state, batch(4, 10)) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
