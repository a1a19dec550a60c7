"""Connections of a broker that has no sockets of its own: pairs of sockets, served on the test's event loop.

    async with serving(HandlerBroker()) as server:
        client = server.connect()
        response = await client.ask(request, 12)

The broker's deadlines run on trio's clock here, so that a test with a MockClock turns them. Nothing waits for real but
for what the other side of a socket is about to do, and that has a deadline of its own.
"""

from __future__ import annotations

import socket
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import trio

from broker_fixture import HandlerBroker
from kwire.handlers.registry import Served, served_apis
from kwire.protocol.frames import FrameReader, decode_response, encode_request
from kwire.protocol.schema import Message
from kwire.server.connection import Connection
from kwire.server.shell import Shell
from wire_client import api_of

REQUEST_BYTES_MAX = 1 << 20
DEADLINE_S = 20.0


class Client:
    """The client's end. Requests are sent one by one or many at a time; answers are read when the test wants them."""

    def __init__(self, sock: trio.socket.SocketType, connection: Connection) -> None:
        self.socket = sock
        self.connection = connection
        self._reader = FrameReader(1 << 30)
        self._frames: list[bytearray] = []
        self._sent: dict[int, tuple[Any, int]] = {}
        self._correlation_id = 0

    def frame(self, request: Message, version: int) -> bytes:
        """A request as bytes, with the next correlation id."""
        self._correlation_id += 1
        self._sent[self._correlation_id] = (api_of(request), version)
        return b"".join(map(bytes, encode_request(api_of(request), version, self._correlation_id, "test", request)))

    async def send(self, data: bytes) -> None:
        """Sends all of it, however long the server takes."""
        view = memoryview(data)
        while view:
            view = view[await self.socket.send(view) :]

    async def receive(self) -> tuple[int, Any]:
        """The next answer: (correlation id, response). `EOFError` if the server closed the connection."""
        while not self._frames:
            try:
                data = await self.socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            if not data:
                raise EOFError("the server closed the connection")
            self._frames += self._reader.feed(data)
        frame = self._frames.pop(0)
        api, version = self._sent[int.from_bytes(frame[:4], "big")]
        return decode_response(api, version, frame)

    async def ask(self, request: Message, version: int) -> Any:
        await self.send(self.frame(request, version))
        correlation_id, response = await self.receive()
        assert correlation_id == self._correlation_id
        return response

    async def is_closed(self) -> bool:
        """Whether the server has closed the connection: waits for it, or for anything that comes instead."""
        try:
            return await self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.socket.close()


class Server:
    def __init__(self, broker: HandlerBroker, shell: Shell) -> None:
        self.broker = broker
        self.shell = shell
        self.metrics = broker.context.metrics
        self._clients: list[Client] = []

    def connect(self, buffer_bytes: int | None = None) -> Client:
        """A new connection that is being served. `buffer_bytes` is how much of an answer the kernel takes."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        if buffer_bytes is not None:
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer_bytes)
        connection = Connection(ours, ("127.0.0.1", 50_000 + len(self._clients)), "PLAINTEXT", self.shell)
        self.shell.spawn(connection.run)
        theirs.setblocking(False)
        client = Client(trio.socket.from_stdlib_socket(theirs), connection)
        self._clients.append(client)
        return client

    def close(self) -> None:
        for client in self._clients:
            client.close()


@asynccontextmanager
async def serving(
    broker: HandlerBroker,
    *,
    served: Mapping[int, Served] | None = None,
    queued_bytes_max: int = -1,
    request_bytes_max: int = REQUEST_BYTES_MAX,
) -> AsyncGenerator[Server]:
    broker.context.timers.monotonic_ms = lambda: trio.current_time() * 1000
    async with trio.open_nursery() as nursery:
        shell = Shell(broker.context, served or served_apis(), nursery, request_bytes_max, queued_bytes_max)
        nursery.start_soon(shell.run)
        server = Server(broker, shell)
        try:
            yield server
        finally:
            server.close()
            nursery.cancel_scope.cancel()


async def until(condition: Callable[[], object]) -> None:
    """Lets other tasks run until it is so. The deadline is real time, whatever the clock of the test."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, "it never became so"
        await trio.lowlevel.checkpoint()
