"""What a broker does by itself: retention, compaction, checkpoints, flushes that are due, removal of deleted files."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import trio

from kwire.handlers.context import Context
from kwire.records.batch import BatchError
from kwire.server.flusher import as_storage_error, sync_each
from kwire.server.turn import Turn
from kwire.storage.cleaner import Cleaning
from kwire.storage.files import StorageError
from kwire.storage.log_manager import LogManager
from kwire.storage.offset_map import OffsetMap

log = logging.getLogger("kwire.server")

FLUSH_CHECK_MS = 1000


class Housekeeping:
    """The chores. The turns keep deletions apart from checkpoints and from compaction, which write the same files."""

    def __init__(self, context: Context, manager: LogManager, checkpoint_turn: Turn, cleaning_turn: Turn) -> None:
        self._context = context
        self._manager = manager
        self._checkpoint_turn = checkpoint_turn
        self._cleaning_turn = cleaning_turn
        self._offsets: OffsetMap | None = None

    async def run(self) -> None:
        config = self._context.config
        chores: list[tuple[int, Callable[[], Awaitable[None]]]] = [
            (config.log_retention_check_interval_ms, self._retention),
            (config.log_flush_offset_checkpoint_interval_ms, self._checkpoint),
            (FLUSH_CHECK_MS, self._flush),
        ]
        if config.log_cleaner_enable:
            chores.append((config.log_cleaner_backoff_ms, self._clean))
        async with trio.open_nursery() as nursery:
            for interval_ms, chore in chores:
                nursery.start_soon(self._repeat, interval_ms, chore)

    async def _repeat(self, interval_ms: int, chore: Callable[[], Awaitable[None]]) -> None:
        while True:
            await trio.sleep(interval_ms / 1000)
            try:
                await chore()
            except StorageError as error:
                self._context.storage_failed(error)
            except Exception:
                log.exception("a chore failed; it is done again in %d ms", interval_ms)

    async def _retention(self) -> None:
        for _ in self._manager.apply_retention(self._context.now_ms()):
            await trio.lowlevel.checkpoint()
        for _ in self._manager.remove_deleted(self._context.now_ms()):
            await trio.lowlevel.checkpoint()

    async def _flush(self) -> None:
        flushes = self._manager.flushes_due(self._context.now_ms())
        if not flushes:
            return
        errors = await trio.to_thread.run_sync(sync_each, [flush.ticket for flush in flushes])
        for flush, error in zip(flushes, errors, strict=True):
            if error is None:
                self._manager.finish_flushes([flush])
            elif self._manager.logs.get(flush.log.partition) is flush.log:
                self._context.storage_failed(as_storage_error(error, flush.log.directory))

    async def _clean(self) -> None:
        """Compacts the dirtiest log, and the next, until none is due. In a worker: its steps sync."""
        if not any(log.config.compacts for log in self._manager.logs.values()):
            return
        config = self._context.config
        if self._offsets is None:
            size_bytes = config.log_cleaner_dedupe_buffer_size
            self._offsets = OffsetMap(size_bytes, config.log_cleaner_io_buffer_load_factor)
        async with self._cleaning_turn:
            while (cleaning := self._manager.begin_cleaning(self._offsets, self._context.now_ms())) is not None:
                try:
                    await trio.to_thread.run_sync(_take_all_steps, cleaning)
                except BatchError as error:
                    self._manager.give_up_cleaning(cleaning, error, self._context.now_ms())
                except Exception as error:
                    self._context.storage_failed(as_storage_error(error, cleaning.log.directory))
                else:
                    self._manager.finish_cleaning(cleaning, self._context.now_ms())
                finally:
                    self._offsets.clear()

    async def _checkpoint(self) -> None:
        async with self._checkpoint_turn:
            for checkpoint in self._manager.begin_checkpoint(self._context.now_ms()):
                try:
                    await trio.to_thread.run_sync(checkpoint.write)
                except Exception as error:
                    self._context.storage_failed(as_storage_error(error, checkpoint.log_dir.path))
                self._manager.finish_checkpoint(checkpoint)


def _take_all_steps(cleaning: Cleaning) -> None:
    for _ in cleaning.steps():
        pass
