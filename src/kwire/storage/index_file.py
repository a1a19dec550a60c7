"""What the offset index and the time index share: a file of fixed-size entries in ascending order.

    | entry 0 | entry 1 | ... | entry n-1 | zeros up to the preallocated size |

What holds true:

- Entries are big-endian and never negative, so that comparing their bytes compares their values.
- While a segment is written to, its index files are extended to segment.index.bytes, rounded down to whole entries,
  as in Kafka; the zeros are a hole that takes no disk. `trim` cuts them off at roll and at close. A file whose size is
  larger than its entries is therefore one that was not closed, and only recovery may open it (`open_untrimmed`).
- Nothing but the number of entries and the last entry is held in memory. A search reads single entries until what is
  left fits a block of 4 kB or so, then that block. Against a memory map this costs about 15 µs for a segment of 1 GB,
  on a path that then sends a megabyte; the map would cost an address range and a page per segment, and could not be
  replaced by a faulty disk in tests. Readers at the end of the log do not come here at all (see `segment`).
"""

from __future__ import annotations

from kwire.storage.file_system import Access, File, FileSystem

_BLOCK_ENTRIES = 512


class IndexFile:
    """Entries of `ENTRY_SIZE` bytes. Subclasses say what is in them."""

    __slots__ = ("_max_entries", "base_offset", "entries", "file")

    ENTRY_SIZE = 0

    def __init__(self, file_system: FileSystem, path: str, base_offset: int, max_index_bytes: int) -> None:
        self.file: File = file_system.open(path, Access.CREATE)
        self.base_offset = base_offset
        self._max_entries = max_index_bytes // self.ENTRY_SIZE
        self.entries = self.file.size_bytes // self.ENTRY_SIZE
        self._load_last()

    @property
    def size_bytes(self) -> int:
        """The bytes of the entries, without preallocated ones."""
        return self.entries * self.ENTRY_SIZE

    def resize_limit(self, max_index_bytes: int) -> None:
        """Takes a new segment.index.bytes."""
        self._max_entries = max_index_bytes // self.ENTRY_SIZE

    def trim(self) -> None:
        """Cuts the file behind its last entry."""
        if self.file.size_bytes != self.size_bytes:
            self.file.truncate(self.size_bytes)

    def reset(self) -> None:
        """Forgets all entries."""
        self.truncate_to_entries(0)

    def truncate_to_entries(self, entries: int) -> None:
        """Keeps the first `entries` entries."""
        self.entries = entries
        self.trim()
        self._load_last()

    def read_entry(self, number: int) -> bytes:
        return self.file.read_at(self.ENTRY_SIZE, number * self.ENTRY_SIZE)

    def _load_last(self) -> None:
        """Takes the last entry into memory."""
        raise NotImplementedError

    def _append(self, entry: bytes) -> None:
        position = self.entries * self.ENTRY_SIZE
        if position + self.ENTRY_SIZE > self.file.size_bytes:
            self.file.truncate(max(self._max_entries * self.ENTRY_SIZE, position + self.ENTRY_SIZE))
        self.file.write_at(entry, position)
        self.entries += 1

    def _count_up_to(self, field: slice, key: bytes) -> int:
        """How many entries have a field of at most `key`: the number of the first one beyond it."""
        low, high = 0, self.entries
        while high - low > _BLOCK_ENTRIES:
            middle = (low + high) // 2
            if self.read_entry(middle)[field] <= key:
                low = middle + 1
            else:
                high = middle
        size = self.ENTRY_SIZE
        block = self.file.read_at((high - low) * size, low * size)
        first = low
        while low < high:
            middle = (low + high) // 2
            start = (middle - first) * size
            if block[start : start + size][field] <= key:
                low = middle + 1
            else:
                high = middle
        return low
