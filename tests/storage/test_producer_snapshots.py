"""Snapshots: Kafka's bytes both ways, damage is noticed at every byte, and the files in a directory."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.records.batch import iter_batches
from kwire.records.control import read_marker
from kwire.storage.file_system import Access
from kwire.storage.producer_snapshots import (
    CorruptSnapshotError,
    ProducerSnapshots,
    decode_snapshot,
    encode_snapshot,
)
from kwire.storage.producer_state import BatchMetadata, ProducerState
from kwire.storage.producer_table import CompletedTransaction, ProducerTable
from kwire.testing.fake_files import FakeFileSystem

GOLDEN = Path(__file__).parent / "golden"


def directory(*offsets: int) -> tuple[FakeFileSystem, ProducerSnapshots]:
    files = FakeFileSystem()
    files.make_directory("/t-0")
    files.sync_directory("/")
    snapshots = ProducerSnapshots(files, "/t-0")
    for offset in offsets:
        snapshots.write(offset, [ProducerState(offset)]).close()
    return files, snapshots


@pytest.mark.parametrize("name", ["idempotent", "transactional", "empty"])
def test_kafkas_snapshots_are_read_and_written_alike(name: str) -> None:
    content = (GOLDEN / f"{name}.snapshot").read_bytes()
    assert encode_snapshot(decode_snapshot(content)) == content


def test_what_kafka_noted_of_an_open_transaction() -> None:
    (state,) = decode_snapshot((GOLDEN / "transactional.snapshot").read_bytes())
    assert state == ProducerState(
        producer_id=3,
        epoch=0,
        coordinator_epoch=0,
        last_timestamp=1_794_800_963_510,
        transaction_start_offset=9,
        next_sequence=9,
        batches=[BatchMetadata(8, 11, 0, 1_794_800_963_510)],
    )


@pytest.mark.parametrize("name", ["idempotent", "transactional"])
def test_replaying_kafkas_log_gives_kafkas_snapshot(name: str) -> None:
    log = (GOLDEN / f"{name}.log").read_bytes()
    files, _ = directory()
    table = ProducerTable(files, "/t-0")
    completed: list[CompletedTransaction] = []
    for position, header in iter_batches(log):
        marker = read_marker(log, position, header) if header.is_control else None
        if marker is None:
            assert table.check(header) is None
            table.append(header, header.base_offset)
        else:
            found = table.append_marker(header, header.base_offset, marker)
            completed += [found] if found else []
    assert encode_snapshot(table) == (GOLDEN / f"{name}.snapshot").read_bytes()
    if name == "transactional":
        assert [transaction.is_aborted for transaction in completed] == [False, True, False]
        aborted = (GOLDEN / "transactional.txnindex").read_bytes()
        assert aborted == b"".join(number.to_bytes(8, "big") for number in completed[1][:4]).rjust(34, b"\0")


def test_damage_at_any_byte_is_noticed() -> None:
    content = (GOLDEN / "transactional.snapshot").read_bytes()
    for position in range(len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 0x10
        with pytest.raises(CorruptSnapshotError):
            decode_snapshot(bytes(damaged))
        with pytest.raises(CorruptSnapshotError):
            decode_snapshot(content[:position])
    with pytest.raises(CorruptSnapshotError):
        decode_snapshot(content + b"\0")


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(CorruptSnapshotError, match="version 2"):
        decode_snapshot(b"\0\2" + (GOLDEN / "empty.snapshot").read_bytes()[2:])


int16, int32, int64 = (st.integers(-1, 2**bits - 1) for bits in (15, 31, 63))
batches = st.builds(BatchMetadata, st.integers(0, 2**31 - 1), st.integers(0, 2**63 - 1), st.integers(0, 1000), int64)


@st.composite
def states(draw: st.DrawFn) -> ProducerState:
    found = draw(st.lists(batches, max_size=1))
    timestamp = found[0].timestamp if found else draw(int64)
    following = (found[0].last_sequence + 1) & (2**31 - 1) if found else 0
    return ProducerState(
        draw(st.integers(0, 2**63 - 1)), draw(int16), draw(int32), timestamp, draw(int64), following, found
    )


@given(st.lists(states(), max_size=8, unique_by=lambda state: state.producer_id))
def test_states_come_back_in_the_order_of_their_ids(given_states: list[ProducerState]) -> None:
    assert decode_snapshot(encode_snapshot(given_states)) == sorted(given_states, key=lambda s: s.producer_id)


def test_names_are_kafkas_and_found_again() -> None:
    files, snapshots = directory(42, 7)
    assert files.list_directory("/t-0") == ["00000000000000000007.snapshot", "00000000000000000042.snapshot"]
    assert snapshots.offsets == (7, 42)
    for name in ("00000000000000000042.log", "00000000000000000050.snapshot.deleted", "x.snapshot"):
        files.open(f"/t-0/{name}", Access.CREATE)
    assert ProducerSnapshots(files, "/t-0").offsets == (7, 42)
    assert ProducerSnapshots(files, "/t-0", ["00000000000000000009.snapshot"]).offsets == (9,)


def test_the_newest_readable_snapshot_is_loaded_and_newer_ones_are_removed() -> None:
    files, snapshots = directory(5, 10, 15, 20)
    files.open(snapshots.path(20), Access.WRITE).truncate(0)
    files.open(snapshots.path(15), Access.WRITE).write_at(b"\xff", 12)
    loaded = snapshots.load_latest()
    assert loaded is not None
    assert (loaded[0], [state.producer_id for state in loaded[1]]) == (10, [10])
    assert snapshots.offsets == ProducerSnapshots(files, "/t-0").offsets == (5, 10)


def test_without_a_readable_snapshot_there_is_none() -> None:
    files, snapshots = directory(5)
    files.open(snapshots.path(5), Access.WRITE).truncate(9)
    assert snapshots.load_latest() is None
    assert files.list_directory("/t-0") == []


def test_a_snapshot_that_vanished_is_passed_over() -> None:
    files, snapshots = directory(5, 10)
    files.remove(snapshots.path(10))
    loaded = snapshots.load_latest()
    assert loaded is not None
    assert loaded[0] == 5


def test_an_older_longer_snapshot_of_the_same_offset_is_replaced() -> None:
    files, snapshots = directory()
    snapshots.write(5, [ProducerState(n) for n in range(9)]).close()
    snapshots.write(5, [ProducerState(1)]).close()
    assert snapshots.offsets == (5,)
    assert ProducerSnapshots(files, "/t-0").load_latest() == (5, [ProducerState(1)])


@pytest.mark.parametrize(
    ("call", "arguments", "left"),
    [
        ("remove", (15,), (5, 10, 20)),
        ("remove", (6,), (5, 10, 15, 20)),
        ("remove_before", (15,), (15, 20)),
        ("remove_before", (0,), (5, 10, 15, 20)),
        ("remove_outside", (5, 15), (10, 15)),
        ("remove_outside", (0, 4), ()),
        ("remove_strays", ([0, 10, 15],), (10, 15, 20)),
        ("remove_strays", ([0, 10, 18],), (10, 20)),
        ("remove_strays", ([0, 10, 30],), (10,)),
        ("remove_strays", ([],), (20,)),
    ],
)
def test_snapshots_that_do_not_fit_the_log_are_removed(call: str, arguments: tuple, left: tuple[int, ...]) -> None:
    files, snapshots = directory(5, 10, 15, 20)
    getattr(snapshots, call)(*arguments)
    assert snapshots.offsets == ProducerSnapshots(files, "/t-0").offsets == left


def test_a_deleted_segments_snapshot_is_renamed_first() -> None:
    files, snapshots = directory(5, 10)
    assert snapshots.mark_deleted(5) == "/t-0/00000000000000000005.snapshot.deleted"
    assert snapshots.mark_deleted(6) is None
    files.remove(snapshots.path(10))
    assert snapshots.mark_deleted(10) is None
    assert snapshots.offsets == ()
    assert files.list_directory("/t-0") == ["00000000000000000005.snapshot.deleted"]


def test_a_power_loss_leaves_a_snapshot_whole_or_recognised_as_damaged() -> None:
    files, snapshots = directory()
    snapshots.write(5, [ProducerState(1, epoch=1)]).sync()
    files.sync_directory("/t-0")
    snapshots.write(10, [ProducerState(n, epoch=2) for n in range(50)]).close()
    seen: set[int] = set()
    for seed in range(200):
        after = files.crash(Random(seed), bit_flips=seed % 2)
        loaded = ProducerSnapshots(after, "/t-0").load_latest()
        assert loaded is not None
        assert len(loaded[1]) == {5: 1, 10: 50}[loaded[0]]
        assert {state.epoch for state in loaded[1]} == {loaded[0] // 5}
        seen.add(loaded[0])
    assert seen == {5, 10}
