"""Compaction over segments: groups, what takes the place of what, when, and what happens to a damaged log.

What stays of a batch is tested with `compaction`; crashes in between with `log_crashes`.
"""

from __future__ import annotations

import errno
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from kwire.records.batch import BatchError
from kwire.records.control import ControlType
from kwire.storage.cleanable import measure_dirt
from kwire.storage.cleaner import Cleaning, begin_cleaning, finish_cleaning, group_segments
from kwire.storage.file_system import Access, StorageError
from kwire.storage.files import RealFileSystem
from kwire.storage.log import Isolation, Log
from kwire.storage.offset_map import OffsetMap
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import (
    COMPACTED,
    DIRECTORY,
    NOW_MS,
    append,
    close,
    end_transaction,
    flush,
    make_batch,
    make_transactional_batch,
    open_small_log,
    read_records,
)


@pytest.fixture
def files() -> FakeFileSystem:
    return FakeFileSystem()


def fill_with_keys(log: Log, records: int, keys: int = 4) -> None:
    for number in range(records):
        append(log, make_batch(b"%20d" % number, key=b"key-%d" % (number % keys), timestamp=NOW_MS + number))
    flush(log)


@pytest.fixture
def log(files: FakeFileSystem) -> Log:
    log = open_small_log(files, COMPACTED)
    fill_with_keys(log, 40)
    return log


def begin(log: Log, map_bytes: int = 4000, cleaned_offset: int = 0, now_ms: int = NOW_MS) -> Cleaning:
    return begin_cleaning(measure_dirt(log, cleaned_offset, now_ms), OffsetMap(map_bytes), now_ms)


def clean(log: Log, map_bytes: int = 4000, cleaned_offset: int = 0, now_ms: int = NOW_MS) -> Cleaning:
    cleaning = begin(log, map_bytes, cleaned_offset, now_ms)
    for _ in cleaning.steps():
        pass
    finish_cleaning(cleaning, now_ms)
    return cleaning


def names(files: FakeFileSystem, suffix: str) -> list[str]:
    return [name for name in files.list_directory(DIRECTORY) if name.endswith(suffix)]


def test_the_latest_of_every_key_stays_at_its_offset(log: Log) -> None:
    active = log.local.segments.active.base_offset
    before = read_records(log)
    cleaning = clean(log)
    latest = {record.key: record.offset for record in before if record.offset < active}
    expected = [record for record in before if record.offset >= active or record.offset == latest[record.key]]
    assert read_records(log) == expected
    assert cleaning.cleaned_offset == active
    assert cleaning.stats.records_kept == len(expected) - sum(record.offset >= active for record in before)
    assert log.log_end_offset == 40


def test_old_files_go_after_the_delay_and_can_be_read_until_then(files: FakeFileSystem, log: Log) -> None:
    regions = log.read(0, 1 << 20, Isolation.LOG_END).regions
    content = [region.read() for region in regions]
    closed = len(log.local.segments) - 1
    clean(log)
    assert len(names(files, ".log.deleted")) == closed
    assert [region.read() for region in log.read(0, 1, Isolation.LOG_END).regions] != content[:1]
    assert [region.read() for region in regions] == content
    log.remove_dropped(NOW_MS + COMPACTED.file_delete_delay_ms)
    assert names(files, ".deleted") == names(files, ".swap") == names(files, ".cleaned") == []
    # One segment in the place of each group, its snapshot kept where its base offset is.
    bases = [segment.base_offset for segment in log.local.segments]
    assert names(files, ".log") == [f"{base:020d}.log" for base in bases]
    assert names(files, ".snapshot") == [f"{base:020d}.snapshot" for base in bases if base]


def test_small_segments_become_one(log: Log) -> None:
    many = len(log.local.segments)
    clean(log)
    assert len(log.local.segments) == many, "each was as large as a segment may be"
    fill_with_keys(log, 12)
    clean(log, cleaned_offset=40)
    few = len(log.local.segments)
    assert few < many
    assert read_records(log)[-1].offset == log.log_end_offset - 1


def test_groups_fit_a_segment(log: Log) -> None:
    closed = log.local.segments.closed
    sizes = [segment.size_bytes for segment in closed]
    assert [len(group) for group in group_segments(closed, log.config)] == [1] * len(closed)
    roomy = replace(COMPACTED, segment_bytes=sum(sizes[:3]), segment_index_bytes=1 << 20)
    assert len(group_segments(closed, roomy)[0]) == 3
    index_bytes = [segment.time_index.size_bytes for segment in closed]
    narrow = replace(COMPACTED, segment_bytes=1 << 20, segment_index_bytes=sum(index_bytes[:2]))
    assert len(group_segments(closed, narrow)[0]) == 2
    assert group_segments([], roomy) == []


def test_a_full_map_ends_the_pass_where_the_next_one_begins(log: Log) -> None:
    active = log.local.segments.active.base_offset
    cleaned, passes = 0, 0
    while cleaned < active:
        cleaning = clean(log, map_bytes=80, cleaned_offset=cleaned)  # two keys
        assert cleaning.cleaned_offset > cleaned
        cleaned = cleaning.cleaned_offset
        passes += 1
    assert passes > 1
    records = [record for record in read_records(log) if record.offset < active]
    assert {record.key for record in records} == {b"key-0", b"key-1", b"key-2", b"key-3"}


