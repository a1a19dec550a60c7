"""Which leader epoch wrote from which offset on: `leader-epoch-checkpoint`, and the cache of it in memory.

    0                 version
    2                 count of lines that follow
    0 0               leader epoch, first offset written in it
    3 4711

A follower, or a client, that comes with an epoch asks up to where the two logs can agree: up to where that epoch
ended here (KIP-101, KIP-279). Entries rise strictly in both epoch and offset; an epoch that wrote nothing loses its
entry once a later one starts at the same offset.

Changes are made in memory and written by `flush`, which syncs and so is not for the event loop. Flush before the
recovery point moves past a new epoch's first batch: what lies beyond the recovery point is scanned after a crash, and
batches carry their epoch. An entry too many after a crash is harmless, since opening a log truncates the cache to it.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from typing import NamedTuple

from kwire.storage.checkpoints import read_checkpoint, write_checkpoint
from kwire.storage.file_system import FileSystem

LEADER_EPOCH_CHECKPOINT = "leader-epoch-checkpoint"

UNDEFINED_EPOCH = -1
UNDEFINED_EPOCH_OFFSET = -1


class EpochEntry(NamedTuple):
    """A leader epoch and the first offset that was written in it."""

    epoch: int
    start_offset: int


class EpochEnd(NamedTuple):
    """The largest epoch not above the one asked for, and the offset after its last record. Both -1 if unknown."""

    epoch: int
    end_offset: int


_UNKNOWN_END = EpochEnd(UNDEFINED_EPOCH, UNDEFINED_EPOCH_OFFSET)
_NO_ENTRY = EpochEntry(UNDEFINED_EPOCH, UNDEFINED_EPOCH_OFFSET)


class LeaderEpochCache:
    """The leader epochs of one log. `directory` is the partition's; set it when that was renamed."""

    __slots__ = ("_dirty", "_entries", "_files", "_latest", "directory")

    def __init__(self, files: FileSystem, directory: str) -> None:
        self._files = files
        self.directory = directory
        self._entries: list[EpochEntry] = []
        self._latest = _NO_ENTRY
        for entry in read_checkpoint(files, self._path, _parse):
            self._put(entry)
        self._dirty = False

    @property
    def entries(self) -> tuple[EpochEntry, ...]:
        """All entries, oldest first."""
        return tuple(self._entries)

    @property
    def latest_epoch(self) -> int:
        """The epoch of the newest records, or -1 if none was assigned."""
        return self._latest.epoch

    @property
    def is_dirty(self) -> bool:
        """Whether `flush` has something to write."""
        return self._dirty

    def assign(self, epoch: int, start_offset: int) -> None:
        """Note that `epoch` writes from `start_offset` on. Called for every batch: a known epoch is cheap."""
        latest = self._latest
        if epoch == latest.epoch and start_offset >= latest.start_offset:
            return
        assert min(epoch, start_offset) >= 0, (epoch, start_offset)
        self._put(EpochEntry(epoch, start_offset))

    def end_offset_for(self, epoch: int, log_end_offset: int) -> EpochEnd:
        """Where `epoch` ends in this log, which ends at `log_end_offset`: the answer to OffsetForLeaderEpoch.

        - The latest epoch ends where the log does.
        - An epoch newer than the latest is unknown.
        - One older than the first entry has lost its records here: it ends where that entry starts.
        - Else it is the largest epoch not above it, which ends where the next one starts.
        """
        if epoch == UNDEFINED_EPOCH:
            return _UNKNOWN_END
        if epoch == self._latest.epoch:
            return EpochEnd(epoch, log_end_offset)
        entries = self._entries
        above = bisect_right(entries, epoch, key=_epoch)
        if above == len(entries):
            return _UNKNOWN_END
        if above == 0:
            return EpochEnd(epoch, entries[0].start_offset)
        return EpochEnd(entries[above - 1].epoch, entries[above].start_offset)

    def epoch_for_offset(self, offset: int) -> int:
        """The epoch in which the record at `offset` was written, or -1 if that is before every entry."""
        above = bisect_right(self._entries, offset, key=_start_offset)
        return self._entries[above - 1].epoch if above else UNDEFINED_EPOCH

    def truncate_from_end(self, end_offset: int) -> None:
        """Forget the epochs that start at or after `end_offset`, where the log ends now."""
        entries = self._entries
        while entries and entries[-1].start_offset >= end_offset:
            entries.pop()
            self._dirty = True
        self._latest = entries[-1] if entries else _NO_ENTRY

    def truncate_from_start(self, start_offset: int) -> None:
        """Forget what lies before `start_offset`, where the log starts now. The epoch written there starts there."""
        entries = self._entries
        count = bisect_right(entries, start_offset, key=_start_offset)
        if count and entries[0].start_offset < start_offset:
            entries[:count] = [EpochEntry(entries[count - 1].epoch, start_offset)]
            self._latest = entries[-1]
            self._dirty = True

    def clear(self) -> None:
        """Forget everything: the log was emptied."""
        self.truncate_from_end(0)

    def flush(self) -> None:
        """Make the changes durable. From any thread, but from one at a time."""
        if self._dirty:
            self._dirty = False
            write_checkpoint(self._files, self._path, [f"{epoch} {offset}" for epoch, offset in self.entries])

    @property
    def _path(self) -> str:
        return posixpath.join(self.directory, LEADER_EPOCH_CHECKPOINT)

    def _put(self, entry: EpochEntry) -> None:
        """Add an entry at the end, dropping what is not before it both in epoch and in offset.

        What is dropped wrote nothing, or was left behind by an unclean election.
        """
        entries = self._entries
        while entries and (entries[-1].epoch >= entry.epoch or entries[-1].start_offset >= entry.start_offset):
            entries.pop()
        entries.append(entry)
        self._latest = entry
        self._dirty = True


def _parse(fields: list[str]) -> EpochEntry:
    epoch, start_offset = fields
    return EpochEntry(int(epoch), int(start_offset))


def _epoch(entry: EpochEntry) -> int:
    return entry.epoch


def _start_offset(entry: EpochEntry) -> int:
    return entry.start_offset
