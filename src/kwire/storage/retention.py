"""Which of a log's oldest segments may go, by cleanup.policy `delete` and by DeleteRecords.

| reason                  | a segment goes when                                                                        |
|-------------------------|--------------------------------------------------------------------------------------------|
| log start offset        | the next one starts at or before the log start offset (whatever the policy)                |
| retention.bytes         | the log without it is still at least that large                                            |
| retention.ms            | its newest record is older than that, or its file if its records have no timestamps        |

Always from the oldest on, up to the first that stays, and never one with records at or above the high watermark. The
active segment goes too once nothing in it is young enough: the log is then rolled first, as in Kafka. An empty active
segment stays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from kwire.storage.log import Log
from kwire.storage.segment import Segment

logger = logging.getLogger(__name__)

Rule = Callable[[Log, Segment, int, int, int], bool]
"""Whether a segment goes: the log, the segment, its end offset, the bytes of the log from it on, the time."""


def apply_retention(log: Log, now_ms: int) -> int:
    """Takes what may go out of the log; how many segments that were. Their files go after file.delete.delay.ms."""
    if log.is_cleaning:
        return 0  # the next time
    rules = _DELETE_RULES if log.config.deletes else _ALWAYS
    total = 0
    for reason, rule in rules:
        count = sum(1 for _ in _expired(log, rule, now_ms))
        if count:
            log.delete_oldest(count, now_ms)
            logger.info(
                "%s: deleted %d segments by %s, starts at %d", log.directory, count, reason, log.log_start_offset
            )
            total += count
    return total


def _expired(log: Log, rule: Rule, now_ms: int) -> Iterator[Segment]:
    segments = log.local.segments
    size_bytes = log.size_bytes
    for number, segment in enumerate(segments):
        end_offset = segments.end_offset_of(number, log.log_end_offset)
        is_empty_active = number == len(segments) - 1 and not segment.size_bytes
        if is_empty_active or end_offset > log.high_watermark or not rule(log, segment, end_offset, size_bytes, now_ms):
            return
        yield segment
        size_bytes -= segment.size_bytes


def _before_log_start(log: Log, segment: Segment, end_offset: int, size_bytes: int, now_ms: int) -> bool:
    return end_offset <= log.log_start_offset and segment is not log.local.segments.active


def _too_large(log: Log, segment: Segment, end_offset: int, size_bytes: int, now_ms: int) -> bool:
    retention_bytes = log.config.retention_bytes
    return retention_bytes >= 0 and size_bytes - segment.size_bytes >= retention_bytes


def _too_old(log: Log, segment: Segment, end_offset: int, size_bytes: int, now_ms: int) -> bool:
    retention_ms = log.config.retention_ms
    return retention_ms >= 0 and now_ms - segment.retention_timestamp() > retention_ms


_ALWAYS: tuple[tuple[str, Rule], ...] = (("log start offset", _before_log_start),)
_DELETE_RULES: tuple[tuple[str, Rule], ...] = (
    *_ALWAYS,
    ("retention.bytes", _too_large),
    ("retention.ms", _too_old),
)
