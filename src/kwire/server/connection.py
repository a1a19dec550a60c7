"""One client's connection: reads frames, has them answered, sends the answers in order.

Requests are decoded and applied in the order in which they came. An answer that has to wait holds back later answers,
not later requests. What a client can make us hold is bounded: requests in flight, bytes of a frame under way (through
the budget that all connections share), and answers that it does not read; past a bound we stop reading its socket.

Whatever is not Kafka's protocol ends this connection with one line in the log, and no other connection; what was asked
before it is answered. The one thing that is answered although we do not understand it is an ApiVersions request of a
newer version. A mistake of our own while serving a request ends its connection too, with a traceback in the log.
"""

from __future__ import annotations

import logging
import socket
from functools import partial
from typing import TYPE_CHECKING, Any

import trio

from kwire.handlers.api_versions import unsupported_version
from kwire.handlers.registry import Call, Served
from kwire.handlers.reply import Blocking, ConnectionMustCloseError, Later, NoReply, Reply
from kwire.protocol.codec import DecodeError, Piece
from kwire.protocol.frames import (
    FrameError,
    FrameReader,
    RequestHead,
    decode_request_body,
    decode_request_head,
    encode_response,
)
from kwire.protocol.schema import Message
from kwire.server.output import Output, Slot
from kwire.storage.files import StorageError

if TYPE_CHECKING:
    from kwire.server.shell import Shell

log = logging.getLogger("kwire.server")

API_VERSIONS = 18
IN_FLIGHT_MAX = 64
"""Requests of one connection that may be unanswered before we stop reading. Clients keep 5, Kafka reads one."""

FRAMES_PER_TURN = 16
"""Requests of one connection that are served before their answers are sent and other connections get their turn."""

PROGRESS_BYTES = 64 * 1024
"""A frame that is under way may take its time as long as this much of it comes before every deadline."""


class RefusedError(Exception):
    """A request that is answered by closing the connection, as Kafka does."""


REFUSALS = (FrameError, DecodeError, RefusedError, ConnectionMustCloseError)
GONE = (OSError, trio.ClosedResourceError, trio.BrokenResourceError)


