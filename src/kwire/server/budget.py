"""The memory that all connections together may hold in requests under way (queued.max.request.bytes)."""

from __future__ import annotations

import trio


class Budget:
    """A count of bytes with a limit. A negative limit means none, as in Kafka.

    A frame larger than the whole limit is let in alone: it has passed socket.request.max.bytes, and would wait forever.
    """

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self.bytes_used = 0
        self._freed = trio.Event()

    def fits(self, size_bytes: int) -> bool:
        return self.bytes_max < 0 or self.bytes_used == 0 or self.bytes_used + size_bytes <= self.bytes_max

    def change(self, difference_bytes: int) -> None:
        self.bytes_used += difference_bytes
        assert self.bytes_used >= 0
        if difference_bytes < 0:
            self._freed.set()
            self._freed = trio.Event()

    async def wait_for(self, size_bytes: int) -> None:
        """Until there is room. The caller takes it with `change` before anything else runs."""
        while not self.fits(size_bytes):
            await self._freed.wait()
