"""The names of a segment's files: `<base offset, 20 digits>.<kind>`, then what is being done with it.

00000000000000000042.log            records
00000000000000000042.index          offset index
00000000000000000042.timeindex      time index
00000000000000000042.txnindex       aborted transactions; only if there are any
00000000000000000042.snapshot       producers as of the segment's start (see `producer_state`)
...                      .deleted   no longer part of the log, removed after file.delete.delay.ms
...                      .cleaned   written by compaction, not complete
...                      .swap      written by compaction, complete, about to replace what it was made of
"""

from __future__ import annotations

from typing import NamedTuple

LOG = ".log"
OFFSET_INDEX = ".index"
TIME_INDEX = ".timeindex"
TRANSACTION_INDEX = ".txnindex"
SNAPSHOT = ".snapshot"

DELETED = ".deleted"
CLEANED = ".cleaned"
SWAP = ".swap"

KINDS = frozenset({LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX})
STATES = frozenset({DELETED, CLEANED, SWAP})

_DIGITS = 20
_SUFFIXES = {kind + state: (kind, state) for kind in (*KINDS, SNAPSHOT) for state in ("", *STATES)}


class SegmentFileName(NamedTuple):
    """A file name, taken apart. `state` is empty for a file of the log itself."""

    base_offset: int
    kind: str
    state: str


def segment_file_name(base_offset: int, kind: str, state: str = "") -> str:
    return f"{base_offset:020d}{kind}{state}"


def parse_segment_file_name(name: str) -> SegmentFileName | None:
    """The parts of a segment's file name, a snapshot's included; None if it is something else."""
    parts = _SUFFIXES.get(name[_DIGITS:])
    digits = name[:_DIGITS]
    if parts is None or not (digits.isdecimal() and digits.isascii()):
        return None
    return SegmentFileName(int(digits), *parts)
