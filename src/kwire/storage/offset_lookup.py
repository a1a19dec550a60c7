"""ListOffsets: from a timestamp, or one of the special ones, to an offset.

| timestamp | asks for                          | answer                                                            |
|-----------|-----------------------------------|-------------------------------------------------------------------|
| t >= 0    | the first record not older than t | its timestamp and offset, or nothing                              |
| -1        | latest                            | where the reader's isolation stops                                |
| -2        | earliest                          | the log start offset                                              |
| -3        | the largest timestamp             | the first record that has it (KIP-734), or nothing                |
| -4        | earliest on this disk (KIP-405)   | the log start offset: nothing lies elsewhere                      |
| -5        | latest in the other tier          | offset -1: there is none                                          |
| -6        | earliest not yet in it (KIP-1023) | offset -1, likewise                                               |

-1, -2, -4, -5 and -6 cost no read. A timestamp costs a search of one segment's time index and the records of one batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kwire.errors import BrokerError, ErrorCode
from kwire.storage.leader_epochs import UNDEFINED_EPOCH
from kwire.storage.log import Isolation, Log
from kwire.storage.segment import Segment
from kwire.storage.timestamp_search import find_timestamp, max_timestamp_from

LATEST = -1
EARLIEST = -2
MAX_TIMESTAMP = -3
EARLIEST_LOCAL = -4
LATEST_TIERED = -5
EARLIEST_PENDING_UPLOAD = -6

NO_TIMESTAMP = -1
NO_OFFSET = -1


class FoundOffset(NamedTuple):
    """An offset, the timestamp of its record (-1 if it was not asked for) and its leader epoch (-1 if unknown)."""

    timestamp: int
    offset: int
    leader_epoch: int


_NOT_TIERED = FoundOffset(NO_TIMESTAMP, NO_OFFSET, UNDEFINED_EPOCH)


def find_offset(log: Log, timestamp: int, isolation: Isolation) -> FoundOffset | None:
    """The answer to ListOffsets for one partition; None if no record that the reader may see fits."""
    if timestamp >= 0:
        return _visible(log, _find_timestamp(log, timestamp), isolation)
    answer = _SPECIAL.get(timestamp)
    if answer is None:
        raise BrokerError(ErrorCode.UNSUPPORTED_VERSION, f"timestamp {timestamp} has no meaning")
    return answer(log, isolation)


def _visible(log: Log, found: FoundOffset | None, isolation: Isolation) -> FoundOffset | None:
    return found if found is not None and found.offset < log.end_offset(isolation) else None


def _find_timestamp(log: Log, timestamp: int) -> FoundOffset | None:
    for segment in log.local.segments.starting_from(log.log_start_offset):
        if segment.max_timestamp >= timestamp:
            found = find_timestamp(segment, timestamp, log.log_start_offset)
            if found is not None:
                return FoundOffset(*found)
    return None


def _latest(log: Log, isolation: Isolation) -> FoundOffset:
    offset = log.end_offset(isolation)
    return FoundOffset(NO_TIMESTAMP, offset, log.leader_epochs.latest_epoch)


def _earliest(log: Log, isolation: Isolation) -> FoundOffset:
    return FoundOffset(NO_TIMESTAMP, log.log_start_offset, log.leader_epochs.epoch_for_offset(log.log_start_offset))


def _largest(log: Log, isolation: Isolation) -> FoundOffset | None:
    start_offset = log.log_start_offset
    largest = NO_TIMESTAMP
    newest: Segment | None = None
    for segment in log.local.segments.starting_from(start_offset):
        timestamp = segment.max_timestamp
        if timestamp > largest and segment.base_offset < start_offset:
            timestamp = max_timestamp_from(segment, start_offset)
        if timestamp > largest:
            largest, newest = timestamp, segment
    if newest is None:
        return None
    found = find_timestamp(newest, largest, start_offset)
    return _visible(log, None if found is None else FoundOffset(*found), isolation)


def _not_tiered(log: Log, isolation: Isolation) -> FoundOffset:
    return _NOT_TIERED


_SPECIAL: dict[int, Callable[[Log, Isolation], FoundOffset | None]] = {
    LATEST: _latest,
    EARLIEST: _earliest,
    MAX_TIMESTAMP: _largest,
    EARLIEST_LOCAL: _earliest,
    LATEST_TIERED: _not_tiered,
    EARLIEST_PENDING_UPLOAD: _not_tiered,
}