def test_tombstones_go_after_their_retention(files: FakeFileSystem) -> None:
    log = open_small_log(files, COMPACTED)
    append(log, make_batch(b"value", key=b"gone"))
    append(log, make_batch(None, key=b"gone"))
    fill_with_keys(log, 12)
    clean(log)
    assert [record.value for record in read_records(log) if record.key == b"gone"] == [None]
    clean(log, now_ms=NOW_MS + COMPACTED.delete_retention_ms - 1)
    assert [record.value for record in read_records(log) if record.key == b"gone"] == [None]
    clean(log, now_ms=NOW_MS + COMPACTED.delete_retention_ms)
    assert [record.value for record in read_records(log) if record.key == b"gone"] == []


def test_aborted_data_goes_and_its_index_entry_stays_with_the_marker(files: FakeFileSystem) -> None:
    log = open_small_log(files, COMPACTED)
    append(log, make_transactional_batch(b"aborted", producer_id=5, sequence=0))
    append(log, make_transactional_batch(b"committed", producer_id=6, sequence=0))
    end_transaction(log, 5, ControlType.ABORT)
    end_transaction(log, 6, ControlType.COMMIT)
    log.advance_high_watermark(log.log_end_offset)
    fill_with_keys(log, 12)
    clean(log)
    values = [record.value for record in read_records(log)]
    assert b"aborted" not in values
    assert b"committed" in values
    assert log.read(0, 1 << 20, Isolation.LAST_STABLE).aborted_transactions == ((5, 0, 2, 1),)
    # Its producer's sequence hangs on the batch, so that an empty one is left.
    close(log)
    found = open_small_log(files.kill(), COMPACTED)
    state = found.producers.get(5)
    assert state is not None
    assert state.next_sequence == 1


def test_the_modification_time_is_that_of_the_newest_source(files: FakeFileSystem) -> None:
    log = open_small_log(files, COMPACTED)
    files.now_ms = 5000
    fill_with_keys(log, 30)
    files.now_ms = 9000
    clean(log)
    assert files.modified_ms(log.local.segments[0].log.path) == 5000


def test_the_log_is_written_and_read_while_it_is_compacted(log: Log) -> None:
    """Between any two steps, as on the event loop."""
    cleaning = begin(log)
    expected = read_records(log)
    for number, _ in enumerate(cleaning.steps()):
        assert read_records(log) == expected
        if number % 3 == 0:
            append(log, make_batch(b"meanwhile", key=b"new"))
            expected = read_records(log)
    finish_cleaning(cleaning, NOW_MS)
    assert read_records(log)[-1] == expected[-1]


def test_a_worker_compacts_while_the_loop_goes_on(tmp_path: Path) -> None:
    log = open_small_log(RealFileSystem(open_files_max=8), COMPACTED, directory=str(tmp_path / "topic-0"))
    fill_with_keys(log, 400)
    cleaning = begin(log)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in cleaning.steps():
                pass
        except BaseException as error:
            errors.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    reads = 0
    while worker.is_alive() or not reads:
        assert [record.offset for record in read_records(log)][:400] == list(range(400))
        append(log, make_batch(b"meanwhile", key=b"new"))
        reads += 1
    worker.join()
    finish_cleaning(cleaning, NOW_MS)
    assert errors == []
    latest = {record.key: record.value for record in read_records(log)}
    assert latest == {b"new": b"meanwhile", **{b"key-%d" % key: b"%20d" % (396 + key) for key in range(4)}}


def test_steps_are_many(log: Log) -> None:
    assert sum(1 for _ in begin(log).steps()) > log.local.segments.active.base_offset


def test_a_damaged_batch_is_not_made_to_look_sound(files: FakeFileSystem, log: Log) -> None:
    second = log.local.segments[1]
    files.open(second.log.path, Access.WRITE).write_at(b"\x55", 70)
    before = [segment.log.read_at(segment.size_bytes, 0) for segment in log.local.segments]
    cleaning = begin(log)
    with pytest.raises(BatchError):
        for _ in cleaning.steps():
            pass
    finish_cleaning(cleaning, NOW_MS)
    after = [segment.log.read_at(segment.size_bytes, 0) for segment in log.local.segments]
    assert after[1:] == before[1:]
    assert cleaning.cleaned_offset <= second.base_offset
    assert names(files, ".cleaned") == []
    assert not log.is_cleaning


def test_a_disk_that_fails_ends_the_compaction_with_a_storage_error(files: FakeFileSystem, log: Log) -> None:
    expected = {record.key: record for record in read_records(log)}
    failures = 0
    while True:
        survivor = files.kill()
        found = open_small_log(survivor, COMPACTED)
        found.advance_high_watermark(found.log_end_offset)
        flush(found)
        cleaning = begin(found)
        survivor.fail(survivor.operations + 1 + 5 * failures, errno.EIO)
        try:
            for _ in cleaning.steps():
                pass
        except StorageError:
            failures += 1
            again = open_small_log(survivor.kill(), COMPACTED)
            assert {record.key: record for record in read_records(again)} == expected
        else:
            break
    assert failures > 10


def test_two_at_once_are_refused(log: Log) -> None:
    begin(log)
    with pytest.raises(AssertionError):
        begin(log)
