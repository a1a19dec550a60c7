"""Accepting connections on real loopback sockets: limits, running out of descriptors, sweeping."""

from __future__ import annotations

import errno
import logging
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
import trio.testing

from broker_fixture import HandlerBroker
from kwire.protocol.frames import encode_request
from kwire.protocol.messages import APIS
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.server.listener import Connections, listening_sockets
from server_fixture import Server, serving, until

PING = struct.pack(">ihhih", 14, 18, 0, 1, 4) + b"test"

_POLL = FetchRequest(
    max_wait_ms=600_000,
    min_bytes=1,
    session_epoch=-1,
    topics=[FetchTopic(topic="t", partitions=[FetchPartition(partition=0)])],
)
LONG_POLL = b"".join(map(bytes, encode_request(APIS[1], 12, 1, "test", _POLL)))


class Listening:
    def __init__(self, server: Server, connections: Connections, sockets: list[socket.socket]) -> None:
        self.server = server
        self.connections = connections
        self.sockets = sockets
        self.clients: list[trio.SocketStream] = []

    async def connect(self, number: int = 0) -> trio.SocketStream:
        host, port = self.sockets[number].getsockname()[:2]
        self.clients.append(await trio.open_tcp_stream(host, port))
        return self.clients[-1]


@asynccontextmanager
async def listening(
    *, max_count: int = 100, max_per_address: int = 100, idle_ms: int = 600_000, frame_ms: int = 30_000, count: int = 1
) -> AsyncGenerator[Listening]:
    sockets = [sock for _ in range(count) for sock in listening_sockets("127.0.0.1", 0, 50)]
    try:
        async with serving(HandlerBroker()) as server:
            connections = Connections(server.shell, max_count, max_per_address, idle_ms, frame_ms)
            for number, sock in enumerate(sockets):
                server.shell.spawn(connections.accept, sock, f"L{number}")
            server.shell.spawn(connections.sweep)
            listener = Listening(server, connections, sockets)
            yield listener
            for client in listener.clients:
                await client.aclose()
    finally:
        for sock in sockets:
            sock.close()


def run(scenario: Callable[[Listening], Awaitable[None]], clock: Any = None, **options: Any) -> None:
    async def main() -> None:
        async with listening(**options) as listener:
            await scenario(listener)

    trio.run(main, clock=clock)


async def ping(client: trio.SocketStream) -> bytes:
    await client.send_all(PING)
    return await client.receive_some(1 << 16)


async def is_closed(client: trio.SocketStream) -> bool:
    try:
        return await client.receive_some(1) == b""
    except trio.BrokenResourceError:
        return True


def test_connections_are_counted_from_their_beginning_to_their_end() -> None:
    async def scenario(listener: Listening) -> None:
        metrics = listener.server.metrics
        clients = [await listener.connect() for _ in range(3)]
        for client in clients:
            assert await ping(client)
        assert (len(listener.connections), metrics.connections_open, metrics.connections_accepted) == (3, 3, 3)
        for client in clients:
            await client.aclose()
        await until(lambda: len(listener.connections) == 0)
        assert (metrics.connections_open, metrics.connections_accepted) == (0, 3)
        assert not listener.connections._per_address

    run(scenario)


def test_beyond_max_connections_clients_wait_on_all_listeners_until_one_leaves() -> None:
    async def scenario(listener: Listening) -> None:
        inside = [await listener.connect(number) for number in (0, 1)]
        for client in inside:
            assert await ping(client)
        outside = [await listener.connect(number) for number in (0, 1)]
        for client in outside:
            await client.send_all(PING)
        for _ in range(20):
            assert await ping(inside[0])
        assert len(listener.connections) == 2
        for client in inside:
            await client.aclose()
        for client in outside:
            assert await client.receive_some(1000)
        assert len(listener.connections) == 2

    run(scenario, max_count=2, count=2)


def test_beyond_max_connections_per_ip_a_connection_is_closed_at_once() -> None:
    async def scenario(listener: Listening) -> None:
        first = await listener.connect()
        assert await ping(first)
        second = await listener.connect()
        assert await is_closed(second)
        assert listener.server.metrics.connections_refused == 1
        await first.aclose()
        await until(lambda: len(listener.connections) == 0)
        assert await ping(await listener.connect())

    run(scenario, max_per_address=1)


class FailingSocket:
    """A listening socket whose `accept` fails as often as wished."""

    def __init__(self, sock: socket.socket, errors: list[int]) -> None:
        self._socket = sock
        self.errors = errors

    def accept(self) -> tuple[socket.socket, Any]:
        if self.errors:
            raise OSError(self.errors.pop(0), "simulated")
        return self._socket.accept()

    def fileno(self) -> int:
        return self._socket.fileno()