class Connection:
    """A connection and its state. `run` serves it; `close` ends it from outside."""

    def __init__(self, sock: socket.socket, peer: tuple[str, int], listener: str, shell: Shell) -> None:
        self.socket = sock
        self.peer = peer
        self.listener = listener
        self.active_ms = shell.monotonic_ms()  # when something last came or went
        self.frame_began_ms: float | None = None  # since when the client owes us the rest of a frame
        self._shell = shell
        self._reader = FrameReader(shell.request_bytes_max)
        self._output = Output(sock, shell.metrics, self._blocked)
        self._frames: list[bytearray] = []  # arrived, to be served
        self._refusal: FrameError | None = None  # what came after them
        self._open_replies: set[Later] = set()
        self._charged_bytes = 0
        self._progress_bytes = 0
        self._can_read: trio.Event | None = None
        self._scope = trio.CancelScope()

    @property
    def is_busy(self) -> bool:
        """Whether something other than a long poll is still to be answered."""
        polls = sum(reply.is_poll for reply in self._open_replies)
        return self._output.blocked or self._output.waiting > polls

    @property
    def sending(self) -> bool:
        """Whether answers are ready that the client has not taken yet."""
        return self._output.blocked

    async def run(self) -> None:
        """Serves until the client closes, or sends what cannot be served."""
        try:
            with self._scope:
                await self._serve_until_closed()
        except Exception as error:
            self._fail(error)
        finally:
            self.close()

    def close(self) -> None:
        """Ends the connection at once. What its requests had waited for is abandoned."""
        if self._output.closed:
            return
        self._output.closed = True
        self._scope.cancel()
        self._release()
        for reply in tuple(self._open_replies):
            reply.abandon()
        self._open_replies.clear()
        trio.lowlevel.notify_closing(self.socket)
        self.socket.close()

    def _fail(self, error: Exception) -> None:
        """Ends the connection because of an error, and says so where somebody wants to know."""
        if isinstance(error, REFUSALS):
            self._shell.metrics.connections_refused += 1
            log.warning("closed the connection of %s:%d: %s", *self.peer, error)
        elif isinstance(error, StorageError):
            self._shell.context.storage_failed(error)
        elif isinstance(error, GONE):
            log.debug("%s:%d went away: %r", *self.peer, error)
        else:
            log.error("closed the connection of %s:%d after a mistake of ours", *self.peer, exc_info=error)
        self.close()

    # ---- reading ---------------------------------------------------------------------------------------------

    async def _serve_until_closed(self) -> None:
        reader = self._reader
        while await self._receive():
            if self._frames:
                self.frame_began_ms = None
                await self._serve_frames()
                self._release()
            if self._refusal is not None:
                raise self._refusal
            if reader.under_way:
                size = reader.size_under_way
                if size > self._charged_bytes:
                    await self._charge(size)
                if self.frame_began_ms is None:
                    self.frame_began_ms = self._shell.monotonic_ms()

    async def _receive(self) -> bool:
        """Reads once; whether the client is still there.

        The buffer is shared by all connections: it is filled and emptied without a switch of tasks in between.
        """
        reader, shell = self._reader, self._shell
        await trio.lowlevel.wait_readable(self.socket)
        if shell.is_stopping:
            await trio.sleep_forever()  # what is not read is not lost: the client sees that it was not answered
        try:
            if reader.has_frame:
                rest = reader.rest()
                count = self.socket.recv_into(rest)
                rest.release()
                frame = reader.advance(count) if count else None
                if frame is not None:
                    self._frames.append(frame)
                self._note_progress(count)
            else:
                count = self.socket.recv_into(shell.receive_buffer)
                self._frames = reader.feed(shell.receive_view[:count])
        except BlockingIOError:
            return True
        except FrameError as error:
            self._frames = error.frames
            self._refusal = error
            return True
        if not count:
            return False
        shell.metrics.bytes_received += count
        self.active_ms = shell.monotonic_ms()
        return True

    def _note_progress(self, count: int) -> None:
        self._progress_bytes += count
        if self._progress_bytes >= PROGRESS_BYTES:
            self._progress_bytes = 0
            self.frame_began_ms = None

    async def _charge(self, size_bytes: int) -> None:
        """Before the rest of a frame is read: until its bytes fit what all connections may hold together."""
        self.frame_began_ms = None  # it is not the client who is slow
        self._release()
        await self._shell.budget.take(size_bytes)
        self._charged_bytes = size_bytes

    def _release(self) -> None:
        if self._charged_bytes:
            self._shell.budget.give_back(self._charged_bytes)
            self._charged_bytes = 0

    async def _wait_for_room(self) -> None:
        while self._is_full:
            self._can_read = trio.Event()
            await self._can_read.wait()

    @property
    def _is_full(self) -> bool:
        return self._output.blocked or self._output.waiting >= IN_FLIGHT_MAX

    def _room_again(self) -> None:
        if self._can_read is not None:
            self._can_read.set()
            self._can_read = None

    # ---- serving ---------------------------------------------------------------------------------------------

    async def _serve_frames(self) -> None:
        """Serves what has arrived, a few at a time: a client that sends thousands at once waits, not the others."""
        while True:
            frames = self._frames[:FRAMES_PER_TURN]
            del self._frames[:FRAMES_PER_TURN]
            try:
                for frame in frames:
                    self._serve(frame)
            finally:
                self._output.flush()
            self._shell.run_ready()
            if self._is_full:
                await self._wait_for_room()
            if not self._frames:
                return
            await trio.lowlevel.checkpoint()

    def _serve(self, frame: bytearray) -> None:
        head = decode_request_head(frame)
        served = self._shell.served.get(head.api_key)
        if served is None or head.api_version not in served.versions:
            self._unsupported(head, served)
            return
        message = decode_request_body(head, frame)
        self._shell.metrics.requests += 1
        call = Call(head.api_version, head.client_id, self.peer, self.listener)
        reply = served.handle(self._shell.context, message, call)
        if isinstance(reply, Message):
            self._output.put(encode_response(served.api, head.api_version, head.correlation_id, reply))
        elif not isinstance(reply, NoReply):
            self._answer_later(served, head, self._output.reserve(), reply)

    def _answer_later(self, served: Served, head: RequestHead, slot: Slot, reply: Reply) -> None:
        if isinstance(reply, Blocking):
            self._shell.in_worker(reply.work, partial(self._worked, served, head, slot, reply))
        elif isinstance(reply, Later):
            self._open_replies.add(reply)
            reply.when_ready(lambda: self._later_is_ready(served, head, slot, reply))
        elif isinstance(reply, Message):
            self._fill(slot, encode_response(served.api, head.api_version, head.correlation_id, reply))
        else:
            self._fill(slot, [])

    def _worked(self, served: Served, head: RequestHead, slot: Slot, blocking: Blocking, result: Any) -> None:
        """A worker has done its part. The rest is done even if the client is gone: it may be what others wait for."""
        try:
            reply = blocking.then(result)
            if not self._output.closed:
                self._answer_later(served, head, slot, reply)
            elif isinstance(reply, Later):
                reply.abandon()
        except Exception as error:
            self._fail(error)

    def _later_is_ready(self, served: Served, head: RequestHead, slot: Slot, reply: Later) -> None:
        self._open_replies.discard(reply)
        if self._output.closed:
            return
        try:
            if reply.message is None:
                raise reply.error or AssertionError("ready without a message")
            self._fill(slot, encode_response(served.api, head.api_version, head.correlation_id, reply.message))
        except Exception as error:
            self._fail(error)

    def _fill(self, slot: Slot, pieces: list[Piece]) -> None:
        self._output.fill(slot, pieces)
        self._room_again()

    def _unsupported(self, head: RequestHead, served: Served | None) -> None:
        if served is None or served.api.key != API_VERSIONS:
            name = served.api.name if served else f"API key {head.api_key}"
            raise RefusedError(f"client {head.client_id!r} asked for {name} {head.api_version}, which is not served")
        self._shell.metrics.requests += 1
        self._output.put(encode_response(served.api, 0, head.correlation_id, unsupported_version()))

    # ---- sending ---------------------------------------------------------------------------------------------

    def _blocked(self) -> None:
        self._shell.spawn(self._drain)

    async def _drain(self) -> None:
        """Sends on whenever the socket takes more, until nothing is left; reads from the disk off the loop."""
        try:
            while not self._output.closed:
                cold = self._output.cold
                if cold is not None:
                    await trio.to_thread.run_sync(cold, limiter=self._shell.cold_reads)
                else:
                    await trio.lowlevel.wait_writable(self.socket)
                if self._output.closed or self._output.resume():
                    break
                self.active_ms = self._shell.monotonic_ms()
        except Exception as error:
            self._fail(error)
        self._room_again()
