"""All logs of a broker: created, deleted, checkpointed, stopped, and what a failing directory takes along."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import BatchError
from kwire.storage.checkpoints import (
    CLEAN_SHUTDOWN,
    CLEANER_CHECKPOINT,
    HIGH_WATERMARK_CHECKPOINT,
    LOG_START_OFFSET_CHECKPOINT,
    RECOVERY_POINT_CHECKPOINT,
    TopicPartition,
    read_offsets,
    read_partition_metadata,
)
from kwire.storage.file_system import Access, FileSystem, StorageError
from kwire.storage.files import RealFileSystem
from kwire.storage.flush import FlushScope
from kwire.storage.log import Isolation
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.offset_map import OffsetMap
from kwire.storage.recovery import LogSettings
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import COMPACTED, NOW_MS, SMALL, append, fill, flush, make_batch, read_records

A, B, C = (TopicPartition("topic", number) for number in range(3))
TOPIC_ID = bytes(range(16))


def numbered_ids() -> Iterator[bytes]:
    number = 1000
    while True:
        number += 1
        yield number.to_bytes(16, "big")


def open_manager(
    files: FileSystem, *paths: str, config: LogConfig = SMALL, configs: dict[TopicPartition, LogConfig] | None = None
) -> LogManager:
    ids = numbered_ids()
    dirs = LogDirs.open(files, paths or ["/data"], node_id=1, new_id=lambda: next(ids), now_ms=NOW_MS)
    settings = LogSettings(files, lambda below: 0, producer_expiration_ms=2**62)
    return LogManager.open(settings, dirs, lambda partition: (configs or {}).get(partition, config), NOW_MS)


def checkpoint(manager: LogManager) -> None:
    for directory in manager.begin_checkpoint(NOW_MS):
        directory.write()
        manager.finish_checkpoint(directory)


@pytest.fixture
def files() -> FakeFileSystem:
    return FakeFileSystem()


@pytest.fixture
def manager(files: FakeFileSystem) -> LogManager:
    return open_manager(files)


def test_a_new_partition_has_kafkas_files(files: FakeFileSystem, manager: LogManager) -> None:
    log = manager.create(A, TOPIC_ID, SMALL, NOW_MS)
    assert manager.get(A) is log
    assert files.list_directory("/data/topic-0") == [
        f"{0:020d}.index",
        f"{0:020d}.log",
        f"{0:020d}.timeindex",
        "partition.metadata",
    ]
    assert read_partition_metadata(files, "/data/topic-0") == TOPIC_ID


def test_unknown_partitions_and_offline_ones_differ(files: FakeFileSystem) -> None:
    manager = open_manager(files, "/one", "/two")
    manager.create(A, TOPIC_ID, SMALL, NOW_MS)
    with pytest.raises(BrokerError) as raised:
        manager.get(B)
    assert raised.value.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    manager.take_offline(StorageError("/one/topic-0", errno.EIO))
    with pytest.raises(BrokerError) as raised:
        manager.get(A)
    assert raised.value.code is ErrorCode.KAFKA_STORAGE_ERROR


def test_a_clean_stop_and_start(files: FakeFileSystem, manager: LogManager) -> None:
    for partition in (A, B):
        log = manager.create(partition, TOPIC_ID, SMALL, NOW_MS)
        fill(log, segments=3)
    expected = {partition: read_records(log) for partition, log in manager.logs.items()}
    ends = {partition: log.log_end_offset for partition, log in manager.logs.items()}
    manager.get(B).delete_records_before(3)
    manager.shutdown(NOW_MS, broker_epoch=12)
    assert read_offsets(files, f"/data/{RECOVERY_POINT_CHECKPOINT}") == ends
    assert read_offsets(files, f"/data/{HIGH_WATERMARK_CHECKPOINT}") == ends
    assert read_offsets(files, f"/data/{LOG_START_OFFSET_CHECKPOINT}") == {B: 3}, "only where it says something"
    assert files.exists(f"/data/{CLEAN_SHUTDOWN}")

    found = open_manager(files.kill())
    assert found.log_dirs.online[0].had_clean_shutdown
    assert read_records(found.get(A)) == expected[A]
    assert read_records(found.get(B)) == expected[B][3:]
    assert {partition: log.high_watermark for partition, log in found.logs.items()} == ends


def test_a_stop_in_three_parts(files: FakeFileSystem, manager: LogManager) -> None:
    fill(manager.create(A, TOPIC_ID, SMALL, NOW_MS), segments=2)
    before = files.counts["sync"]
    parts = manager.begin_shutdown(NOW_MS)
    assert files.counts["sync"] == before, "nothing waits for the disk on the loop"
    for part in parts:
        part.write()
    manager.finish_shutdown(broker_epoch=1)
    assert open_manager(files.kill()).log_dirs.online[0].had_clean_shutdown


def test_a_checkpoint_moves_the_recovery_point_of_what_was_flushed(files: FakeFileSystem, manager: LogManager) -> None:
    flushed, not_flushed = (manager.create(partition, TOPIC_ID, SMALL, NOW_MS) for partition in (A, B))
    for log in (flushed, not_flushed):
        append(log, make_batch(b"value"))
    flush(flushed, FlushScope.RECORDS)
    checkpoint(manager)
    assert read_offsets(files, f"/data/{RECOVERY_POINT_CHECKPOINT}") == {A: 1, B: 0}
    assert (flushed.recovery_point, not_flushed.recovery_point) == (1, 0)
    assert read_offsets(files, f"/data/{HIGH_WATERMARK_CHECKPOINT}") == {A: 1, B: 1}


def test_the_checkpoint_is_lowered_before_a_truncation(files: FakeFileSystem, manager: LogManager) -> None:
    log = manager.create(A, TOPIC_ID, SMALL, NOW_MS)
    for _ in range(5):
        append(log, make_batch(b"value"))
    flush(log, FlushScope.RECOVERY_POINT)
    checkpoint(manager)
    before = files.operations
    assert manager.truncate_to(A, 2, NOW_MS)
    for operation in files.crash_points():
        if operation > before:
            survivor = files.kill(operation)
            kept = read_offsets(survivor, f"/data/{RECOVERY_POINT_CHECKPOINT}")[A]
            size = open_manager(survivor).get(A).log_end_offset
            assert kept == 2 or size == 5, "no moment at which the log is shorter than what counts as flushed"
    running = manager.begin_checkpoint(NOW_MS)
    with pytest.raises(AssertionError):
        manager.truncate_to(A, 1, NOW_MS)
    assert running


def test_deleted_partitions_go_with_their_checkpoints(files: FakeFileSystem, manager: LogManager) -> None:
    for partition in (A, B):
        append(manager.create(partition, TOPIC_ID, SMALL, NOW_MS), make_batch(b"value"))
    region = manager.get(A).read(0, 1000, Isolation.LOG_END).regions[0]
    checkpoint(manager)
    manager.delete(A, bytes(range(16)), NOW_MS)
    assert read_offsets(files, f"/data/{RECOVERY_POINT_CHECKPOINT}").keys() == {B}
    renamed = f"topic-0.{bytes(range(16)).hex()}-delete"
    assert renamed in files.list_directory("/data")
    assert len(region.read()) == region.size_bytes, "who reads may finish"
    list(manager.remove_deleted(NOW_MS + SMALL.file_delete_delay_ms - 1))
    assert renamed in files.list_directory("/data")
    steps = list(manager.remove_deleted(NOW_MS + SMALL.file_delete_delay_ms))
    assert len(steps) > 4, "a file a step"
    assert renamed not in files.list_directory("/data")
    assert manager.create(A, TOPIC_ID, SMALL, NOW_MS).log_end_offset == 0


def test_a_deletion_that_a_crash_interrupted_is_finished(files: FakeFileSystem, manager: LogManager) -> None:
    manager.create(A, TOPIC_ID, SMALL, NOW_MS)
    manager.delete(A, bytes(16), NOW_MS)
    survivor = files.kill()
    found = open_manager(survivor)
    assert found.logs == {}
    list(found.remove_deleted(NOW_MS))
    assert not any(name.endswith("-delete") for name in survivor.list_directory("/data"))


def test_checkpoints_of_partitions_that_are_not_there_are_dropped_at_the_start(
    files: FakeFileSystem, manager: LogManager
) -> None:
    append(manager.create(A, TOPIC_ID, SMALL, NOW_MS), make_batch(b"value"))
    manager.shutdown(NOW_MS, broker_epoch=1)
    survivor = files.kill()
    for name in survivor.list_directory("/data/topic-0"):
        survivor.remove(f"/data/topic-0/{name}")
    survivor.remove_directory("/data/topic-0")
    open_manager(survivor)
    assert read_offsets(survivor, f"/data/{RECOVERY_POINT_CHECKPOINT}") == {}


def test_a_malformed_checkpoint_costs_a_scan(
    files: FakeFileSystem, manager: LogManager, caplog: pytest.LogCaptureFixture
) -> None:
    append(manager.create(A, TOPIC_ID, SMALL, NOW_MS), make_batch(b"value"))
    manager.shutdown(NOW_MS, broker_epoch=1)
    survivor = files.kill()
    for name in (RECOVERY_POINT_CHECKPOINT, HIGH_WATERMARK_CHECKPOINT):
        survivor.open(f"/data/{name}", Access.WRITE).write_at(b"nonsense", 0)
    found = open_manager(survivor)
    assert len(read_records(found.get(A))) == 1
    assert len(caplog.messages) == 2


# Several directories.


def test_new_partitions_go_to_the_emptiest_directory(files: FakeFileSystem) -> None:
    manager = open_manager(files, "/one", "/two")
    for partition in (A, B, C):
        manager.create(partition, TOPIC_ID, SMALL, NOW_MS)
    assert [manager.get(partition).directory for partition in (A, B, C)] == [
        "/one/topic-0",
        "/two/topic-1",
        "/one/topic-2",
    ]


def test_a_directory_that_fails_takes_its_partitions_along(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture
) -> None:
    manager = open_manager(files, "/one", "/two")
    for partition in (A, B):
        manager.create(partition, TOPIC_ID, SMALL, NOW_MS)
    files.break_under("/one", errno.EIO)
    with pytest.raises(StorageError) as raised:
        append(manager.get(A), make_batch(b"value"))
    assert manager.take_offline(raised.value) == {A}
    assert manager.take_offline(raised.value) == frozenset(), "once is enough"
    assert len(caplog.records) == 1
    append(manager.get(B), make_batch(b"value"))
    sizes = {partition: log.size_bytes for partition, log in manager.logs.items()}
    first, second = manager.log_dirs.measure(manager.log_dirs.outline(sizes))
    assert (first.path, first.error, first.partition_sizes) == ("/one", ErrorCode.KAFKA_STORAGE_ERROR, {})
    assert second.partition_sizes == {B: manager.get(B).size_bytes}
    manager.shutdown(NOW_MS, broker_epoch=1)
    assert not files.exists(f"/one/{CLEAN_SHUTDOWN}")
    assert files.exists(f"/two/{CLEAN_SHUTDOWN}")


def test_a_directory_that_fails_at_the_start_does_not_hold_up_the_others(files: FakeFileSystem) -> None:
    manager = open_manager(files, "/one", "/two")
    for partition in (A, B):
        append(manager.create(partition, TOPIC_ID, SMALL, NOW_MS), make_batch(b"value"))
    manager.shutdown(NOW_MS, broker_epoch=1)
    survivor = files.kill()
    survivor.break_under("/one/topic-0", errno.EIO)
    found = open_manager(survivor, "/one", "/two")
    assert found.logs.keys() == {B}
    assert not found.log_dirs.holding("/one").is_online  # type: ignore[union-attr]


def test_creating_tries_the_next_directory(files: FakeFileSystem) -> None:
    manager = open_manager(files, "/one", "/two")
    files.break_under("/one", errno.ENOSPC)
    assert manager.create(A, TOPIC_ID, SMALL, NOW_MS).directory == "/two/topic-0"
    files.break_under("/two", errno.EROFS)
    with pytest.raises(BrokerError) as raised:
        manager.create(B, TOPIC_ID, SMALL, NOW_MS)
    assert raised.value.code is ErrorCode.KAFKA_STORAGE_ERROR


def test_a_stop_goes_on_past_a_directory_that_fails(files: FakeFileSystem) -> None:
    manager = open_manager(files, "/one", "/two")
    for partition in (A, B):
        append(manager.create(partition, TOPIC_ID, SMALL, NOW_MS), make_batch(b"value"))
    files.break_under("/one", errno.EIO)
    manager.shutdown(NOW_MS, broker_epoch=1)
    assert files.exists(f"/two/{CLEAN_SHUTDOWN}")
    assert not files.exists(f"/one/{CLEAN_SHUTDOWN}")


# Housekeeping.


def test_flushes_that_are_due(manager: LogManager) -> None:
    rolled, idle = (manager.create(partition, TOPIC_ID, SMALL, NOW_MS) for partition in (A, B))
    fill(rolled, segments=2)
    append(idle, make_batch(b"value"))
    flushes = manager.flushes_due(NOW_MS)
    assert [due.log for due in flushes] == [rolled]
    for due in flushes:
        due.ticket.sync()
    manager.finish_flushes(flushes)
    assert rolled.flushed_offset == rolled.log_end_offset
    assert manager.flushes_due(NOW_MS) == []


def test_retention_one_log_a_step(manager: LogManager) -> None:
    config = LogConfig(retention_ms=0, segment_bytes=600, segment_index_bytes=160, index_interval_bytes=80)
    for partition in (A, B):
        fill(manager.create(partition, TOPIC_ID, config, NOW_MS), segments=3)
    steps = manager.apply_retention(NOW_MS + 1)
    assert next(steps) is manager.get(A)
    assert (manager.get(A).size_bytes, manager.get(B).size_bytes > 0) == (0, True)
    assert list(steps) == [manager.get(B)]


def test_compaction_notes_how_far_it_came(files: FakeFileSystem) -> None:
    manager = open_manager(files, configs={A: COMPACTED})
    log = manager.create(A, TOPIC_ID, COMPACTED, NOW_MS)
    fill(log, segments=4)
    flush(log)
    cleaning = manager.begin_cleaning(OffsetMap(1000), NOW_MS)
    assert cleaning is not None
    assert manager.begin_cleaning(OffsetMap(1000), NOW_MS) is None, "one at a time"
    for _ in cleaning.steps():
        pass
    manager.finish_cleaning(cleaning, NOW_MS)
    active = log.local.segments.active.base_offset
    assert manager.cleaned_offsets == {A: active}
    assert manager.begin_cleaning(OffsetMap(1000), NOW_MS) is None, "nothing is dirty"
    checkpoint(manager)
    assert read_offsets(files, f"/data/{CLEANER_CHECKPOINT}") == {A: active}
    assert open_manager(files.kill(), configs={A: COMPACTED}).cleaned_offsets == {A: active}
    manager.truncate_to(A, active - 1, NOW_MS)
    assert manager.cleaned_offsets[A] <= active - 1


def test_a_log_with_a_damaged_batch_is_not_compacted_again(
    files: FakeFileSystem, caplog: pytest.LogCaptureFixture
) -> None:
    manager = open_manager(files, configs={A: COMPACTED})
    log = manager.create(A, TOPIC_ID, COMPACTED, NOW_MS)
    fill(log, segments=4)
    flush(log)
    files.open(log.local.segments[0].log.path, Access.WRITE).write_at(b"\x55", 70)
    cleaning = manager.begin_cleaning(OffsetMap(1000), NOW_MS)
    assert cleaning is not None
    with pytest.raises(BatchError) as raised:
        list(cleaning.steps())
    manager.give_up_cleaning(cleaning, raised.value, NOW_MS)
    assert manager.begin_cleaning(OffsetMap(1000), NOW_MS) is None
    assert "is not compacted any more" in caplog.text


def test_open_files_are_bounded(tmp_path: Path) -> None:
    files = RealFileSystem(open_files_max=10)
    manager = open_manager(files, str(tmp_path / "data"))
    partitions = [TopicPartition("topic", number) for number in range(40)]
    for partition in partitions:
        fill(manager.create(partition, TOPIC_ID, SMALL, NOW_MS), segments=2)
    assert files.open_files <= 11, "the lock of the directory beside them"
    assert all(len(read_records(manager.get(partition))) > 3 for partition in partitions)
    assert files.open_files <= 11
    manager.shutdown(NOW_MS, broker_epoch=1)
    found = open_manager(RealFileSystem(open_files_max=10), str(tmp_path / "data"))
    assert len(found.logs) == 40
    found.shutdown(NOW_MS, broker_epoch=1)
