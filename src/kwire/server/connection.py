"""One client's connection: reads frames, has them answered, sends the answers in order.

Requests are decoded and applied in the order in which they came. An answer that has to wait holds back later answers,
not later requests. What a client can make us hold is bounded: requests in flight, bytes of a frame under way (through
the budget that all connections share), and answers that it does not read; past a bound we stop reading its socket.

Whatever is not Kafka's protocol ends this connection with one line in the log, and no other. The one thing that is
answered although we do not understand it is an ApiVersions request of a newer version.
"""

from __future__ import annotations

import logging
import socket
from typing import TYPE_CHECKING

import trio

from kwire.handlers.api_versions import unsupported_version
from kwire.handlers.produce import ConnectionMustCloseError
from kwire.handlers.registry import Call, Served
from kwire.handlers.reply import Blocking, Later, NoReply, Reply
from kwire.protocol.codec import DecodeError
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


class RefusedError(Exception):
    """A request that is answered by closing the connection, as Kafka does."""


class Connection:
    """A connection and its state. `run` serves it; `close` ends it from outside."""

    def __init__(self, sock: socket.socket, peer: tuple[str, int], listener: str, shell: Shell) -> None:
        self.socket = sock
        self.peer = peer
        self.listener = listener
        self.active_ms = shell.now_ms()  # when something last came or went
        self.frame_began_ms: float | None = None  # when the frame under way began
        self._shell = shell
        self._reader = FrameReader(shell.request_bytes_max)
        self._output = Output(sock, self._blocked)
        self._open_replies: set[Later] = set()
        self._charged_bytes = 0
        self._can_read: trio.Event | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something other than a long poll is still to be answered."""
        return self._output.blocked

    @property
    def sending(self) -> bool:
        """Whether answers are ready that the client has not taken yet."""
        return self._output.blocked

    async def run(self) -> None:
        """Serves until the client closes, or sends what cannot be served."""
        metrics = self._shell.metrics
        try:
            while await self._receive():
                if self._output.waiting >= IN_FLIGHT_MAX or self._output.blocked:
                    await self._wait_for_room()
        except (FrameError, DecodeError, RefusedError, ConnectionMustCloseError) as error:
            metrics.connections_refused += 1
            log.warning("closed the connection of %s:%d: %s", *self.peer, error)
        except (OSError, trio.ClosedResourceError, trio.BrokenResourceError) as error:
            log.debug("%s:%d went away: %r", *self.peer, error)
        except Exception:
            # A mistake of ours costs this client its connection, and nobody else anything.
            log.exception("closed the connection of %s:%d after an error in the broker", *self.peer)
        finally:
            self.close()

    def close(self) -> None:
        """Ends the connection at once. What its requests had waited for is abandoned."""
        if self._output.closed:
            return
        self._output.closed = True
        self._charge(0)
        for reply in tuple(self._open_replies):
            reply.abandon()
        self._open_replies.clear()
        trio.lowlevel.notify_closing(self.socket)
        self.socket.close()
        self._shell.metrics.bytes_sent += self._output.bytes_sent

    # ---- reading ---------------------------------------------------------------------------------------------

    async def _receive(self) -> bool:
        """Reads once and serves what is complete; whether the client is still there.

        The buffer is shared by all connections: it is filled and emptied without a switch of tasks in between.
        """
        reader, shell = self._reader, self._shell
        await trio.lowlevel.wait_readable(self.socket)
        try:
            if reader.has_frame:
                rest = reader.rest()
                count = self.socket.recv_into(rest)
                rest.release()
                frame = reader.advance(count) if count else None
                frames = [] if frame is None else [frame]
            else:
                count = self.socket.recv_into(shell.receive_buffer)
                frames = reader.feed(shell.receive_view[:count])
        except BlockingIOError:
            return True
        except FrameError as error:
            for frame in error.frames:
                self._serve(frame)
            self._output.flush()
            raise
        if not count:
            return False
        shell.metrics.bytes_received += count
        self.active_ms = now_ms = shell.now_ms()
        for frame in frames:
            self._serve(frame)
        if frames:
            self._output.flush()
            shell.run_ready()
        if reader.under_way:
            if frames or self.frame_began_ms is None:
                self.frame_began_ms = now_ms
            if reader.size_under_way > self._charged_bytes:
                await self._wait_for_budget()
        else:
            self.frame_began_ms = None
            if self._charged_bytes:
                self._charge(0)
        return True

    def _charge(self, size_bytes: int) -> None:
        self._shell.budget.change(size_bytes - self._charged_bytes)
        self._charged_bytes = size_bytes

    async def _wait_for_budget(self) -> None:
        """Before the rest of a large frame is read: until its bytes fit what all connections may hold together."""
        size = self._reader.size_under_way
        self._charge(0)
        await self._shell.budget.wait_for(size)
        self._charge(size)

    async def _wait_for_room(self) -> None:
        while (self._output.waiting >= IN_FLIGHT_MAX or self._output.blocked) and not self._output.closed:
            self._can_read = trio.Event()
            await self._can_read.wait()

    def _room_again(self) -> None:
        if self._can_read is not None:
            self._can_read.set()
            self._can_read = None

    # ---- serving ---------------------------------------------------------------------------------------------

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
            self._shell.in_worker(reply, lambda result: self._answer_later(served, head, slot, result))
        elif isinstance(reply, Later):
            self._open_replies.add(reply)
            reply.when_ready(lambda: self._later_is_ready(served, head, slot, reply))
        elif isinstance(reply, Message):
            self._fill(slot, served, head, reply)
        else:
            self._output.fill(slot, [])

    def _later_is_ready(self, served: Served, head: RequestHead, slot: Slot, reply: Later) -> None:
        self._open_replies.discard(reply)
        assert reply.message is not None
        self._fill(slot, served, head, reply.message)

    def _fill(self, slot: Slot, served: Served, head: RequestHead, message: Message) -> None:
        if self._output.closed:
            return
        try:
            self._output.fill(slot, encode_response(served.api, head.api_version, head.correlation_id, message))
        except (OSError, StorageError) as error:
            log.debug("%s:%d went away: %r", *self.peer, error)
            self.close()
            return
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
            done = False
            while not done and not self._output.closed:
                cold = self._output.cold
                if cold is not None:
                    await trio.to_thread.run_sync(cold)
                else:
                    await trio.lowlevel.wait_writable(self.socket)
                done = self._output.resume()
                self.active_ms = self._shell.now_ms()
        except (OSError, StorageError, trio.ClosedResourceError) as error:
            log.debug("%s:%d went away: %r", *self.peer, error)
            self.close()
        self._room_again()
