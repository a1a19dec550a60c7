"""The offset index of a segment, `.index`: from an offset to a position in the log file near it.

     0 relative_offset     int32   last offset of a batch, minus the segment's base offset
     4 position            int32   where that batch starts in the log file

Sparse: an entry is made for the first batch that follows more than index.interval.bytes since the last one. The first
batch of a segment therefore has none, and no entry's position is 0: an entry of zeros is preallocated space.
"""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from sys import byteorder

from kwire.storage.index_file import IndexFile

_entry = struct.Struct(">ii")
_OFFSET = slice(0, 4)
_POSITION = slice(4, 8)
_INT32_MAX = 2**31 - 1


class OffsetIndex(IndexFile):
    """The entries of one `.index` file. `last_offset` and `last_position` are base offset and 0 while it is empty."""

    __slots__ = ("last_offset", "last_position")

    ENTRY_SIZE = 8

    @property
    def is_full(self) -> bool:
        return self.entries >= self._max_entries

    def append(self, offset: int, position: int) -> None:
        """Adds the batch that starts at `position` and whose last offset is `offset`."""
        assert offset > self.last_offset or not self.entries, f"{self.file.path}: {offset} after {self.last_offset}"
        assert position > self.last_position, f"{self.file.path}: position {position} after {self.last_position}"
        self._append(_entry.pack(offset - self.base_offset, position))
        self.last_offset = offset
        self.last_position = position

    def lookup(self, offset: int) -> tuple[int, int]:
        """The last entry with an offset of at most `offset`, as (offset, position); else the segment's start."""
        if offset >= self.last_offset:
            return self.last_offset, self.last_position
        relative_offset = offset - self.base_offset
        if relative_offset < 0:
            return self.base_offset, 0
        low, high = self._find_block(_OFFSET, relative_offset.to_bytes(4, "big"))
        # An entry read as one number compares by its offset first, so that the block is searched without unpacking it.
        block = array("Q", self.file.read_at((high - low) * 8, low * 8))
        if byteorder == "little":
            block.byteswap()
        number = bisect_right(block, relative_offset << 32 | 0xFFFFFFFF) - 1
        if number < 0:
            return self.entry(low - 1)
        return self.base_offset + (block[number] >> 32), block[number] & 0xFFFFFFFF

    def first_offset_from(self, position: int) -> int | None:
        """The offset of the first entry at `position` or beyond: a bound for what lies before that position."""
        if not self.entries or position > self.last_position:
            return None
        number = self._count_up_to(_POSITION, (position - 1).to_bytes(4, "big")) if position else 0
        return self.entry(number)[0]

    def entry(self, number: int) -> tuple[int, int]:
        """(offset, position) of an entry; -1 is the segment's start."""
        if number < 0:
            return self.base_offset, 0
        relative_offset, position = _entry.unpack(self._read_entry(number))
        return self.base_offset + relative_offset, position

    def truncate_to(self, offset: int) -> None:
        """Drops the entries of `offset` and beyond."""
        self.keep_entries(self._count_offsets_up_to(offset - 1))

    def count_ascending(self) -> int:
        """How many entries ascend from the first on: those before preallocated zeros, or before what a crash left."""
        count = 0
        last_offset, last_position = -1, 0
        for entry in self._raw_entries():
            offset, position = _entry.unpack(entry)
            if not (offset > last_offset and position > last_position):
                break
            last_offset, last_position = offset, position
            count += 1
        return count

    def find_fault(self, log_size_bytes: int) -> str | None:
        """What is wrong with the file, as far as its size and its last two entries tell; None if nothing is."""
        if self.file.size_bytes % self.ENTRY_SIZE:
            return f"{self.file.size_bytes} bytes are no whole number of entries"
        if self.entries:
            offset, position = self.entry(self.entries - 2) if self.entries > 1 else (self.base_offset - 1, 0)
            if not (offset < self.last_offset and position < self.last_position < log_size_bytes):
                last = f"({self.last_offset}, {self.last_position})"
                return f"the last entry is {last} after ({offset}, {position}) in a log of {log_size_bytes} bytes"
        return None

    def _load_last(self) -> None:
        self.last_offset, self.last_position = self.entry(self.entries - 1)

    def _count_offsets_up_to(self, offset: int) -> int:
        relative_offset = offset - self.base_offset
        if relative_offset < 0:
            return 0
        return self._count_up_to(_OFFSET, min(relative_offset, _INT32_MAX).to_bytes(4, "big"))
