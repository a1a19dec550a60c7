"""The segments of a log in the order of their base offsets. There is always one: the last is written to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from kwire.storage.segment import Segment


class SegmentList:
    """Segments by base offset. Numbers count from the oldest; they hold until something is added or removed."""

    __slots__ = ("_base_offsets", "_segments", "active")

    def __init__(self, segments: Sequence[Segment]) -> None:
        assert segments, "a log has a segment to write to"
        self._segments = sorted(segments, key=_base_offset)
        self._base_offsets = [segment.base_offset for segment in self._segments]
        self.active = self._segments[-1]

    def __len__(self) -> int:
        return len(self._segments)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self._segments)

    def __getitem__(self, number: int) -> Segment:
        return self._segments[number]

    @property
    def size_bytes(self) -> int:
        """The bytes of all batches."""
        return sum(segment.log.size_bytes for segment in self._segments)

    @property
    def closed(self) -> list[Segment]:
        """All but the one that is written to."""
        return self._segments[:-1]

    def number_of(self, offset: int) -> int:
        """The number of the last segment that does not start behind `offset`, or of the first."""
        return max(0, bisect_right(self._base_offsets, offset) - 1)

    def starting_from(self, offset: int) -> list[Segment]:
        """The segment that would hold `offset` and all behind it."""
        return self._segments[self.number_of(offset) :]

    def end_offset_of(self, number: int, log_end_offset: int) -> int:
        """An offset that lies behind all records of a segment: where the next one starts, or the log ends."""
        return self._base_offsets[number + 1] if number + 1 < len(self._base_offsets) else log_end_offset

    def add(self, segment: Segment) -> None:
        """Adds a segment behind the last, to be written to."""
        assert segment.base_offset > self._base_offsets[-1], segment
        self._segments.append(segment)
        self._base_offsets.append(segment.base_offset)
        self.active = segment

    def replace(self, old: Sequence[Segment], new: Sequence[Segment]) -> None:
        """Puts `new` in the place of `old`, which lie one behind the other."""
        start = bisect_left(self._base_offsets, old[0].base_offset)
        assert self._segments[start : start + len(old)] == list(old), "segments that are not part of the log"
        self._segments[start : start + len(old)] = new
        self._base_offsets = [segment.base_offset for segment in self._segments]
        assert self._segments
        assert self._base_offsets == sorted(set(self._base_offsets))
        self.active = self._segments[-1]


def _base_offset(segment: Segment) -> int:
    return segment.base_offset
