"""Waiting for data: a fetch that found too little, and the partitions it watches.

An append does not look at who waits: it tells each waiting fetch how many bytes came, and a fetch that has enough is
put into a queue. The queue is worked off after the append has been answered, so that a thousand consumers at the end of
one partition do not hold up its producer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kwire.partitions.timers import Timer, Timers

if TYPE_CHECKING:
    from kwire.partitions.partition import Partition


class ReadyQueue:
    """What became possible and is to be done soon. `on_first` is called when the queue stops being empty."""

    def __init__(self, on_first: Callable[[], object] = lambda: None) -> None:
        self.on_first = on_first
        self._actions: deque[Callable[[], object]] = deque()

    def __len__(self) -> int:
        return len(self._actions)

    def add(self, action: Callable[[], object]) -> None:
        self._actions.append(action)
        if len(self._actions) == 1:
            self.on_first()

    def run(self, count_max: int) -> bool:
        """Does up to `count_max` things, oldest first; whether any are left. If one raises, the others stay queued."""
        actions = self._actions
        for _ in range(min(count_max, len(actions))):
            actions.popleft()()
        return bool(actions)


class DataWait:
    """One fetch that waits until `missing_bytes` have come to its partitions, or its time is over."""

    __slots__ = ("_action", "_missing_bytes", "_partitions", "_ready", "_timer")

    def __init__(
        self,
        partitions: Iterable[Partition],
        missing_bytes: int,
        action: Callable[[], object],
        ready: ReadyQueue,
    ) -> None:
        self._partitions = tuple(partitions)
        self._missing_bytes = missing_bytes
        self._action = action
        self._ready = ready
        self._timer: Timer | None = None
        for partition in self._partitions:
            partition.data_waits.add(self)

    def until(self, timers: Timers, end_ms: float) -> None:
        """Ends the wait at `end_ms` even if too little has come."""
        self._timer = timers.at(end_ms, self.finish)

    def arrived(self, size_bytes: int) -> None:
        self._missing_bytes -= size_bytes
        if self._missing_bytes <= 0:
            self.finish()

    def finish(self) -> None:
        """Enough has come, time is over, or a partition can be read no longer: the fetch is answered with what is."""
        self.cancel()
        self._ready.add(self._action)

    def cancel(self) -> None:
        """Nobody waits any more."""
        for partition in self._partitions:
            partition.data_waits.discard(self)
        self._partitions = ()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
