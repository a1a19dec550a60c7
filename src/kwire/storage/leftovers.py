"""What a crash left of a deletion or a compaction, brought to one of its two ends: as if it was over, or never begun.

A compaction replaces segments in these steps, each durable before the next:

    1  the new segment's files are written as .cleaned                     never begun: they are removed
    2  they are renamed to .swap                                           one .cleaned left: never begun
    3  the old segments are renamed to .deleted, oldest first              over: those still there are removed
    4  .swap is taken off the new files' names                             over: taken off those that still have it

`.deleted` files are removed wherever they are found. An index without its log file is of no use, and removed too.
This is how Kafka's own start treats them, so that a crash of either may be followed by a start of the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from kwire.records.batch import BatchError
from kwire.storage.file_system import FileSystem
from kwire.storage.log_config import LogConfig
from kwire.storage.segment import Segment
from kwire.storage.segment_files import (
    CLEANED,
    DELETED,
    KINDS,
    LOG,
    SWAP,
    SegmentFileName,
    parse_segment_file_name,
    segment_file_name,
)


@dataclass(slots=True)
class SegmentFiles:
    """The segments that a directory holds once it is tidy: their kinds of files by base offset."""

    kinds: dict[int, set[str]] = field(default_factory=dict[int, set[str]])
    swapped: set[int] = field(default_factory=set[int])
    """Base offsets of segments for which a swap was completed now: their indexes may be incomplete."""

    is_changed: bool = False
    """Whether anything was renamed or removed: the directory wants a sync."""


def tidy_directory(
    file_system: FileSystem, directory: str, names: Iterable[str], config: LogConfig, now_ms: int
) -> SegmentFiles:
    """Removes or completes what was interrupted. `names` is a listing of the directory."""
    found = SegmentFiles()
    leftovers: list[SegmentFileName] = []
    for name in names:
        parsed = parse_segment_file_name(name)
        if parsed is None:
            continue
        if parsed.state:
            leftovers.append(parsed)
        elif parsed.kind in KINDS:
            found.kinds.setdefault(parsed.base_offset, set()).add(parsed.kind)
    if leftovers:
        found.is_changed = True
        _settle(file_system, directory, leftovers, found, config, now_ms)
    for base_offset, kinds in list(found.kinds.items()):
        if LOG not in kinds:
            found.is_changed = True
            _remove(file_system, directory, base_offset, kinds)
            del found.kinds[base_offset]
    return found


def _settle(
    file_system: FileSystem,
    directory: str,
    leftovers: Iterable[SegmentFileName],
    found: SegmentFiles,
    config: LogConfig,
    now_ms: int,
) -> None:
    by_state: dict[str, dict[int, set[str]]] = {DELETED: {}, CLEANED: {}, SWAP: {}}
    for base_offset, kind, state in leftovers:
        by_state[state].setdefault(base_offset, set()).add(kind)
    for state in (DELETED, CLEANED):
        for base_offset, kinds in by_state[state].items():
            _remove(file_system, directory, base_offset, kinds, state)
    swaps = by_state[SWAP]
    # Files are renamed to .swap from the last to the first, so that a .cleaned makes those behind it incomplete.
    first_incomplete = min(by_state[CLEANED], default=None)
    if first_incomplete is not None:
        for base_offset in [offset for offset in swaps if offset >= first_incomplete]:
            _remove(file_system, directory, base_offset, swaps.pop(base_offset), SWAP)
    if not swaps:
        return
    for base_offset in _replaced(file_system, directory, swaps, found.kinds, config, now_ms):
        _remove(file_system, directory, base_offset, found.kinds.pop(base_offset))
    for base_offset, kinds in swaps.items():
        for kind in sorted(kinds):
            source = f"{directory}/{segment_file_name(base_offset, kind, SWAP)}"
            file_system.rename(source, f"{directory}/{segment_file_name(base_offset, kind)}")
        found.kinds.setdefault(base_offset, set()).update(kinds)
        found.swapped.add(base_offset)


def _replaced(
    file_system: FileSystem,
    directory: str,
    swaps: Mapping[int, set[str]],
    kinds: Mapping[int, set[str]],
    config: LogConfig,
    now_ms: int,
) -> list[int]:
    """The base offsets of segments that complete .swap files were made of."""
    replaced: set[int] = set()
    for base_offset, swap_kinds in swaps.items():
        if LOG in swap_kinds:
            segment = Segment.open(file_system, directory, base_offset, config, swap_kinds, now_ms=now_ms, state=SWAP)
            end_offset = base_offset + 1
            try:
                for _, header in segment.iter_headers(0):
                    end_offset = header.next_offset
            except BatchError:
                pass  # The scan that follows cuts it there.
            segment.close()
            replaced.update(offset for offset in kinds if base_offset <= offset < end_offset)
    return sorted(replaced)


def _remove(file_system: FileSystem, directory: str, base_offset: int, kinds: Collection[str], state: str = "") -> None:
    for kind in sorted(kinds):
        file_system.remove(f"{directory}/{segment_file_name(base_offset, kind, state)}")
