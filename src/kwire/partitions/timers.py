"""Things to do at a later time, without a task for each of them.

A broker has thousands of deadlines at once (long polls, sessions, transactions), nearly all of which are cancelled
before they come. So a deadline is an entry in one heap: a microsecond to set, next to nothing to cancel. The clock is
handed in and never goes back, unlike the time of day. Whoever owns the loop asks `next_ms` when to come back, and
calls `run_due`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

CANCELLED_MAX = 512
"""How many cancelled entries may lie in the heap before it is swept: they hold what their actions refer to."""


class Timer:
    """A deadline. `cancel` forgets what was to be done at once; its entry leaves the heap later."""

    __slots__ = ("_action", "_timers", "at_ms")

    def __init__(self, timers: Timers, at_ms: float, action: Callable[[], object]) -> None:
        self._timers = timers
        self._action: Callable[[], object] | None = action
        self.at_ms = at_ms

    @property
    def is_pending(self) -> bool:
        return self._action is not None

    def cancel(self) -> None:
        if self._action is not None:
            self._action = None
            self._timers.cancelled += 1

    def fire(self) -> None:
        action, self._action = self._action, None
        if action is not None:
            action()


class Timers:
    """All deadlines of a broker. `on_earlier` is called when a deadline is set that comes before all others."""

    def __init__(self, monotonic_ms: Callable[[], float], on_earlier: Callable[[], object] = lambda: None) -> None:
        self.monotonic_ms = monotonic_ms
        self.on_earlier = on_earlier
        self.cancelled = 0
        self._heap: list[tuple[float, int, Timer]] = []
        self._count = 0

    def __len__(self) -> int:
        return len(self._heap) - self.cancelled

    def after(self, delay_ms: float, action: Callable[[], object]) -> Timer:
        """Calls `action` in `delay_ms`."""
        return self.at(self.monotonic_ms() + delay_ms, action)

    def at(self, at_ms: float, action: Callable[[], object]) -> Timer:
        """Calls `action` at that time of the clock. Equal times keep their order."""
        timer = Timer(self, at_ms, action)
        self._count += 1
        heap = self._heap
        if self.cancelled > CANCELLED_MAX and self.cancelled * 2 > len(heap):
            heap[:] = [entry for entry in heap if entry[2].is_pending]
            heapq.heapify(heap)
            self.cancelled = 0
        earlier = not heap or at_ms < heap[0][0]
        heapq.heappush(heap, (at_ms, self._count, timer))
        if earlier:
            self.on_earlier()
        return timer

    def next_ms(self) -> float | None:
        """When to call `run_due` next; None while nothing is to be done."""
        heap = self._heap
        while heap and not heap[0][2].is_pending:
            heapq.heappop(heap)
            self.cancelled -= 1
        return heap[0][0] if heap else None

    def run_due(self, count_max: int = 256) -> bool:
        """Does what is due, at most `count_max` things; whether more is due already."""
        heap = self._heap
        now_ms = self.monotonic_ms()
        while heap and heap[0][0] <= now_ms:
            if count_max == 0:
                return True
            count_max -= 1
            timer = heapq.heappop(heap)[2]
            if timer.is_pending:
                timer.fire()
            else:
                self.cancelled -= 1
        return False