@pytest.mark.parametrize(
    ("errors", "lines"),
    [
        ([errno.EMFILE] * 5, 1),
        ([errno.ENFILE, errno.ENOMEM], 2),
        ([errno.ECONNABORTED] * 5, 0),
        ([errno.EBADF] * 3, 1),
    ],
)
def test_accepting_survives(errors: list[int], lines: int, caplog: pytest.LogCaptureFixture) -> None:
    failing = list(errors)

    async def main() -> None:
        (sock,) = listening_sockets("127.0.0.1", 0, 50)
        with sock:
            async with serving(HandlerBroker()) as server:
                connections = Connections(server.shell, 10, 10, 1000, 1000)
                server.shell.spawn(connections.accept, FailingSocket(sock, failing), "L")
                client = await trio.open_tcp_stream(*sock.getsockname())
                assert await ping(client)
                assert failing == []
                await client.aclose()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0.02))
    assert len([record for record in caplog.records if record.levelno == logging.ERROR]) == lines


def test_idle_clients_are_closed_and_busy_ones_are_not() -> None:
    async def scenario(listener: Listening) -> None:
        idle, busy = await listener.connect(), await listener.connect()
        assert await ping(idle)
        for _ in range(4):
            assert await ping(busy)
            clock.jump(4)
            await trio.testing.wait_all_tasks_blocked(0.01)
        assert await is_closed(idle)
        assert await ping(busy)
        assert len(listener.connections) == 1

    clock = trio.testing.MockClock()
    run(scenario, clock, idle_ms=10_000)


def test_a_client_that_owes_the_rest_of_a_frame_is_closed_even_if_it_trickles(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(listener: Listening) -> None:
        client, other = await listener.connect(), await listener.connect()
        assert await ping(client)
        for position in range(8):
            await client.send_all(PING[position : position + 1])
            await trio.testing.wait_all_tasks_blocked(0.01)
            clock.jump(1.1)
            await trio.testing.wait_all_tasks_blocked(0.01)
            if len(listener.connections) < 2:
                break
        assert await is_closed(client)
        assert await ping(other)

    clock = trio.testing.MockClock()
    run(scenario, clock, frame_ms=5000)
    assert "took too long to arrive" in caplog.text


def test_a_client_that_does_not_take_its_answers_is_closed() -> None:
    async def scenario(listener: Listening) -> None:
        client = await listener.connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)

        async def flood() -> None:
            try:
                while True:
                    await client.send_all(PING * 1000)
            except trio.BrokenResourceError:
                pass

        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood)
            await until(lambda: any(one.sending for one in listener.connections._open))
            while listener.connections._open:
                clock.jump(1.1)
                await trio.testing.wait_all_tasks_blocked(0.01)
            nursery.cancel_scope.cancel()
        assert trio.current_time() >= 5

    clock = trio.testing.MockClock()
    run(scenario, clock, frame_ms=5000)


def test_draining_waits_for_answers_under_way_and_not_for_long_polls() -> None:
    async def scenario(listener: Listening) -> None:
        listener.server.broker.create_topic("t")
        client = await listener.connect()
        assert await ping(client)
        await client.send_all(LONG_POLL)
        await until(lambda: listener.server.broker.partition("t").data_waits)
        with trio.fail_after(10):
            await listener.connections.drain()
        assert await is_closed(client)
        await until(lambda: len(listener.connections) == 0)

    run(scenario)


def test_one_port_for_all_addresses_of_a_name() -> None:
    sockets = listening_sockets("localhost", 0, 5)
    try:
        ports = {sock.getsockname()[1] for sock in sockets}
        assert len(ports) == 1
        assert {sock.family for sock in sockets} <= {socket.AF_INET, socket.AF_INET6}
    finally:
        for sock in sockets:
            sock.close()


def test_an_address_family_that_the_machine_lacks_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("2001:db8::1", 0, 0, 0)),  # nobody's address
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *arguments, **options: found)
    (sock,) = listening_sockets("name", 0, 5)
    sock.close()
    del found[1]
    with pytest.raises(OSError, match=r"assign|supported"):
        listening_sockets("name", 0, 5)


def test_a_port_that_is_taken_is_an_error_and_leaves_nothing_open() -> None:
    (taken,) = listening_sockets("127.0.0.1", 0, 5)
    with taken, pytest.raises(OSError, match="in use"):
        listening_sockets("127.0.0.1", taken.getsockname()[1], 5)
