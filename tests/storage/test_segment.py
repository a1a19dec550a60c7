"""A segment: what it finds, what it hands out, when it must be rolled, what its indexes hold."""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from kwire.errors import ErrorCode
from kwire.records.batch import BatchError, iter_batches, patch_offsets
from kwire.storage.file_system import Access, StorageError
from kwire.storage.log_config import LogConfig
from kwire.storage.segment import BatchSpan, Segment
from kwire.storage.segment_files import OFFSET_INDEX, TIME_INDEX
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import NOW_MS, SMALL, make_batch

BASE = 1000
ROOMY = replace(SMALL, segment_bytes=1 << 20, segment_index_bytes=1 << 16)


def make_segment(config: LogConfig = ROOMY, files: FakeFileSystem | None = None) -> Segment:
    files = files or FakeFileSystem()
    files.make_directory("/log")
    return Segment.create(files, "/log", BASE, config, now_ms=NOW_MS)


def add(segment: Segment, *values: bytes, timestamp: int = NOW_MS, base_offset: int | None = None) -> BatchSpan:
    header, data = make_batch(*values, timestamp=timestamp)
    base_offset = segment.next_offset() if base_offset is None else base_offset
    patch_offsets(data, 0, base_offset, 0)
    span = len(data), base_offset, base_offset + header.last_offset_delta, header.max_timestamp
    segment.append(data, [span])
    return span


def reopen(segment: Segment, files: FakeFileSystem, config: LogConfig = ROOMY) -> Segment:
    return Segment.open(files, "/log", BASE, config, [OFFSET_INDEX, TIME_INDEX], now_ms=NOW_MS)


def offsets_in(data: bytes) -> list[int]:
    return [header.base_offset for _, header in iter_batches(data)]


@pytest.mark.parametrize("batches", [5, 500], ids=["in memory", "through the index"])
def test_locate_finds_the_batch_that_holds_an_offset(batches: int) -> None:
    segment = make_segment()
    spans = [add(segment, b"a", b"b", b"c") for _ in range(batches)]
    position = 0
    for size, base_offset, last_offset, _ in spans:
        for offset in range(base_offset, last_offset + 1):
            assert segment.locate(offset) == (position, size)
        position += size
    assert segment.locate(segment.next_offset()) is None


def test_locate_goes_to_the_next_batch_from_a_gap() -> None:
    segment = make_segment()
    add(segment, b"a", base_offset=BASE)
    _, base_offset, _, _ = add(segment, b"b", base_offset=BASE + 10)
    size = segment.size_bytes // 2
    assert segment.locate(BASE + 5) == segment.locate(base_offset) == (size, size)
    assert reopen(segment, segment.file_system).locate(BASE + 5) == (size, size)


def test_readers_at_the_end_cost_no_read() -> None:
    files = FakeFileSystem()
    segment = make_segment(files=files)
    for _ in range(200):
        add(segment, b"value")
    before = files.counts["read"]
    for offset in range(segment.next_offset() - 60, segment.next_offset()):
        assert segment.read(offset, 1 << 20, segment.size_bytes) is not None
    assert files.counts["read"] == before


@pytest.mark.parametrize("max_bytes", [0, 1, 100])
def test_the_first_batch_is_whole_even_over_the_limit(max_bytes: int) -> None:
    segment = make_segment()
    size, _, last_offset, _ = add(segment, bytes(300), b"b")
    add(segment, b"c")
    region = segment.read(last_offset, max_bytes, segment.size_bytes)
    assert region is not None
    assert (region.position, region.size_bytes) == (0, size)
    assert offsets_in(region.read()) == [BASE]


def test_a_read_ends_at_the_limit_and_at_the_last_position() -> None:
    segment = make_segment()
    sizes = [add(segment, b"value")[0] for _ in range(5)]
    region = segment.read(BASE, sizes[0] + sizes[1] + 3, segment.size_bytes)
    assert region is not None
    assert region.size_bytes == sizes[0] + sizes[1] + 3, "the last batch may be cut off"
    region = segment.read(BASE, 1 << 20, sizes[0] + sizes[1])
    assert region is not None
    assert region.size_bytes == sizes[0] + sizes[1]
    assert segment.read(BASE + 2, 1 << 20, sizes[0] + sizes[1]) is None


