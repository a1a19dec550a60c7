"""The aborted transactions of a segment, `.txnindex`: what a read_committed consumer must leave out.

     0 version             int16   0
     2 producer_id         int64
    10 first_offset        int64   of the transaction's first record
    18 last_offset         int64   of the abort marker, which lies in this segment
    26 last_stable_offset  int64   of the log once this marker was written

Entries are in the order of the markers. The file exists only once there is an entry. An entry is 34 bytes, and a
segment has few: they are read whole when asked for, and none is held in memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from kwire.storage.file_system import Access, File, FileSystem

_entry = struct.Struct(">hqqqq")
_VERSION = 0


class AbortedTransaction(NamedTuple):
    """A transaction that was aborted: its producer, its first record, its marker."""

    producer_id: int
    first_offset: int
    last_offset: int
    last_stable_offset: int


class AbortedTransactions(NamedTuple):
    """What a range of a segment has; `is_complete` if no later segment can add to it."""

    transactions: list[AbortedTransaction]
    is_complete: bool


class TransactionIndex:
    """The entries of one `.txnindex` file. It is made by the first append."""

    __slots__ = ("_files", "file", "is_dirty", "path")

    def __init__(self, file_system: FileSystem, path: str, file: File | None = None) -> None:
        self._files = file_system
        self.path = path
        self.file = file
        self.is_dirty = False  # whether something is not synced; cleared by who syncs

    @classmethod
    def open(cls, file_system: FileSystem, path: str) -> TransactionIndex:
        """The index at `path`, which is there."""
        return cls(file_system, path, file_system.open(path, Access.WRITE))

    @property
    def size_bytes(self) -> int:
        return self.file.size_bytes if self.file else 0

    def append(self, transaction: AbortedTransaction) -> None:
        if self.file is None:
            self.file = self._files.open(self.path, Access.CREATE)
        self.file.write(_entry.pack(_VERSION, *transaction))
        self.is_dirty = True

    def all(self) -> list[AbortedTransaction]:
        """Every entry, in order."""
        return list(self._read())

    def collect(self, first_offset: int, upper_bound_offset: int) -> AbortedTransactions:
        """The transactions with records or a marker in [first_offset, upper_bound_offset)."""
        found: list[AbortedTransaction] = []
        for transaction in self._read():
            if transaction.last_offset >= first_offset and transaction.first_offset < upper_bound_offset:
                found.append(transaction)
            if transaction.last_stable_offset >= upper_bound_offset:
                # Whatever was aborted later began at or behind this offset.
                return AbortedTransactions(found, True)
        return AbortedTransactions(found, False)

    def truncate_to(self, offset: int) -> None:
        """Drops the transactions whose marker is at `offset` or beyond, and all behind an entry out of order: that is
        where what was synced before a crash ends."""
        if self.file is not None:
            kept = 0
            last_offset = -1
            for transaction in self._read():
                if not last_offset < transaction.last_offset < offset:
                    break
                last_offset = transaction.last_offset
                kept += 1
            if self.file.size_bytes != kept * _entry.size:
                self.file.truncate(kept * _entry.size)
                self.is_dirty = True

    def rename(self, path: str) -> None:
        """Gives the file another name. Durable once the directory is synced."""
        self.path = path
        if self.file is not None:
            self.file.rename(path)

    def relocate(self, path: str) -> None:
        """Takes note that the directory was renamed."""
        self.path = path
        if self.file is not None:
            self.file.path = path

    def find_fault(self, base_offset: int) -> str | None:
        """What is wrong with the file; None if nothing is."""
        if self.size_bytes % _entry.size:
            return f"{self.size_bytes} bytes are no whole number of entries"
        last_offset = base_offset - 1
        for version, *fields in self._read_raw():
            transaction = AbortedTransaction(*fields)
            if version != _VERSION or not last_offset < transaction.last_offset >= transaction.first_offset:
                return f"version {version}, {transaction} after a marker at {last_offset}"
            last_offset = transaction.last_offset
        return None

    def _read(self) -> Iterator[AbortedTransaction]:
        for _version, *fields in self._read_raw():
            yield AbortedTransaction(*fields)

    def _read_raw(self) -> Iterator[tuple[int, ...]]:
        if self.file is None:
            return iter(())
        size = self.file.size_bytes
        return _entry.iter_unpack(self.file.read_at(size - size % _entry.size, 0))
