"""Retention: which segments go by time, by size and by DeleteRecords, and which never do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kwire.storage.log import Log
from kwire.storage.log_config import LogConfig
from kwire.storage.retention import apply_retention
from kwire.testing.fake_files import FakeFileSystem
from kwire.testing.small_logs import COMPACTED, NOW_MS, SMALL, append, fill, make_batch, open_small_log

HOUR_MS = 3_600_000


def make_log(config: LogConfig, segments: int = 5, files: FakeFileSystem | None = None) -> Log:
    """Segments whose records are an hour apart from one segment to the next; the newest are of now."""
    log = open_small_log(files or FakeFileSystem(), config)
    for number in range(1, segments):
        fill(log, segments=number + 1, now_ms=NOW_MS + number * HOUR_MS)
    append(log, make_batch(b"value", timestamp=NOW_MS + segments * HOUR_MS))
    return log


def now(segments: int = 5) -> int:
    return NOW_MS + segments * HOUR_MS


def test_without_limits_nothing_goes() -> None:
    log = make_log(SMALL)
    assert apply_retention(log, now() + 10**12) == 0


def test_by_time_the_oldest_segments_go() -> None:
    log = make_log(replace(SMALL, retention_ms=int(2.5 * HOUR_MS)))
    third = log.local.segments[2].base_offset
    # The first record of a segment is the one that filled the last: each is as old as the one before it ends.
    assert apply_retention(log, now()) == 2
    assert log.log_start_offset == log.local.segments[0].base_offset == third


def test_by_time_the_active_segment_goes_too_once_it_is_old() -> None:
    log = make_log(replace(SMALL, retention_ms=HOUR_MS))
    end_offset = log.log_end_offset
    assert apply_retention(log, now() + 2 * HOUR_MS) == 5
    assert (log.log_start_offset, log.log_end_offset, log.size_bytes) == (end_offset, end_offset, 0)
    assert apply_retention(log, now() + 9 * HOUR_MS) == 0, "an empty active segment stays"


def test_a_young_segment_keeps_what_is_behind_it() -> None:
    log = make_log(replace(SMALL, retention_ms=int(1.5 * HOUR_MS)), segments=2)
    fill(log, segments=4, now_ms=NOW_MS)  # records of the past behind newer ones
    assert apply_retention(log, now(2)) == 0


def test_without_timestamps_the_files_age_counts() -> None:
    files = FakeFileSystem()
    log = open_small_log(files, replace(SMALL, retention_ms=100))
    files.now_ms = NOW_MS
    fill(log, segments=2, now_ms=-1)
    assert apply_retention(log, NOW_MS + 100) == 0
    assert apply_retention(log, NOW_MS + 101) == 2


def test_by_size_segments_go_as_long_as_enough_is_left() -> None:
    log = make_log(SMALL)
    sizes = [segment.size_bytes for segment in log.local.segments]
    log.set_config(replace(SMALL, retention_bytes=sum(sizes[2:]) + 1))
    assert apply_retention(log, now()) == 1
    assert log.size_bytes >= sum(sizes[2:]) + 1
    log.set_config(replace(SMALL, retention_bytes=sum(sizes[2:])))
    assert apply_retention(log, now()) == 1
    assert log.size_bytes == sum(sizes[2:])


@pytest.mark.parametrize("config", [SMALL, COMPACTED])
def test_before_the_log_start_segments_go_whatever_the_policy(config: LogConfig) -> None:
    log = make_log(config)
    third = log.local.segments[2].base_offset
    log.delete_records_before(third - 1)
    assert apply_retention(log, now()) == 1
    log.delete_records_before(third)
    assert apply_retention(log, now()) == 1
    log.delete_records_before(log.log_end_offset)
    assert apply_retention(log, now()) == 2
    assert len(log.local.segments) == 1, "the active one stays, whatever of it is deleted"


def test_a_compacted_log_knows_neither_time_nor_size() -> None:
    log = make_log(replace(COMPACTED, retention_ms=0, retention_bytes=0))
    assert apply_retention(log, now() + 10**12) == 0
    log.set_config(replace(log.config, cleanup_policy=frozenset({"compact", "delete"})))
    assert apply_retention(log, now() + 10**12) == 5


def test_nothing_above_the_high_watermark_goes() -> None:
    log = open_small_log(FakeFileSystem(), replace(SMALL, retention_ms=0))
    while len(log.local.segments) < 4:
        log.append_as_leader(make_batch(b"%20d" % log.log_end_offset), 0, NOW_MS)
    second, third = log.local.segments[1].base_offset, log.local.segments[2].base_offset
    assert apply_retention(log, NOW_MS + HOUR_MS) == 0
    log.advance_high_watermark(third - 1)
    assert apply_retention(log, NOW_MS + HOUR_MS) == 1
    assert log.log_start_offset == second


def test_a_log_that_is_being_compacted_is_left_alone() -> None:
    log = make_log(replace(SMALL, retention_ms=0))
    log.is_cleaning = True
    assert apply_retention(log, now() + HOUR_MS) == 0
