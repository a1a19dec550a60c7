"""Opening a log: what is read after a clean stop, what is scanned, rebuilt and cut after a crash."""

from __future__ import annotations

import errno
from dataclasses import replace
from random import Random

import pytest

from kwire.errors import BrokerError
from kwire.records.control import ControlType
from kwire.storage.file_system import Access, StorageError
from kwire.storage.flush import FlushScope
from kwire.storage.log import Isolation, Log
from kwire.storage.recovery import KnownOffsets, Shutdown
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import (
    COMPACTED,
    DIRECTORY,
    SMALL,
    append,
    close,
    end_transaction,
    fill,
    flush,
    make_batch,
    make_transactional_batch,
    open_small_log,
    read_records,
)

ROOMY = replace(SMALL, segment_bytes=1 << 20, segment_index_bytes=1 << 14)


@pytest.fixture
def files() -> FakeFileSystem:
    return FakeFileSystem()


def write(files: FakeFileSystem, name: str, data: bytes, position: int) -> None:
    files.open(f"{DIRECTORY}/{name}", Access.WRITE).write_at(data, position)


def truncate(files: FakeFileSystem, name: str, size: int) -> None:
    files.open(f"{DIRECTORY}/{name}", Access.WRITE).truncate(size)


def index_entries(log: Log) -> list[list[tuple[int, int]]]:
    return [
        [segment.offset_index.entry(number) for number in range(segment.offset_index.entries)]
        for segment in log.local.segments
    ]


def closed_log(files: FakeFileSystem, segments: int = 3) -> Log:
    log = open_small_log(files)
    append(log, make_batch(b"a", producer_id=5, sequence=0))
    fill(log, segments=segments)
    append(log, make_batch(b"z", producer_id=5, sequence=1))
    close(log)
    return log


# After a clean stop.


def test_after_a_clean_stop_nothing_is_scanned(files: FakeFileSystem) -> None:
    log = closed_log(files)
    found_files = files.kill()
    found = open_small_log(found_files, shutdown=Shutdown.CLEAN)
    assert (found.log_end_offset, found.recovery_point) == (log.log_end_offset, log.log_end_offset)
    assert found_files.counts["write"] == found_files.counts["truncate"] == found_files.counts["sync"] == 0
    # Leader epochs, snapshot, last index entry, the headers behind it.
    assert found_files.counts["read"] <= 4
    state = found.producers.get(5)
    assert state is not None
    assert state.next_sequence == 2
    assert read_records(found) == read_records(open_small_log(files.kill()))


@pytest.mark.parametrize("suffix", [".index", ".timeindex"])
def test_a_missing_index_is_rebuilt_after_a_clean_stop_too(files: FakeFileSystem, suffix: str) -> None:
    log = closed_log(files)
    entries = index_entries(open_small_log(files.kill(), shutdown=Shutdown.CLEAN))
    survivor = files.kill()
    base_offset = log.local.segments[1].base_offset
    survivor.remove(f"{DIRECTORY}/{base_offset:020d}{suffix}")
    found = open_small_log(survivor, shutdown=Shutdown.CLEAN)
    assert index_entries(found) == entries
    assert found.local.segments[1].time_index.last_timestamp == found.local.segments[1].max_timestamp


def test_a_tail_that_was_damaged_after_a_clean_stop_is_cut(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture
) -> None:
    log = closed_log(files, segments=2)
    active = log.local.segments.active
    survivor = files.kill()
    write(survivor, f"{active.base_offset:020d}.log", bytes(30), active.size_bytes - 30)
    truncate(survivor, f"{active.base_offset:020d}.log", active.size_bytes - 5)
    found = open_small_log(survivor, shutdown=Shutdown.CLEAN)
    assert found.log_end_offset == log.log_end_offset - 1
    assert len(caplog.records) == 1


def test_an_empty_directory_is_a_log_at_its_start_offset(files: FakeFileSystem) -> None:
    log = open_small_log(files, known=KnownOffsets(log_start_offset=17))
    assert (log.log_start_offset, log.log_end_offset, log.high_watermark) == (17, 17, 17)
    assert files.list_directory(DIRECTORY) == [f"{17:020d}{suffix}" for suffix in (".index", ".log", ".timeindex")]


def test_checkpoints_beyond_the_log_are_bounded_by_it(files: FakeFileSystem) -> None:
    closed_log(files)
    found = open_small_log(files.kill(), known=KnownOffsets(0, recovery_point=9999, high_watermark=9999))
    assert found.recovery_point == found.high_watermark == found.log_end_offset


def test_a_log_start_beyond_the_end_empties_the_log(files: FakeFileSystem) -> None:
    closed_log(files)
    found = open_small_log(files.kill(), known=KnownOffsets(log_start_offset=9999))
    assert (found.log_start_offset, found.log_end_offset, len(found.local.segments)) == (9999, 9999, 1)


# After a crash.