# Rolling.


def test_must_roll_by_size() -> None:
    segment = make_segment(replace(ROOMY, segment_bytes=1000))
    assert not segment.must_roll(5000, BASE, NOW_MS, NOW_MS, 0), "an empty segment takes whatever fits the log at all"
    size = add(segment, b"value")[0]
    assert not segment.must_roll(1000 - size, BASE + 1, NOW_MS, NOW_MS, 0)
    assert segment.must_roll(1001 - size, BASE + 1, NOW_MS, NOW_MS, 0)


def test_must_roll_by_the_time_of_records() -> None:
    segment = make_segment(replace(ROOMY, segment_ms=100))
    add(segment, b"value", timestamp=NOW_MS)
    assert not segment.must_roll(10, BASE + 1, NOW_MS + 100, NOW_MS + 10**6, 0), "the broker's time does not count"
    assert segment.must_roll(10, BASE + 1, NOW_MS + 101, NOW_MS, 0)
    assert segment.must_roll(10, BASE + 1, NOW_MS + 91, NOW_MS, 10), "jitter"
    assert not segment.must_roll(10, BASE + 1, NOW_MS - 10**6, NOW_MS, 0)


def test_must_roll_by_the_brokers_time_without_timestamps() -> None:
    segment = make_segment(replace(ROOMY, segment_ms=100))
    add(segment, b"value", timestamp=-1)
    assert not segment.must_roll(10, BASE + 1, -1, NOW_MS + 100, 0)
    assert segment.must_roll(10, BASE + 1, -1, NOW_MS + 101, 0)


def test_must_roll_within_the_compaction_lag() -> None:
    config = replace(ROOMY, segment_ms=1000, max_compaction_lag_ms=50, cleanup_policy=frozenset({"compact"}))
    segment = make_segment(config)
    add(segment, b"value")
    assert not segment.must_roll(10, BASE + 1, NOW_MS + 50, NOW_MS, 0)
    assert segment.must_roll(10, BASE + 1, NOW_MS + 51, NOW_MS, 0)


def test_must_roll_when_an_index_is_full() -> None:
    segment = make_segment(replace(ROOMY, segment_index_bytes=24, index_interval_bytes=0))
    add(segment, b"1")
    assert not segment.must_roll(10, BASE + 1, NOW_MS, NOW_MS, 0)
    add(segment, b"2")
    assert segment.time_index.is_full, "of its two entries one is kept for the roll"
    assert segment.must_roll(10, BASE + 2, NOW_MS, NOW_MS, 0)


@pytest.mark.parametrize("is_empty", [True, False])
def test_must_roll_beyond_the_range_of_offsets(is_empty: bool) -> None:
    segment = make_segment()
    if not is_empty:
        add(segment, b"value")
    assert not segment.must_roll(10, BASE + 2**31 - 1, NOW_MS, NOW_MS, 0)
    assert segment.must_roll(10, BASE + 2**31, NOW_MS, NOW_MS, 0)


def test_what_is_surely_within_the_limits_is_within_them() -> None:
    segment = make_segment(replace(ROOMY, segment_bytes=1000, segment_ms=100))
    assert segment.sure_size_bytes < 0, "nothing is sure of an empty segment"
    add(segment, b"value")
    assert not segment.must_roll(10, BASE + 1, NOW_MS, NOW_MS, 10)
    assert (segment.sure_size_bytes, segment.sure_timestamp) == (1000, NOW_MS + 90)
    segment.set_config(ROOMY)
    assert segment.sure_size_bytes < 0


# Timestamps.


