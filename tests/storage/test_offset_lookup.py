"""ListOffsets: every special timestamp, and the first record that is not older than a given one."""

from __future__ import annotations

import pytest

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import read_header
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.validation import ValidatedBatch
from kwire.storage.log import Isolation, Log
from kwire.storage.offset_lookup import (
    EARLIEST,
    EARLIEST_LOCAL,
    EARLIEST_PENDING_UPLOAD,
    LATEST,
    LATEST_TIERED,
    MAX_TIMESTAMP,
    find_offset,
)
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import (
    NOW_MS,
    append,
    fill,
    make_batch,
    make_transactional_batch,
    open_small_log,
)


@pytest.fixture
def log() -> Log:
    return open_small_log(FakeFileSystem())


def append_timestamps(log: Log, *timestamps: int, codec: CompressionType = CompressionType.NONE) -> None:
    builder = BatchBuilder(codec=codec)
    for timestamp in timestamps:
        builder.append(timestamp, b"key", b"value")
    data = builder.build()
    append(log, ValidatedBatch(read_header(data), memoryview(data)))


def test_the_ends_of_the_log_cost_no_read() -> None:
    files = FakeFileSystem()
    log = open_small_log(files)
    append(log, make_batch(b"a", b"b"), leader_epoch=3)
    append(log, make_transactional_batch(b"c", producer_id=5, sequence=0), leader_epoch=4)
    log.append_as_leader(make_batch(b"d"), 4, NOW_MS)
    log.delete_records_before(1)
    before = files.operations
    assert find_offset(log, EARLIEST, Isolation.HIGH_WATERMARK) == (-1, 1, 3)
    assert find_offset(log, EARLIEST_LOCAL, Isolation.HIGH_WATERMARK) == (-1, 1, 3)
    assert find_offset(log, LATEST, Isolation.LAST_STABLE) == (-1, 2, 4)
    assert find_offset(log, LATEST, Isolation.HIGH_WATERMARK) == (-1, 3, 4)
    assert find_offset(log, LATEST, Isolation.LOG_END) == (-1, 4, 4)
    assert find_offset(log, LATEST_TIERED, Isolation.LOG_END) == (-1, -1, -1)
    assert find_offset(log, EARLIEST_PENDING_UPLOAD, Isolation.LOG_END) == (-1, -1, -1)
    assert files.operations == before


def test_an_unknown_special_timestamp_is_refused(log: Log) -> None:
    with pytest.raises(BrokerError) as raised:
        find_offset(log, -7, Isolation.LOG_END)
    assert raised.value.code is ErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize("codec", CompressionType)
def test_the_first_record_that_is_not_older(log: Log, codec: CompressionType) -> None:
    append_timestamps(log, 100, 300, 200, codec=codec)
    append_timestamps(log, 250, 400, codec=codec)
    expected = {0: 0, 100: 0, 101: 1, 300: 1, 301: 4, 400: 4}
    for timestamp, offset in expected.items():
        found = find_offset(log, timestamp, Isolation.LOG_END)
        assert found is not None
        assert found.offset == offset
    assert find_offset(log, 401, Isolation.LOG_END) is None


def test_what_a_reader_may_not_see_is_not_found(log: Log) -> None:
    append_timestamps(log, 100)
    log.append_as_leader(make_batch(b"value", timestamp=200), 0, NOW_MS)
    assert find_offset(log, 150, Isolation.LOG_END) == (200, 1, 0)
    assert find_offset(log, 150, Isolation.HIGH_WATERMARK) is None
    assert find_offset(log, MAX_TIMESTAMP, Isolation.HIGH_WATERMARK) is None


def test_the_largest_timestamp_is_the_first_record_that_has_it(log: Log) -> None:
    assert find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END) is None
    append_timestamps(log, 100, 300)
    append_timestamps(log, 300, 200)
    assert find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END) == (300, 1, 0)


def test_the_largest_timestamp_of_what_is_not_deleted(log: Log) -> None:
    append_timestamps(log, 100, 900, 300, 250)
    append_timestamps(log, 280)
    log.delete_records_before(2)
    assert find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END) == (300, 2, 0)
    log.delete_records_before(4)
    assert find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END) == (280, 4, 0)
    assert find_offset(log, 260, Isolation.LOG_END) == (280, 4, 0)


def test_lookups_over_segments(log: Log) -> None:
    for start in (1000, 5000, 3000):
        fill(log, segments=len(log.local.segments) + 1, now_ms=start)
    first = find_offset(log, 2000, Isolation.LOG_END)
    assert first is not None
    assert first.timestamp == 5000
    largest = find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END)
    assert largest is not None
    assert largest.offset == first.offset
