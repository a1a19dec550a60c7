"""Where the last batches of a segment lie: what a consumer that is up to date, or nearly, asks for.

The last 64 to 128 of them, in two arrays of 64-bit numbers: 2 kB for a segment that is written to, nothing for others.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left

_MOST = 128
_NEVER = 2**63 - 1


class RecentBatches:
    """Batches in the order in which they were added. `start_offset` is the first offset that is known, or never."""

    __slots__ = ("_last_offsets", "_positions", "start_offset")

    def __init__(self) -> None:
        self._last_offsets = array("q")
        self._positions = array("q")
        self.start_offset = _NEVER

    def add(self, base_offset: int, last_offset: int, position: int) -> None:
        """Takes down the batch behind all others."""
        last_offsets = self._last_offsets
        if not last_offsets:
            self.start_offset = base_offset
        elif len(last_offsets) >= _MOST:
            self.start_offset = last_offsets[_MOST // 2 - 1] + 1
            del last_offsets[: _MOST // 2]
            del self._positions[: _MOST // 2]
        last_offsets.append(last_offset)
        self._positions.append(position)

    def locate(self, offset: int, end_position: int) -> tuple[int, int] | None:
        """(position, size_bytes) of the first batch that ends at `offset`, which is known, or behind it."""
        number = bisect_left(self._last_offsets, offset)
        positions = self._positions
        if number == len(positions):
            return None
        position = positions[number]
        return position, (positions[number + 1] if number + 1 < len(positions) else end_position) - position

    def next_offset(self) -> int | None:
        """The offset behind the last batch; None if none was added."""
        return self._last_offsets[-1] + 1 if self._last_offsets else None


NO_BATCHES = RecentBatches()
"""Shared by the segments that are not written to: never added to."""