def test_the_largest_timestamp_and_where_it_is() -> None:
    segment = make_segment()
    assert segment.max_timestamp == -1
    for timestamp in (5, 9, 7, 9):
        add(segment, b"a", b"b", timestamp=timestamp)
    assert (segment.max_timestamp, segment.offset_of_max_timestamp) == (9, BASE + 3)
    segment.truncate_to(BASE + 2)
    assert (segment.max_timestamp, segment.offset_of_max_timestamp) == (5, BASE + 1)


def test_the_largest_timestamp_survives_a_clean_close() -> None:
    files = FakeFileSystem()
    segment = make_segment(files=files)
    for timestamp in (5, 9, 7):
        add(segment, b"a", timestamp=timestamp)
    segment.seal()
    found = reopen(segment, files)
    assert (found.max_timestamp, found.offset_of_max_timestamp) == (9, BASE + 1)


def test_without_timestamps_a_segment_is_as_old_as_its_file() -> None:
    files = FakeFileSystem()
    segment = make_segment(files=files)
    files.now_ms = 4711
    add(segment, b"value", timestamp=-1)
    assert segment.retention_timestamp() == 4711


# Indexes and files.


def test_an_index_is_the_same_however_often_it_was_opened() -> None:
    files = FakeFileSystem()
    once, often = make_segment(), make_segment(files=files)
    for number in range(40):
        add(once, bytes(number % 7))
        add(often, bytes(number % 7))
        if number % 5 == 0:
            often.seal()
            often = reopen(often, files)
    once.seal()
    often.seal()
    entries = once.offset_index.entries
    assert entries > 10
    assert [often.offset_index.entry(n) for n in range(often.offset_index.entries)] == [
        once.offset_index.entry(n) for n in range(entries)
    ]


def test_a_failed_index_write_takes_the_batch_back() -> None:
    files = FakeFileSystem()
    segment = make_segment(files=files)
    add(segment, bytes(100))
    size = segment.size_bytes
    files.fail(files.operations + 2, errno.EIO)
    with pytest.raises(StorageError):
        add(segment, bytes(100))
    assert segment.size_bytes == size
    assert segment.locate(BASE + 1) is None
    assert segment.next_offset() == BASE + 1


def test_damaged_bytes_are_an_error_not_a_loop() -> None:
    files = FakeFileSystem()
    segment = make_segment(files=files)
    add(segment, b"value")
    add(segment, b"value")
    segment.log.write_at(bytes(4), 8)  # the length of the first batch
    found = reopen(segment, files)
    for look in (lambda: found.locate(BASE + 1), lambda: list(found.iter_headers(0)), found.next_offset):
        with pytest.raises(BatchError) as raised:
            look()
        assert raised.value.code is ErrorCode.CORRUPT_MESSAGE
        assert "at 0" in raised.value.detail


def test_preallocated_segments_are_trimmed() -> None:
    files = FakeFileSystem()
    segment = make_segment(replace(ROOMY, preallocate=True, segment_bytes=5000), files)
    assert len(files.kill().open("/log/00000000000000001000.log", Access.READ).read_at(9999, 0)) == 5000
    add(segment, b"value")
    segment.seal()
    assert files.kill().open("/log/00000000000000001000.log", Access.READ).size_bytes == segment.size_bytes < 200


def test_states_rename_all_files_and_removal_removes_them() -> None:
    files = FakeFileSystem()
    segment = make_segment(files=files)
    add(segment, b"value")
    region = segment.read(BASE, 1000, segment.size_bytes)
    assert region is not None
    segment.set_state(".deleted")
    assert files.list_directory("/log") == [f"{BASE:020d}{kind}.deleted" for kind in (".index", ".log", ".timeindex")]
    assert offsets_in(region.read()) == [BASE], "a region survives a rename"
    pinned = segment.read(BASE, 1000, segment.size_bytes)
    assert pinned is not None
    pinned.pin()
    segment.remove()
    assert files.list_directory("/log") == []
    assert offsets_in(pinned.read()) == [BASE], "and, once pinned, a removal"