def test_only_what_lies_past_the_recovery_point_is_scanned(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture
) -> None:
    log = open_small_log(files, ROOMY)
    for _ in range(100):
        append(log, make_batch(bytes(500)))
    flush(log, FlushScope.RECOVERY_POINT)
    known = KnownOffsets(recovery_point=log.recovery_point)
    for _ in range(10):
        append(log, make_batch(bytes(500)))
    size = log.size_bytes // 110
    # Damage shows what was looked at. The index entry before the recovery point is at most one interval away.
    for damaged, end_offset in ((50, 110), (97, 110), (100, 100), (105, 105)):
        survivor = files.kill()
        write(survivor, f"{0:020d}.log", b"\x55", damaged * size + 100)
        found = open_small_log(survivor, ROOMY, known=known)
        assert found.log_end_offset == end_offset
        if end_offset == 110:
            assert index_entries(found) == index_entries(log)
    assert open_small_log(survivor, ROOMY).log_end_offset == 105, "without a recovery point all is scanned"


def test_indexes_that_were_not_trimmed_are_counted_anew(files: FakeFileSystem) -> None:
    log = open_small_log(files)
    fill(log, segments=3)
    entries = index_entries(log)
    found = open_small_log(files.kill())
    assert index_entries(found) == entries
    for segment in found.local.segments:
        assert segment.offset_index.file.size_bytes == segment.offset_index.size_bytes


@pytest.mark.parametrize(
    ("suffix", "damage"),
    [
        (".index", bytes(8)),
        (".index", b"\xff" * 8),
        (".timeindex", bytes(12)),
        (".index", b"\x00\x00\x00\x01\x00\x00\x00\x01"),
    ],
)
def test_a_damaged_index_before_the_recovery_point_is_rebuilt(
    files: FakeFileSystem, suffix: str, damage: bytes
) -> None:
    log = closed_log(files)
    entries = index_entries(open_small_log(files.kill(), shutdown=Shutdown.CLEAN))
    segment = log.local.segments[0]
    survivor = files.kill()
    size = survivor.open(f"{DIRECTORY}/{segment.base_offset:020d}{suffix}", Access.READ).size_bytes
    write(survivor, f"{segment.base_offset:020d}{suffix}", damage, size - len(damage))
    truncate(survivor, f"{segment.base_offset:020d}{suffix}", size if damage.strip(b"\0") != b"\1\1" else size - 3)
    found = open_small_log(survivor, known=KnownOffsets(recovery_point=log.log_end_offset))
    assert index_entries(found) == entries
    assert found.local.segments[0].max_timestamp == log.local.segments[0].max_timestamp


@pytest.mark.parametrize("cut_bytes", [1, 30, 61, 62])
def test_a_torn_tail_is_cut_with_one_line_that_says_so(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture, cut_bytes: int
) -> None:
    log = open_small_log(files)
    for _ in range(5):
        append(log, make_batch(b"value"))
    size = log.size_bytes
    survivor = files.kill()
    truncate(survivor, f"{0:020d}.log", size - cut_bytes)
    found = open_small_log(survivor)
    assert [record.offset for record in read_records(found)] == [0, 1, 2, 3]
    assert found.size_bytes == size // 5 * 4
    (line,) = caplog.messages
    assert f"cut at position {size // 5 * 4} of {size - cut_bytes}, the log goes on at offset 4" in line


@pytest.mark.parametrize("position", [8, 16, 17, 25, 70])
def test_a_batch_that_is_not_as_it_was_written_ends_the_log(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture, position: int
) -> None:
    log = open_small_log(files)
    for _ in range(3):
        append(log, make_batch(b"value"))
    size = log.size_bytes // 3
    survivor = files.kill()
    write(survivor, f"{0:020d}.log", b"\x55", size + position)
    assert open_small_log(survivor).log_end_offset == 1
    assert len(caplog.records) == 1


def test_a_wrong_offset_ends_a_log_that_is_not_compacted(files: FakeFileSystem) -> None:
    log = open_small_log(files)
    for _ in range(3):
        append(log, make_batch(b"value"))
    size = log.size_bytes // 3
    for config, end_offset in ((SMALL, 1), (COMPACTED, 257)):
        survivor = files.kill()
        write(survivor, f"{0:020d}.log", b"\x01\x00", size + 6)  # base offset 256, which no CRC covers
        assert open_small_log(survivor, config).log_end_offset == end_offset


def test_segments_behind_a_cut_are_removed(files: FakeFileSystem, caplog: pytest.LogCaptureFixture) -> None:
    log = open_small_log(files)
    fill(log, segments=4)
    second = log.local.segments[1]
    survivor = files.kill()
    write(survivor, f"{second.base_offset:020d}.log", b"\x55", 70)
    found = open_small_log(survivor)
    assert found.log_end_offset == second.base_offset
    assert len(found.local.segments) == 2
    assert [name for name in survivor.list_directory(DIRECTORY) if name.endswith(".log")] == [
        f"{0:020d}.log",
        f"{second.base_offset:020d}.log",
    ]
    assert len(caplog.messages) == 2
    assert f"removed 2 segments from offset {log.local.segments[2].base_offset} on" in caplog.messages[1]


