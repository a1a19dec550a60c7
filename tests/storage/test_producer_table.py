"""The producers of a log: transactions and what is stable, expiry, truncation, and that replay equals live."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import CONTROL_FLAG, TRANSACTIONAL_FLAG, BatchHeader
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.storage.producer_state import ProducerState
from kwire.storage.producer_table import CompletedTransaction, ProducerTable
from kwire.testing.fake_files import FakeFileSystem

COMMIT = EndTransactionMarker(ControlType.COMMIT, 0)
ABORT = EndTransactionMarker(ControlType.ABORT, 0)


def new_table(expiration_ms: int = 1000) -> ProducerTable:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    return ProducerTable(files, "/t-0", expiration_ms=expiration_ms)


def batch(producer_id: int, sequence: int = 0, *, count: int = 1, flags: int = 0, timestamp: int = 0) -> BatchHeader:
    return BatchHeader(0, 99, 0, 2, 0, flags, count - 1, timestamp, timestamp, producer_id, 0, sequence, count)


def in_transaction(producer_id: int, sequence: int = 0) -> BatchHeader:
    return batch(producer_id, sequence, flags=TRANSACTIONAL_FLAG)


def marker_batch(producer_id: int, epoch: int = 0) -> BatchHeader:
    return batch(producer_id, -1, flags=TRANSACTIONAL_FLAG | CONTROL_FLAG)._replace(producer_epoch=epoch)


def test_an_unknown_producer_may_start_anywhere() -> None:
    table = new_table()
    header = batch(7, 4711)
    assert table.check(header) is None
    table.check_epoch(header)
    table.check_marker(7, 0, 0, 2)
    table.append(header, 0)
    assert table.check(batch(7, 4712)) is None
    with pytest.raises(BrokerError) as caught:
        table.check(batch(7, 4713))
    assert caught.value.code is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_a_duplicate_is_answered_with_its_first_offsets_and_changes_nothing() -> None:
    table = new_table()
    table.append(batch(7, 0, count=3, timestamp=55), 100)
    duplicate = table.check(batch(7, 0, count=3))
    assert duplicate is not None
    assert (duplicate.first_offset, duplicate.last_offset, duplicate.timestamp) == (100, 102, 55)
    assert table.end_offset == 103


def test_the_oldest_open_transaction_is_where_stability_ends() -> None:
    table = new_table()
    table.append(batch(1), 0)
    assert table.first_unstable_offset is None
    table.append(in_transaction(2), 1)
    table.append(in_transaction(3), 2)
    table.append(in_transaction(2, 1), 3)
    assert (table.first_unstable_offset, table.first_undecided_offset) == (1, 1)
    assert table.append_marker(marker_batch(2), 4, ABORT) == CompletedTransaction(2, 1, 4, 2, True)
    assert (table.first_unstable_offset, table.first_undecided_offset) == (1, 2)
    table.on_high_watermark(4)
    assert table.first_unstable_offset == 1, "the marker itself is not below the high watermark"
    table.on_high_watermark(5)
    assert table.first_unstable_offset == 2
    assert table.append_marker(marker_batch(3), 5, COMMIT) == CompletedTransaction(3, 2, 5, 6, False)
    table.on_high_watermark(6)
    assert (table.first_unstable_offset, table.first_undecided_offset, table.end_offset) == (None, None, 6)


def test_a_marker_without_a_transaction_here_ends_nothing() -> None:
    table = new_table()
    assert table.append_marker(marker_batch(5, epoch=2), 0, ABORT) is None
    state = table.get(5)
    assert state is not None
    assert (state.epoch, state.coordinator_epoch, table.end_offset) == (2, 0, 1)
    assert table.first_unstable_offset is None


def test_an_open_transaction_belongs_to_an_epoch() -> None:
    table = new_table()
    table.append(in_transaction(2), 0)
    assert table.has_open_transaction(2, 0)
    assert not table.has_open_transaction(2, 1)
    assert not table.has_open_transaction(3, 0)
    table.append_marker(marker_batch(2), 1, COMMIT)
    assert not table.has_open_transaction(2, 0)


def test_silent_producers_expire_but_not_those_in_a_transaction() -> None:
    table = new_table(expiration_ms=1000)
    table.append(batch(1, timestamp=500), 0)
    table.append(batch(2, timestamp=600), 1)
    table.append(in_transaction(3), 2)
    assert table.remove_expired(1499) == 0
    assert table.remove_expired(1500) == 1
    assert sorted(state.producer_id for state in table) == [2, 3]
    assert table.remove_expired(10**12) == 1
    assert [state.producer_id for state in table] == [3]
    assert len(table) == 1


def test_a_snapshot_is_taken_once_per_offset() -> None:
    table = new_table()
    assert table.take_snapshot() is None, "nothing has happened yet"
    table.append(batch(1), 0)
    file = table.take_snapshot()
    assert file is not None
    assert file.path == "/t-0/00000000000000000001.snapshot"
    assert table.take_snapshot() is None
    table.end_offset = 9
    assert table.take_snapshot() is not None
    assert table.snapshots.offsets == (1, 9)


def test_truncation_goes_back_to_the_newest_snapshot_that_fits() -> None:
    table = new_table()
    for offset in range(6):
        table.append(in_transaction(offset % 2, offset // 2), offset)
        if offset in (1, 3):
            table.take_snapshot()
    table.truncate_and_reload(0, 3, now_ms=0)
    assert table.end_offset == 2
    assert table.snapshots.offsets == (2,)
    assert {state.producer_id: state.last_sequence for state in table} == {0: 0, 1: 0}
    assert (table.first_unstable_offset, table.first_undecided_offset) == (0, 0)
    table.truncate_and_reload(0, 1, now_ms=0)
    assert (table.end_offset, len(table), table.first_unstable_offset) == (0, 0, None)


def test_truncation_to_where_the_table_already_is_keeps_it() -> None:
    table = new_table()
    table.append(batch(1), 0)
    before = [replace(state) for state in table]
    table.truncate_and_reload(0, 1, now_ms=10**12)
    assert list(table) == before


def test_producers_that_expired_meanwhile_are_not_loaded() -> None:
    table = new_table(expiration_ms=1000)
    table.append(batch(1, timestamp=100), 0)
    table.append(batch(2, timestamp=900), 1)
    table.take_snapshot()
    table.end_offset = 5
    table.truncate_and_reload(0, 3, now_ms=1200)
    assert [state.producer_id for state in table] == [2]


def test_starting_anew_forgets_all() -> None:
    table = new_table()
    table.append(in_transaction(1), 0)
    table.take_snapshot()
    table.truncate_fully_and_start_at(50)
    assert (len(table), table.end_offset, table.first_unstable_offset, table.snapshots.offsets) == (0, 50, None, ())
    assert table.take_snapshot() is not None


def test_a_moved_log_start_keeps_the_producers() -> None:
    table = new_table()
    table.append(batch(1), 0)
    table.on_log_start_offset(10)
    assert (len(table), table.end_offset) == (1, 10)
    assert table.take_snapshot() is None, "nothing new since the start"


# Replay equals live.

steps = st.lists(
    st.tuples(
        st.sampled_from(["batch", "batch", "batch", "transactional", "marker", "snapshot", "high_watermark"]),
        st.integers(0, 3),
        st.integers(1, 4),
        st.integers(0, 1),
    ),
    max_size=60,
)
History = list[tuple[BatchHeader, EndTransactionMarker | None]]


def live(operations: list[tuple[str, int, int, int]]) -> tuple[ProducerTable, History]:
    """A table that lived through these operations, and the batches that its log has."""
    table = new_table()
    log: History = []
    for name, producer_id, count, bump in operations:
        state = table.get(producer_id) or ProducerState(producer_id, epoch=0)
        if name == "snapshot":
            table.take_snapshot()
        elif name == "high_watermark":
            table.on_high_watermark(max(0, table.end_offset - count + 1))
        elif name == "marker":
            header = marker_batch(producer_id, state.epoch + bump)._replace(base_offset=table.end_offset)
            table.check_marker(producer_id, header.producer_epoch, state.coordinator_epoch + bump, 0)
            marker = EndTransactionMarker(ControlType.ABORT, max(0, state.coordinator_epoch + bump))
            table.append_marker(header, table.end_offset, marker)
            log.append((header, marker))
        else:
            is_open = state.transaction_start_offset >= 0
            flags = TRANSACTIONAL_FLAG if is_open or name == "transactional" else 0
            header = batch(producer_id, state.next_sequence, count=count, flags=flags, timestamp=table.end_offset)
            header = header._replace(producer_epoch=state.epoch, base_offset=table.end_offset)
            assert table.check(header) is None
            table.append(header, table.end_offset)
            log.append((header, None))
    return table, log


def replay(table: ProducerTable, log: History) -> None:
    for header, marker in log:
        if header.base_offset >= table.end_offset:
            if marker is None:
                table.append(header, header.base_offset)
            else:
                table.append_marker(header, header.base_offset, marker)


def same(table: ProducerTable) -> tuple[dict[int, ProducerState], int | None, int | None, int]:
    table.on_high_watermark(table.end_offset)
    states = {state.producer_id: state for state in table}
    return states, table.first_unstable_offset, table.first_undecided_offset, table.end_offset


def numbers(state: ProducerState) -> list[tuple[int, int, int]]:
    """The batches without their timestamps: of the one in a snapshot that of a later marker may stand instead."""
    return [(found.last_sequence, found.last_offset, found.offset_delta) for found in state.batches]


@settings(deadline=None)
@given(steps)
def test_a_table_replayed_from_the_start_of_the_log_is_the_live_one(
    operations: list[tuple[str, int, int, int]],
) -> None:
    table, log = live(operations)
    rebuilt = new_table()
    replay(rebuilt, log)
    assert same(rebuilt) == same(table)


@settings(deadline=None)
@given(steps)
def test_a_table_from_its_newest_snapshot_is_the_live_one_but_for_older_batches(
    operations: list[tuple[str, int, int, int]],
) -> None:
    table, log = live(operations)
    live_states, *live_ends = same(table)
    offset = table.snapshots.latest_offset or 0
    table.end_offset += 1  # as if opened anew: the table is not where the log ends
    table.truncate_and_reload(0, table.end_offset - 1, now_ms=0)
    assert table.end_offset == offset
    replay(table, log)
    rebuilt_states, *rebuilt_ends = same(table)
    assert rebuilt_ends == live_ends
    assert rebuilt_states.keys() == live_states.keys()
    for producer_id, state in live_states.items():
        rebuilt = rebuilt_states[producer_id]
        assert numbers(rebuilt) == numbers(state)[len(state.batches) - len(rebuilt.batches) :]
        after_snapshot = [found for found in state.batches if found.first_offset >= offset]
        assert len(rebuilt.batches) >= min(len(state.batches), max(1, len(after_snapshot)))
        assert replace(rebuilt, batches=[]) == replace(state, batches=[])


@settings(deadline=None)
@given(steps, st.integers(0, 100))
def test_truncating_gives_the_table_of_the_shorter_log(
    operations: list[tuple[str, int, int, int]], percent: int
) -> None:
    table, log = live(operations)
    kept = log[: len(log) * percent // 100]
    end = log[len(kept)][0].base_offset if len(kept) < len(log) else table.end_offset
    table.truncate_and_reload(0, end, now_ms=0)
    replay(table, kept)
    expected = new_table()
    replay(expected, kept)
    states, *ends = same(table)
    expected_states, *expected_ends = same(expected)
    assert ends == expected_ends
    assert {i: (replace(s, batches=[]), numbers(s)[-1:]) for i, s in states.items()} == {
        i: (replace(s, batches=[]), numbers(s)[-1:]) for i, s in expected_states.items()
    }
