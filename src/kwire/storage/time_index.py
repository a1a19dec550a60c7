"""The time index of a segment, `.timeindex`: from a timestamp to an offset before which it cannot be.

     0 timestamp           int64   the largest timestamp so far in the segment
     8 relative_offset     int32   last offset of the first batch that has it, minus the segment's base offset

An entry (t, o) says: whatever is newer than t lies behind o. Timestamps ascend strictly; an entry is tried whenever the
offset index gets one, and once more when the segment is rolled or closed, so that the last entry of a closed segment
is its largest timestamp. For that last one a place is kept free.
"""

from __future__ import annotations

import struct

from kwire.storage.index_file import IndexFile

_entry = struct.Struct(">qi")
_TIMESTAMP = slice(0, 8)
_NO_TIMESTAMP = -1


class TimeIndex(IndexFile):
    """The entries of one `.timeindex` file. While empty, `last_timestamp` is -1 and `last_offset` the base offset."""

    __slots__ = ("last_offset", "last_timestamp")

    ENTRY_SIZE = 12

    @property
    def is_full(self) -> bool:
        return self.entries >= self._max_entries - 1

    def maybe_append(self, timestamp: int, offset: int) -> None:
        """Adds the largest timestamp so far, unless it is there already."""
        if timestamp > self.last_timestamp:
            assert offset >= self.last_offset, f"{self.file.path}: {offset} after {self.last_offset}"
            self._append(_entry.pack(timestamp, offset - self.base_offset))
            self.last_timestamp = timestamp
            self.last_offset = offset

    def lookup(self, timestamp: int) -> tuple[int, int]:
        """The last entry with a timestamp of at most `timestamp`, as (timestamp, offset); else the segment's start."""
        if timestamp >= self.last_timestamp:
            return self.last_timestamp, self.last_offset
        if timestamp < 0:
            return self.entry(-1)
        return self.entry(self._count_up_to(_TIMESTAMP, timestamp.to_bytes(8, "big")) - 1)

    def entry(self, number: int) -> tuple[int, int]:
        """(timestamp, offset) of an entry; -1 is the segment's start."""
        if number < 0:
            return _NO_TIMESTAMP, self.base_offset
        timestamp, relative_offset = _entry.unpack(self._read_entry(number))
        return timestamp, self.base_offset + relative_offset

    def truncate_to(self, offset: int) -> None:
        """Drops the entries of `offset` and beyond. Offsets ascend with timestamps, so that these are the last ones."""
        low, high = 0, self.entries
        while low < high:
            middle = (low + high) // 2
            if self.entry(middle)[1] < offset:
                low = middle + 1
            else:
                high = middle
        self.keep_entries(low)

    def count_ascending(self) -> int:
        """How many entries ascend from the first on: those before preallocated zeros, or before what a crash left.

        A first entry with the timestamp 0 is taken for preallocated space. Nothing but a hint is lost with it, since
        a search begins at the segment's start without it.
        """
        count = 0
        last_timestamp, last_offset = 0, 0
        for entry in self._raw_entries():
            timestamp, offset = _entry.unpack(entry)
            if not (timestamp > last_timestamp and offset >= last_offset):
                break
            last_timestamp, last_offset = timestamp, offset
            count += 1
        return count

    def find_fault(self) -> str | None:
        """What is wrong with the file, as far as its size and its last two entries tell; None if nothing is."""
        if self.file.size_bytes % self.ENTRY_SIZE:
            return f"{self.file.size_bytes} bytes are no whole number of entries"
        if self.entries:
            timestamp, offset = self.entry(self.entries - 2)
            if not (timestamp < self.last_timestamp and offset <= self.last_offset):
                return f"the last entry is ({self.last_timestamp}, {self.last_offset}) after ({timestamp}, {offset})"
        return None

    def _load_last(self) -> None:
        self.last_timestamp, self.last_offset = self.entry(self.entries - 1)
