"""What connections share: the handlers and what they work on, the buffer to read into, workers, and the loop's chores.

Everything pure is driven from here: deadlines fire, fetches that have enough data are answered, fsyncs run in a worker
and are shared by all who wait for one.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import trio

from kwire.handlers.context import Context
from kwire.handlers.registry import Served
from kwire.metrics import BrokerMetrics
from kwire.server.budget import Budget

log = logging.getLogger("kwire.server")

RECEIVE_BYTES = 256 * 1024
COLD_READS_MAX = 8
"""How many workers read what is not in the page cache. Others than those of fsyncs and metadata, which go on."""

READY_PER_TURN = 16
"""How many waiting fetches are answered before other connections get their turn."""

ROUNDING_S = 1e-6
"""Seconds to milliseconds and back may end a hair early, and the deadline would be found not to be due yet."""


class Shell:
    """The surroundings of connections. `run` does the chores until it is cancelled."""

    def __init__(
        self,
        context: Context,
        served: Mapping[int, Served],
        nursery: trio.Nursery,
        request_bytes_max: int,
        queued_bytes_max: int,
    ) -> None:
        self.context = context
        self.served = served
        self.request_bytes_max = request_bytes_max
        self.metrics: BrokerMetrics = context.metrics
        self.monotonic_ms = context.timers.monotonic_ms
        self.is_stopping = False  # requests that have not been read are read no more
        self.budget = Budget(queued_bytes_max)
        self.cold_reads = trio.CapacityLimiter(COLD_READS_MAX)
        self.receive_buffer = bytearray(RECEIVE_BYTES)
        self.receive_view = memoryview(self.receive_buffer)
        self._nursery = nursery
        self._chores = trio.Event()
        context.timers.on_earlier = self._wake
        context.ready.on_first = self._wake

    def spawn(self, function: Callable[..., Awaitable[object]], *arguments: Any) -> None:
        """Starts a task that lives as long as the broker at most."""
        self._nursery.start_soon(function, *arguments)

    def in_worker(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Runs the blocking part of a request in a thread, and hands on what it returns, or the exception it raises."""
        self._nursery.start_soon(self._work, work, then)

    async def _work(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        try:
            result: Any = await trio.to_thread.run_sync(work)
        except Exception as error:
            result = error
        then(result)

    def run_ready(self) -> None:
        """Answers a few of those who waited, right after what they waited for: no switch of tasks in between."""
        ready = self.context.ready
        if ready and self._do(partial(ready.run, READY_PER_TURN)):
            self._wake()

    def _do(self, chore: Callable[[], bool]) -> bool:
        """Does a chore; whether there is more. What goes wrong in one of its parts must not end the broker."""
        try:
            return chore()
        except Exception:
            log.exception("a mistake of ours while answering those who waited")
            return True

    def _wake(self) -> None:
        self._chores.set()

    async def run(self) -> None:
        """Fires deadlines and answers those who waited, whenever there is something to do."""
        context = self.context
        while True:
            self._chores = trio.Event()
            more = self._do(partial(context.ready.run, READY_PER_TURN))
            more = self._do(context.timers.run_due) or more
            if more or context.ready:
                await trio.lowlevel.checkpoint()
                continue
            next_ms = context.timers.next_ms()
            deadline = float("inf") if next_ms is None else next_ms / 1000 + ROUNDING_S
            with trio.move_on_at(deadline):
                await self._chores.wait()
