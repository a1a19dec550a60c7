"""A turn that tasks take one after the other, first come, first served: for work on disks that must not overlap.

As trio's lock, but without an event loop as long as nobody has to wait, so that tests of what uses it need none.
"""

from __future__ import annotations

from collections import deque
from types import TracebackType

import trio


class Turn:
    """`async with turn:` waits until nobody else has it."""

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: deque[trio.Event] = deque()

    async def __aenter__(self) -> None:
        if not self._is_taken:
            self._is_taken = True
            return
        mine = trio.Event()
        self._waiting.append(mine)
        try:
            await mine.wait()
        except BaseException:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:
                self._pass_on()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            self._waiting.popleft().set()
        else:
            self._is_taken = False
