"""What the offset index and the time index share: a file of fixed-size entries in ascending order.

    | entry 0 | entry 1 | ... | entry n-1 | zeros up to the preallocated size |

What holds true:

- Fields are big-endian and never negative, so that comparing their bytes compares their values.
- While a segment is written to, its index files are extended to segment.index.bytes, rounded down to whole entries,
  as in Kafka; the zeros are a hole that takes no disk. `trim` cuts them off at roll and at close. A file that is larger
  than its entries was therefore not closed, and only recovery, which counts its entries anew, may open it.
- Nothing but the number of entries and the last entry is held in memory. A search reads single entries until what is
  left fits a block, then that block: about 15 µs for a segment of 1 GB, on a path that then sends a megabyte. A memory
  map would save most of it, at the price of an address range and a page per segment, and could not be replaced by a
  faulty disk in tests. Readers at the end of the log do not come here at all (see `segment`).
"""

from __future__ import annotations

from collections.abc import Iterator

from kwire.storage.file_system import Access, File, FileSystem

BLOCK_ENTRIES = 512


class IndexFile:
    """Entries of `ENTRY_SIZE` bytes. Subclasses say what is in them."""

    __slots__ = ("_held", "_max_entries", "base_offset", "entries", "file", "is_dirty")

    ENTRY_SIZE = 0

    def __init__(self, file_system: FileSystem, path: str, base_offset: int, max_index_bytes: int) -> None:
        self.file: File = file_system.open(path, Access.CREATE)
        self.base_offset = base_offset
        self._max_entries = max_index_bytes // self.ENTRY_SIZE
        self.entries = self.file.size_bytes // self.ENTRY_SIZE
        self.is_dirty = False  # whether something is not synced; cleared by who syncs
        self._held: bytearray | None = None
        self._load_last()

    @property
    def size_bytes(self) -> int:
        """The bytes of the entries, without preallocated ones."""
        return self.entries * self.ENTRY_SIZE

    def set_max_bytes(self, max_index_bytes: int) -> None:
        """Takes a new segment.index.bytes."""
        self._max_entries = max_index_bytes // self.ENTRY_SIZE

    def hold(self) -> None:
        """Keeps new entries in memory until `trim`, for a scan that rebuilds the index and asks it nothing."""
        self._held = bytearray()

    def trim(self) -> None:
        """Cuts the file behind its last entry, and writes entries that were held."""
        held, self._held = self._held, None
        if held:
            self.file.write_at(held, self.entries * self.ENTRY_SIZE - len(held))
            self.is_dirty = True
        if self.file.size_bytes != self.entries * self.ENTRY_SIZE:
            self.file.truncate(self.entries * self.ENTRY_SIZE)
            self.is_dirty = True

    def keep_entries(self, entries: int) -> None:
        """Drops all but the first `entries` entries."""
        if entries < self.entries:
            self.entries = entries
            self._load_last()
        self.trim()

    def _raw_entries(self) -> Iterator[bytes]:
        """All entries from the first on, a block at a time."""
        size = self.ENTRY_SIZE
        for number in range(0, self.entries, BLOCK_ENTRIES):
            block = self.file.read_at(min(BLOCK_ENTRIES, self.entries - number) * size, number * size)
            for start in range(0, len(block), size):
                yield block[start : start + size]

    def _load_last(self) -> None:
        """Takes the last entry into memory."""
        raise NotImplementedError

    def _read_entry(self, number: int) -> bytes:
        return self.file.read_at(self.ENTRY_SIZE, number * self.ENTRY_SIZE)

    def _append(self, entry: bytes) -> None:
        if self._held is not None:
            self._held += entry
            self.entries += 1
            return
        position = self.entries * self.ENTRY_SIZE
        if position + self.ENTRY_SIZE > self.file.size_bytes:
            self.file.truncate(max(self._max_entries * self.ENTRY_SIZE, position + self.ENTRY_SIZE))
        self.file.write_at(entry, position)
        self.is_dirty = True
        self.entries += 1

    def _find_block(self, field: slice, key: bytes) -> tuple[int, int]:
        """A range of at most `BLOCK_ENTRIES` entries in which the last one with a field of at most `key` is followed
        by the first one beyond it; all before the range are at most `key`, all behind it are beyond."""
        low, high = 0, self.entries
        while high - low > BLOCK_ENTRIES:
            middle = (low + high) // 2
            if self._read_entry(middle)[field] <= key:
                low = middle + 1
            else:
                high = middle
        return low, high

    def _count_up_to(self, field: slice, key: bytes) -> int:
        """How many entries have a field of at most `key`, which is the number of the first one beyond it."""
        low, high = self._find_block(field, key)
        size = self.ENTRY_SIZE
        first = low
        block = self.file.read_at((high - low) * size, low * size)
        while low < high:
            middle = (low + high) // 2
            start = (middle - first) * size
            if block[start : start + size][field] <= key:
                low = middle + 1
            else:
                high = middle
        return low