def test_a_batch_larger_than_the_buffer_is_checked_in_parts(files: FakeFileSystem) -> None:
    log = open_small_log(files, replace(ROOMY, segment_bytes=1 << 24))
    append(log, make_batch(bytes(300_000)))
    append(log, make_batch(b"behind it"))
    assert open_small_log(files.kill(), ROOMY).log_end_offset == 2
    survivor = files.kill()
    write(survivor, f"{0:020d}.log", b"\x55", 200_000)
    assert open_small_log(survivor, ROOMY).log_end_offset == 0


def test_leader_epochs_are_those_of_the_batches(files: FakeFileSystem) -> None:
    log = open_small_log(files)
    append(log, make_batch(b"a"), leader_epoch=1)
    flush(log)
    append(log, make_batch(b"b"), leader_epoch=4)
    found = open_small_log(files.kill())
    assert found.leader_epochs.entries == log.leader_epochs.entries == ((1, 0), (4, 1))
    survivor = files.kill()
    truncate(survivor, f"{0:020d}.log", log.size_bytes - 1)
    assert open_small_log(survivor).leader_epochs.entries == ((1, 0),)


@pytest.mark.parametrize("shutdown", Shutdown)
def test_a_malformed_epoch_file_is_made_anew(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture, shutdown: Shutdown
) -> None:
    log = open_small_log(files)
    for number in range(12):
        append(log, make_batch(bytes(40)), leader_epoch=number // 5)
    close(log)
    survivor = files.kill()
    write(survivor, "leader-epoch-checkpoint", b"nonsense\n", 0)
    found = open_small_log(survivor, shutdown=shutdown)
    assert found.leader_epochs.entries == log.leader_epochs.entries == ((0, 0), (1, 5), (2, 10))
    assert "leader-epoch-checkpoint, line 1" in caplog.text


def test_producers_and_aborted_transactions_are_made_anew(files: FakeFileSystem) -> None:
    log = open_small_log(files)
    append(log, make_transactional_batch(b"a", producer_id=5, sequence=0))
    fill(log, segments=2)
    end_transaction(log, 5, ControlType.ABORT)
    append(log, make_transactional_batch(b"b", producer_id=6, sequence=7))
    expected = [segment.transaction_index.all() for segment in log.local.segments]
    assert expected[-1]
    survivor = files.kill()
    for name in survivor.list_directory(DIRECTORY):
        if name.endswith((".txnindex", ".snapshot")):
            survivor.remove(f"{DIRECTORY}/{name}")
    found = open_small_log(survivor)
    assert [segment.transaction_index.all() for segment in found.local.segments] == expected
    states = {state.producer_id: state for state in found.producers}
    assert states.keys() == {5, 6}
    assert (states[5].transaction_start_offset, states[6].transaction_start_offset) == (-1, log.log_end_offset - 1)
    assert states[6].next_sequence == 8


def test_damage_in_a_flushed_segment_does_not_keep_the_log_from_opening(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture
) -> None:
    log = closed_log(files)
    survivor = files.kill()
    write(survivor, f"{log.local.segments[1].base_offset:020d}.log", bytes(4), 8)  # the length of its first batch
    for name in survivor.list_directory(DIRECTORY):
        if name.endswith((".snapshot", "leader-epoch-checkpoint")):
            survivor.remove(f"{DIRECTORY}/{name}")
    found = open_small_log(survivor, shutdown=Shutdown.CLEAN)
    assert found.log_end_offset == log.log_end_offset
    state = found.producers.get(5)
    assert state is not None
    assert state.next_sequence == 2, "from the segments before and behind it"
    assert "what producers wrote behind it" in caplog.text
    with pytest.raises(BrokerError, match="CORRUPT_MESSAGE"):
        found.read(log.local.segments[1].base_offset, 100, Isolation.LOG_END)


def test_a_log_is_flushed_once_more_after_recovery(files: FakeFileSystem) -> None:
    """What survived a kill need not be on disk: the recovery point moves only with a sync."""
    log = open_small_log(files)
    files.sync_directory("/")
    files.sync_directory("/data")
    fill(log, segments=3)
    survivor = files.kill()
    found = open_small_log(survivor)
    assert found.recovery_point == 0
    assert found.is_flush_due(0)
    flush(found)
    assert found.recovery_point == found.local.segments.active.base_offset
    again = open_small_log(survivor.crash(Random(1)), known=KnownOffsets(recovery_point=found.recovery_point))
    assert again.log_end_offset >= found.flushed_offset


def test_a_disk_that_fails_during_recovery_is_a_storage_error(files: FakeFileSystem) -> None:
    log = open_small_log(files)
    fill(log, segments=3)
    for operation in range(1, 30):
        survivor = files.kill()
        survivor.fail(operation, errno.EIO)
        with pytest.raises(StorageError):
            open_small_log(survivor)
