"""Which log is compacted next, and how far."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kwire.records.control import ControlType
from kwire.storage.cleanable import find_filthiest, measure_dirt
from kwire.storage.log import Log
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import (
    COMPACTED,
    NOW_MS,
    PARTITION,
    SMALL,
    append,
    end_transaction,
    fill,
    flush,
    make_batch,
    make_transactional_batch,
    open_small_log,
)


@pytest.fixture
def log() -> Log:
    log = open_small_log(FakeFileSystem(), COMPACTED)
    fill(log, segments=5)
    flush(log)
    return log


def test_dirt_is_what_lies_between_the_last_compaction_and_the_active_segment(log: Log) -> None:
    sizes = [segment.size_bytes for segment in log.local.segments]
    third = log.local.segments[2].base_offset
    found = measure_dirt(log, third, NOW_MS)
    assert found[1:5] == (third, log.local.segments.active.base_offset, sum(sizes[:2]), sum(sizes[2:4]))
    assert found.dirty_ratio == sum(sizes[2:4]) / sum(sizes[:4])


def test_an_offset_of_another_life_of_the_log_counts_as_none(log: Log) -> None:
    assert measure_dirt(log, 10**6, NOW_MS).first_dirty_offset == 0
    log.delete_records_before(5)
    assert measure_dirt(log, 3, NOW_MS).first_dirty_offset == 5


def test_an_open_transaction_ends_what_can_be_compacted(log: Log) -> None:
    first = append(log, make_transactional_batch(b"a", producer_id=5, sequence=0)).first_offset
    fill(log, segments=8)
    flush(log)
    assert measure_dirt(log, 0, NOW_MS).first_uncleanable_offset == first
    end_transaction(log, 5, ControlType.COMMIT)
    log.advance_high_watermark(log.log_end_offset)
    assert measure_dirt(log, 0, NOW_MS).first_uncleanable_offset == log.local.segments.active.base_offset


def test_what_is_not_flushed_is_not_compacted(log: Log) -> None:
    flushed = log.flushed_offset
    fill(log, segments=8)
    assert measure_dirt(log, 0, NOW_MS).first_uncleanable_offset == flushed


def test_min_compaction_lag_keeps_young_segments(log: Log) -> None:
    fill(log, segments=8, now_ms=NOW_MS + 1000)
    flush(log)
    log.set_config(replace(COMPACTED, min_compaction_lag_ms=500))
    young = next(segment for segment in log.local.segments if segment.max_timestamp > NOW_MS)
    assert measure_dirt(log, 0, NOW_MS + 1499).first_uncleanable_offset == young.base_offset
    active = log.local.segments.active.base_offset
    assert measure_dirt(log, 0, NOW_MS + 1500).first_uncleanable_offset == active


def test_due_by_ratio_or_by_age(log: Log) -> None:
    fourth = log.local.segments[3].base_offset
    log.set_config(replace(COMPACTED, min_cleanable_dirty_ratio=0.9))
    assert measure_dirt(log, 0, NOW_MS).is_due
    assert not measure_dirt(log, fourth, NOW_MS).is_due
    log.set_config(replace(COMPACTED, min_cleanable_dirty_ratio=0.9, max_compaction_lag_ms=100))
    assert not measure_dirt(log, fourth, NOW_MS + 100).is_due
    assert measure_dirt(log, fourth, NOW_MS + 101).is_due
    active = log.local.segments.active.base_offset
    assert not measure_dirt(log, active, NOW_MS + 10**9).is_due, "there is nothing to do"


def test_the_dirtiest_log_comes_first(log: Log) -> None:
    other = open_small_log(FakeFileSystem(), COMPACTED)
    other.partition = PARTITION._replace(partition=1)
    fill(other, segments=5)
    flush(other)
    plain = open_small_log(FakeFileSystem(), SMALL)
    plain.partition = PARTITION._replace(partition=2)
    fill(plain, segments=5)
    flush(plain)
    cleaned = {log.partition: log.local.segments[2].base_offset, other.partition: other.local.segments[1].base_offset}
    logs = [log, other, plain]
    found = find_filthiest(logs, cleaned, NOW_MS)
    assert found is not None
    assert found.log is other
    other.is_cleaning = True
    found = find_filthiest(logs, cleaned, NOW_MS)
    assert found is not None
    assert found.log is log
    log.is_cleaning = True
    assert find_filthiest(logs, cleaned, NOW_MS) is None


def test_a_young_log_is_not_due(log: Log) -> None:
    fresh = open_small_log(FakeFileSystem(), COMPACTED)
    append(fresh, make_batch(b"value"))
    flush(fresh)
    assert find_filthiest([fresh], {}, NOW_MS) is None
