"""The memory that all connections together may hold in requests under way (queued.max.request.bytes)."""

from __future__ import annotations

from collections import deque

import trio


class Place:
    """Somebody who waits for room."""

    __slots__ = ("admitted", "size_bytes")

    def __init__(self, size_bytes: int) -> None:
        self.size_bytes = size_bytes
        self.admitted = trio.Event()


class Budget:
    """A count of bytes with a limit. A negative limit means none, as in Kafka.

    Who has to wait is let in in turn: small requests do not keep a large one out for ever. A frame larger than the
    whole limit is let in alone: it has passed socket.request.max.bytes, and would wait forever.
    """

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self.bytes_used = 0
        self._waiting: deque[Place] = deque()

    async def take(self, size_bytes: int) -> None:
        """Takes room for this many bytes, once there is."""
        if not self._waiting and self._fits(size_bytes):
            self.bytes_used += size_bytes
            return
        place = Place(size_bytes)
        self._waiting.append(place)
        try:
            await place.admitted.wait()
        except BaseException:
            if place in self._waiting:
                self._waiting.remove(place)
                self._admit()
            else:
                self.give_back(size_bytes)
            raise

    def give_back(self, size_bytes: int) -> None:
        self.bytes_used -= size_bytes
        assert self.bytes_used >= 0
        self._admit()

    def _admit(self) -> None:
        waiting = self._waiting
        while waiting and self._fits(waiting[0].size_bytes):
            place = waiting.popleft()
            self.bytes_used += place.size_bytes
            place.admitted.set()

    def _fits(self, size_bytes: int) -> bool:
        return self.bytes_max < 0 or self.bytes_used == 0 or self.bytes_used + size_bytes <= self.bytes_max
