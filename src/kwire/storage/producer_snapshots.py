"""Snapshots of a log's producers, `<offset, 20 digits>.snapshot`: the state as of that offset, in Kafka's format.

    0 version                     int16   1
    2 crc                         uint32  CRC-32C of everything from byte 6 to the end
    6 count                       int32
   10 entries, 46 bytes each:
      0 producer_id               int64
      8 producer_epoch            int16
     10 last_sequence             int32   -1 without a batch in this epoch
     14 last_offset               int64   -1 likewise
     22 offset_delta              int32   of the last batch
     26 timestamp                 int64   of the last batch or marker
     34 coordinator_epoch         int32   of the last marker, or -1
     38 transaction_start_offset  int64   of the open transaction, or -1

Of the five batches that are remembered only the last is kept: after a restart a retry of an older one is out of order.
Its timestamp is the entry's, so that a duplicate may be answered with the time of a marker behind it; Kafka's is too.
A snapshot is taken when a segment is rolled and when the log is closed. One that is torn or corrupt is removed, and the
one before it used: more of the log is then read to bring it up to date.
"""

from __future__ import annotations

import posixpath
import struct
from bisect import bisect_left, insort
from collections.abc import Collection, Iterable

from kwire.records.batch import increment_sequence
from kwire.records.checksum import crc32c
from kwire.storage.checkpoints import read_whole
from kwire.storage.file_system import Access, File, FileSystem
from kwire.storage.producer_state import BatchMetadata, ProducerState

SNAPSHOT_SUFFIX = ".snapshot"
DELETED_SUFFIX = ".deleted"

_VERSION = 1
_header = struct.Struct(">hIi")
_entry = struct.Struct(">qhiqiqiq")
_CRC_START = 6
_DIGITS = 20


class CorruptSnapshotError(Exception):
    """The bytes of a snapshot are not what was written."""


def encode_snapshot(states: Iterable[ProducerState]) -> bytes:
    """The snapshot's bytes. Ordered by producer id (Kafka's order is that of its hash table)."""
    entries = [
        _entry.pack(
            state.producer_id,
            state.epoch,
            state.last_sequence,
            state.last_offset,
            state.last_offset_delta,
            state.last_timestamp,
            state.coordinator_epoch,
            state.transaction_start_offset,
        )
        for state in sorted(states, key=_producer_id)
    ]
    content = bytearray(_header.pack(_VERSION, 0, len(entries)))
    content += b"".join(entries)
    _header.pack_into(content, 0, _VERSION, crc32c(memoryview(content)[_CRC_START:]), len(entries))
    return bytes(content)


def decode_snapshot(content: bytes) -> list[ProducerState]:
    """The states in a snapshot, or `CorruptSnapshotError`."""
    if len(content) < _header.size:
        raise CorruptSnapshotError(f"{len(content)} bytes are no snapshot")
    version, crc, count = _header.unpack_from(content)
    if version != _VERSION:
        raise CorruptSnapshotError(f"version {version} is not known")
    found_crc = crc32c(memoryview(content)[_CRC_START:])
    if crc != found_crc:
        raise CorruptSnapshotError(f"CRC-32C is {found_crc:08x}, {crc:08x} is noted")
    if len(content) != _header.size + count * _entry.size:
        raise CorruptSnapshotError(f"{len(content)} bytes are not {count} entries")
    states: list[ProducerState] = []
    for fields in _entry.iter_unpack(memoryview(content)[_header.size :]):
        producer_id, epoch, last_sequence, last_offset, delta, timestamp, coordinator_epoch, start_offset = fields
        state = ProducerState(producer_id, epoch, coordinator_epoch, timestamp, start_offset)
        if last_offset >= 0:
            state.batches.append(BatchMetadata(last_sequence, last_offset, delta, timestamp))
            state.next_sequence = increment_sequence(last_sequence, 1)
        states.append(state)
    return states


class ProducerSnapshots:
    """The snapshot files in a partition's directory. `directory` is to be set when that was renamed."""

    __slots__ = ("_files", "_offsets", "directory")

    def __init__(self, files: FileSystem, directory: str, names: Iterable[str] | None = None) -> None:
        """`names` is a listing of the directory, if there is one already."""
        self._files = files
        self.directory = directory
        listed = files.list_directory(directory) if names is None else names
        self._offsets = sorted(
            int(name[:_DIGITS]) for name in listed if len(name) == _DIGITS + 9 and name.endswith(SNAPSHOT_SUFFIX)
        )

    @property
    def offsets(self) -> tuple[int, ...]:
        """The offsets of the snapshots, oldest first."""
        return tuple(self._offsets)

    @property
    def latest_offset(self) -> int | None:
        return self._offsets[-1] if self._offsets else None

    def path(self, offset: int) -> str:
        return posixpath.join(self.directory, f"{offset:0{_DIGITS}d}{SNAPSHOT_SUFFIX}")

    def write(self, offset: int, states: Iterable[ProducerState]) -> File:
        """Write the snapshot as of `offset`. The file is the caller's to sync, off the event loop, and to close."""
        file = self._files.open(self.path(offset), Access.CREATE)
        if file.size_bytes:
            file.truncate(0)
        file.write(encode_snapshot(states))
        if offset not in self._offsets:
            insort(self._offsets, offset)
        return file

    def load_latest(self) -> tuple[int, list[ProducerState]] | None:
        """The newest snapshot that can be read, and its offset. Newer ones that cannot be are removed."""
        while self._offsets:
            offset = self._offsets[-1]
            try:
                return offset, decode_snapshot(read_whole(self._files, self.path(offset)))
            except (CorruptSnapshotError, FileNotFoundError):
                self.remove(offset)
        return None

    def remove(self, offset: int) -> None:
        """Remove a snapshot; one that is not there is no error."""
        if offset in self._offsets:
            self._offsets.remove(offset)
        try:
            self._files.remove(self.path(offset))
        except FileNotFoundError:
            return

    def remove_before(self, offset: int) -> None:
        """Remove the snapshots older than `offset`."""
        for old in self._offsets[: bisect_left(self._offsets, offset)]:
            self.remove(old)

    def remove_outside(self, start_offset: int, end_offset: int) -> None:
        """Keep the snapshots in (start, end]: what a log that starts and ends there can use."""
        for offset in self.offsets:
            if not start_offset < offset <= end_offset:
                self.remove(offset)

    def remove_strays(self, segment_base_offsets: Collection[int]) -> None:
        """Remove snapshots that belong to no segment, but keep the newest if it is past all of them.

        That one was taken when the log was closed. Snapshots in between are left by a crash while segments were
        deleted or compacted.
        """
        strays = [offset for offset in self._offsets if offset not in segment_base_offsets]
        if strays and strays[-1] > max(segment_base_offsets, default=-1):
            strays.pop()
        for offset in strays:
            self.remove(offset)

    def mark_deleted(self, offset: int) -> str | None:
        """Rename the snapshot of a segment that is being deleted; the path to remove later, None if there is none."""
        if offset not in self._offsets:
            return None
        self._offsets.remove(offset)
        path = self.path(offset)
        try:
            self._files.rename(path, path + DELETED_SUFFIX)
        except FileNotFoundError:
            return None
        return path + DELETED_SUFFIX


def _producer_id(state: ProducerState) -> int:
    return state.producer_id
