"""What a log wants on disk, handed to a worker thread: one sync for all appends that were waiting for it.

    loop                          worker                 loop
    ticket = log.begin_flush()    ticket.sync()          log.finish_flush(ticket)

A ticket names files, nothing of the log's state, so that the loop may go on appending to the same files meanwhile:
what was appended before `begin_flush` is covered, later appends may be. After a sync that failed the ticket is not
finished: the kernel may have dropped the pages, and the log directory goes offline.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kwire.storage.file_system import File, FileSystem
from kwire.storage.leader_epochs import LeaderEpochCache


@dataclass(frozen=True, slots=True)
class Writeback:
    """Bytes that the kernel should begin to write: early and steadily, so that it does not stop an append for it."""

    file: File
    position: int
    size_bytes: int

    def start(self) -> None:
        """May wait when the disk is behind: for a worker. Promises nothing."""
        self.file.start_writeback(self.position, self.size_bytes)


class FlushScope(Enum):
    """How much is synced."""

    RECORDS = "records"
    """The batches, and whatever belongs to segments that are complete. Enough for acknowledging appends."""

    RECOVERY_POINT = "recovery point"
    """The indexes of the active segment too, so that the recovery point can move there (see `recovery`)."""


@dataclass(frozen=True, slots=True)
class FlushTicket:
    """Files to sync, and the offset up to which the log is on disk then."""

    file_system: FileSystem
    files: tuple[File, ...]
    snapshots: tuple[File, ...]
    directory: str | None
    leader_epochs: LeaderEpochCache | None
    end_offset: int
    recovery_point: int
    truncations: int

    def sync(self) -> None:
        """Waits for the disk. From any thread."""
        for file in (*self.files, *self.snapshots):
            file.sync()
        if self.leader_epochs is not None:
            self.leader_epochs.flush()
        if self.directory is not None:
            # Last, so that no name is durable before what it names.
            self.file_system.sync_directory(self.directory)
