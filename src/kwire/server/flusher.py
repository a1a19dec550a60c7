"""Group fsync: all appends that wait for the disk at one moment share one sync of their log, in a worker thread."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Sequence

import trio

from kwire.partitions.partition import Partition
from kwire.storage.files import StorageError
from kwire.storage.flush import FlushTicket

log = logging.getLogger("kwire.server")


class Flusher:
    """Syncs partitions whose acknowledgements wait for it. While one sync runs, the next group gathers."""

    def __init__(self, now_ms: Callable[[], int], storage_failed: Callable[[StorageError], object]) -> None:
        self._now_ms = now_ms
        self._storage_failed = storage_failed
        self._due: dict[Partition, None] = {}
        self._wake = trio.Event()
        # Of its own: acknowledgements do not queue behind whatever else workers are busy with.
        self._limiter = trio.CapacityLimiter(1)

    def flush_soon(self, partition: Partition) -> None:
        self._due[partition] = None
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            await self.flush_due()

    async def flush_due(self) -> None:
        """Syncs until nothing is due. Before a broker serves: what a crash left may have been acknowledged."""
        while self._due:
            due = [partition for partition in self._due if not partition.closed]
            self._due = {}
            now_ms = self._now_ms()
            tickets = [partition.log.begin_flush(now_ms) for partition in due]
            errors = await trio.to_thread.run_sync(sync_each, tickets, limiter=self._limiter)
            for partition, ticket, error in zip(due, tickets, errors, strict=True):
                self._synced(partition, ticket, error)

    def _synced(self, partition: Partition, ticket: FlushTicket | None, error: Exception | None) -> None:
        """Takes note of one sync. Nothing follows from that of a partition that was closed meanwhile."""
        if partition.closed:
            return
        if error is not None:
            self._storage_failed(as_storage_error(error, partition.log.directory))
            return
        if ticket is not None:
            partition.log.finish_flush(ticket)
        partition.flushed()


def as_storage_error(error: Exception, path: str) -> StorageError:
    """A sync fails for reasons that no list knows: the directory was removed. What was to be durable is not."""
    if isinstance(error, StorageError):
        return error
    log.error("%s could not be synced", path, exc_info=error)
    return StorageError(path, errno.EIO)


def sync_each(tickets: Sequence[FlushTicket | None]) -> list[Exception | None]:
    """What went wrong with each: one log's disk says nothing about another's."""
    errors: list[Exception | None] = []
    for ticket in tickets:
        try:
            if ticket is not None:
                ticket.sync()
        except Exception as error:
            errors.append(error)
        else:
            errors.append(None)
    return errors
