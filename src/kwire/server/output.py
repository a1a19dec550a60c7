"""The output of one connection: replies in the order of their requests, sent as soon as the first of them is ready.

A reply takes its place when its request is read, and is filled when its answer is known. Sending happens where the
answer becomes known, without a task of its own: one system call in the common case, and no switch of tasks between an
append and the answer to the fetch that waited for it. Only when the socket's buffer is full does a task wait for it.

    pieces    bytes, views, and regions of files
    sending   bytes by `sendmsg`, many pieces at a time; regions by `sendfile`, never copied
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from kwire.metrics import BrokerMetrics
from kwire.protocol.codec import Piece
from kwire.storage.files import FileRegion

PIECES_PER_CALL = 64
"""How many pieces one `sendmsg` gets; Linux takes up to 1024, more than a few dozen gain nothing."""

INLINE_REGION_BYTES = 16 * 1024
"""Regions up to this size are read and sent along with the bytes before them. One `pread` is cheaper than a `sendfile`
of its own, and the client is woken once instead of twice."""


REGION_STEP_BYTES = 1 << 20
"""How much of a region one `sendfile` is given, and one worker reads if it is not in the page cache."""

CUT_OFF = "the file ends inside a region that was to be sent"


class Slot:
    """The place of one reply. `pieces` is None until the answer is known."""

    __slots__ = ("pieces",)

    def __init__(self, pieces: list[Piece] | None = None) -> None:
        self.pieces = pieces


class Output:
    """Ordered replies of one connection. `on_blocked` is called when the socket takes no more for now."""

    __slots__ = (
        "_blocked",
        "_is_warm",
        "_metrics",
        "_on_blocked",
        "_ready",
        "_region_sent",
        "_slots",
        "_socket",
        "closed",
        "cold",
    )

    def __init__(self, sock: socket.socket, metrics: BrokerMetrics, on_blocked: Callable[[], object]) -> None:
        self._socket = sock
        self._metrics = metrics
        self._on_blocked = on_blocked
        self._slots: deque[Slot] = deque()  # replies whose turn has not come, or that are not ready
        self._ready: deque[Any] = deque()  # pieces to send now
        self._blocked = False
        self._region_sent = 0  # of the region at the head of `_ready`
        self._is_warm = False  # a worker has just read what is sent next
        self.closed = False
        self.cold: Callable[[], object] | None = None  # reads from the disk what is to be sent next; for a worker

    @property
    def blocked(self) -> bool:
        """Whether the socket's buffer is full, or the disk has to be read."""
        return self._blocked

    @property
    def waiting(self) -> int:
        """How many requests have not been answered in full."""
        return len(self._slots) + (1 if self._ready else 0)

    def reserve(self) -> Slot:
        """The next place in the order."""
        slot = Slot()
        self._slots.append(slot)
        return slot

    def put(self, pieces: list[Piece]) -> None:
        """A reply that is known at once. Sent by the next `flush`."""
        if self._slots:
            self._slots.append(Slot(pieces))
        else:
            self._ready.extend(pieces)

    def fill(self, slot: Slot, pieces: list[Piece]) -> None:
        """The answer for a place that was reserved; sends what can go now."""
        slot.pieces = pieces
        if self._slots and self._slots[0] is slot:
            self.flush()

    def flush(self) -> None:
        """Sends all that is ready, as far as the socket takes it."""
        slots, ready = self._slots, self._ready
        while slots and slots[0].pieces is not None:
            ready.extend(slots.popleft().pieces or ())
        if ready and not self._blocked and not self.closed:
            try:
                self._send()
            except BlockingIOError:
                self._blocked = True
                self._on_blocked()

    def resume(self) -> bool:
        """Goes on after the socket has become writable, or `cold` has been done; whether all that is ready is sent."""
        self._is_warm = self.cold is not None
        self.cold = None
        try:
            self._send()
        except BlockingIOError:
            return False
        self._blocked = False
        return True

    def _send(self) -> None:
        ready = self._ready
        while ready:
            piece = ready[0]
            if type(piece) is FileRegion:
                if len(piece) > INLINE_REGION_BYTES:
                    self._send_region(piece)
                    continue
                self._check_cached(piece, 0, len(piece))
                ready[0] = read_whole(piece)
            sent = self._socket.send(ready[0]) if len(ready) == 1 else self._send_many()
            self._metrics.bytes_sent += sent
            self._drop(sent)

    def _send_many(self) -> int:
        """One system call for the pieces up to the next large region."""
        ready = self._ready
        pieces: list[Any] = []
        more = 0
        for index, piece in enumerate(ready):
            if index == PIECES_PER_CALL:
                break
            if type(piece) is FileRegion:
                if len(piece) > INLINE_REGION_BYTES or not piece.is_cached():
                    more = socket.MSG_MORE  # the region follows at once: let the kernel fill its packet
                    break
                piece = ready[index] = read_whole(piece)
            pieces.append(piece)
        return self._socket.sendmsg(pieces, (), more)

    def _check_cached(self, region: FileRegion, start: int, size: int) -> None:
        """The loop never waits for a disk: what is not in the page cache is read by a worker first.

        What a worker has just read is sent without asking again: there are file systems that always answer no.
        """
        if self._is_warm:
            self._is_warm = False
            return
        pin = region.pin()
        position = region.position + start
        if not pin.is_cached(position, size):
            self.cold = partial(pin.read_at, size, position)
            raise BlockingIOError

    def _send_region(self, region: FileRegion) -> None:
        start = self._region_sent
        size = min(len(region) - start, REGION_STEP_BYTES)
        self._check_cached(region, start, size)
        sent = region.pin().send_to(self._socket.fileno(), region.position + start, size)
        if sent == 0:
            raise ConnectionError(CUT_OFF)
        self._metrics.bytes_sent += sent
        self._region_sent += sent
        if self._region_sent == len(region):
            self._region_sent = 0
            self._ready.popleft()

    def _drop(self, sent: int) -> None:
        """Forgets what was sent, and pieces without bytes."""
        ready = self._ready
        while ready:
            piece = ready[0]
            size = len(piece)
            if sent < size:
                if sent:
                    ready[0] = memoryview(piece)[sent:]
                return
            sent -= size
            ready.popleft()


def read_whole(region: FileRegion) -> bytes:
    """The bytes of a region: all of them, since the client has been told their number."""
    data = region.read()
    if len(data) != len(region):
        raise ConnectionError(CUT_OFF)
    return data
