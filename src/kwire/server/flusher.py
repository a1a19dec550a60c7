"""Group fsync: all appends that wait for the disk at one moment share one sync of their log, in a worker thread."""

from __future__ import annotations

from collections.abc import Callable

import trio

from kwire.partitions.partition import Partition
from kwire.storage.files import StorageError
from kwire.storage.flush import FlushTicket


class Flusher:
    """Syncs partitions whose acknowledgements wait for it. While one sync runs, the next group gathers."""

    def __init__(self, now_ms: Callable[[], int], storage_failed: Callable[[StorageError], object]) -> None:
        self._now_ms = now_ms
        self._storage_failed = storage_failed
        self._due: dict[Partition, None] = {}
        self._wake = trio.Event()

    def flush_soon(self, partition: Partition) -> None:
        self._due[partition] = None
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake = trio.Event()
            while self._due:
                due, self._due = list(self._due), {}
                now_ms = self._now_ms()
                tickets = [(partition, partition.log.begin_flush(now_ms)) for partition in due]
                try:
                    await trio.to_thread.run_sync(_sync, [ticket for _, ticket in tickets])
                except StorageError as error:
                    self._storage_failed(error)
                    continue
                for partition, ticket in tickets:
                    if ticket is not None:
                        partition.log.finish_flush(ticket)
                    partition.flushed()


def _sync(tickets: list[FlushTicket | None]) -> None:
    for ticket in tickets:
        if ticket is not None:
            ticket.sync()
