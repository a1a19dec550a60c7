"""Which logs are worth compacting, and how far.

    log start ........ first dirty offset ................... first uncleanable offset ....... log end
    | clean: compacted before | dirty: to be compacted        | not yet: open transactions, the |
    |                         |                               | active segment, unflushed, young|

The dirty ratio is dirty / (clean + dirty), in bytes. A log is due when its ratio exceeds min.cleanable.dirty.ratio, or
when its oldest dirty record is older than max.compaction.lag.ms. Of all that are due the dirtiest comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kwire.storage.checkpoints import TopicPartition
from kwire.storage.log import Log
from kwire.storage.segment import Segment


class CleanableLog(NamedTuple):
    """A log and what could be compacted of it."""

    log: Log
    first_dirty_offset: int
    first_uncleanable_offset: int
    clean_bytes: int
    dirty_bytes: int
    is_overdue: bool

    @property
    def dirty_ratio(self) -> float:
        total = self.clean_bytes + self.dirty_bytes
        return self.dirty_bytes / total if total else 0.0

    @property
    def is_due(self) -> bool:
        is_dirty_enough = self.dirty_ratio > self.log.config.min_cleanable_dirty_ratio
        return self.dirty_bytes > 0 and (is_dirty_enough or self.is_overdue)


def find_filthiest(
    logs: Iterable[Log], cleaned_offsets: Mapping[TopicPartition, int], now_ms: int
) -> CleanableLog | None:
    """The log that is to be compacted next, if any is due."""
    due = [
        cleanable
        for log in logs
        if log.config.compacts and not log.is_cleaning
        for cleanable in (measure_dirt(log, cleaned_offsets.get(log.partition, 0), now_ms),)
        if cleanable.is_due
    ]
    return max(due, key=lambda cleanable: cleanable.dirty_ratio, default=None)


def measure_dirt(log: Log, cleaned_offset: int, now_ms: int) -> CleanableLog:
    """How much of a log could be compacted, if it was compacted up to `cleaned_offset` before."""
    segments = log.local.segments
    first_dirty_offset = cleaned_offset
    if not log.log_start_offset <= cleaned_offset <= log.log_end_offset:
        # Of another life of the log, or of records that were deleted since.
        first_dirty_offset = log.log_start_offset
    dirty = [segment for segment in segments.starting_from(first_dirty_offset) if segment is not segments.active]
    # What replaces older records must be on disk before they go.
    limits = [log.last_stable_offset, segments.active.base_offset, log.flushed_offset]
    if log.config.min_compaction_lag_ms > 0:
        youngest_ms = now_ms - log.config.min_compaction_lag_ms
        limits += [segment.base_offset for segment in dirty if segment.retention_timestamp() > youngest_ms][:1]
    first_uncleanable_offset = max(first_dirty_offset, min(limits))
    dirty = [segment for segment in dirty if segment.base_offset < first_uncleanable_offset]
    return CleanableLog(
        log,
        first_dirty_offset,
        first_uncleanable_offset,
        sum(segment.size_bytes for segment in segments if segment.base_offset < first_dirty_offset),
        sum(segment.size_bytes for segment in dirty if segment.base_offset >= first_dirty_offset),
        _is_overdue(log, dirty, now_ms),
    )


def _is_overdue(log: Log, dirty: list[Segment], now_ms: int) -> bool:
    timestamps = [timestamp for segment in dirty if (timestamp := segment.first_timestamp() or 0) > 0]
    return bool(timestamps) and min(timestamps) < now_ms - max(0, log.config.max_compaction_lag_ms)
