"""Accepting connections: survives running out of descriptors, and keeps to the limits on connections.

max.connections holds back accepting, as in Kafka, so that clients wait in the kernel's queue; max.connections.per.ip
closes at once what is too much.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections import Counter

import trio

from kwire.server.connection import Connection
from kwire.server.shell import Shell

log = logging.getLogger("kwire.server")

# What accept(2) says of a connection that was gone before we took it, and of the network under it.
GONE_ALREADY = {
    errno.ECONNABORTED,
    errno.EPROTO,
    errno.EPERM,
    errno.ENETDOWN,
    errno.ENOPROTOOPT,
    errno.EHOSTDOWN,
    errno.ENONET,
    errno.EHOSTUNREACH,
    errno.EOPNOTSUPP,
    errno.ENETUNREACH,
}
NO_SUCH_FAMILY = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
FREE_PORT_ATTEMPTS = 16
PAUSE_S = 0.1
SWEEP_S = 1.0
DRAIN_CHECK_S = 0.01


class Connections:
    """All open connections of a broker, with the limits on them."""

    def __init__(self, shell: Shell, max_count: int, max_per_address: int, idle_ms: int, frame_ms: int) -> None:
        self._shell = shell
        self._max_count = max_count
        self._max_per_address = max_per_address
        self._idle_ms = idle_ms
        self._frame_ms = frame_ms
        self._open: set[Connection] = set()
        self._per_address: Counter[str] = Counter()
        self._closed_one = trio.Event()

    def __len__(self) -> int:
        return len(self._open)

    async def accept(self, listening: socket.socket, name: str) -> None:
        """Accepts until cancelled. Nothing that a single connection does ends it, nor running out of descriptors."""
        was_told = 0  # of which error the log has a line already
        while True:
            await trio.lowlevel.checkpoint()  # a flood of clients leaves time for those who are here
            await self._wait_for_room()
            try:
                sock, address = listening.accept()
            except BlockingIOError:
                await trio.lowlevel.wait_readable(listening)
                continue
            except OSError as error:
                if error.errno not in GONE_ALREADY:
                    if error.errno != was_told:
                        log.error("cannot accept connections: %s; trying again and again", error.strerror)
                        was_told = error.errno
                    await trio.sleep(PAUSE_S)
                continue
            was_told = 0
            self._welcome(sock, (address[0], address[1]), name)

    def _welcome(self, sock: socket.socket, peer: tuple[str, int], name: str) -> None:
        metrics = self._shell.metrics
        if self._per_address[peer[0]] >= self._max_per_address:
            metrics.connections_refused += 1
            log.warning("refused a connection of %s: max.connections.per.ip is %d", peer[0], self._max_per_address)
            sock.close()
            return
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            log.debug("%s:%d went away: %r", *peer, error)
            sock.close()
            return
        metrics.connections_accepted += 1
        connection = Connection(sock, peer, name, self._shell)
        self._open.add(connection)
        self._per_address[peer[0]] += 1
        self._shell.spawn(self._serve, connection)

    async def _serve(self, connection: Connection) -> None:
        metrics = self._shell.metrics
        metrics.connections_open += 1
        try:
            await connection.run()
        finally:
            metrics.connections_open -= 1
            self._open.discard(connection)
            self._per_address[connection.peer[0]] -= 1
            if not self._per_address[connection.peer[0]]:
                del self._per_address[connection.peer[0]]
            closed_one, self._closed_one = self._closed_one, trio.Event()
            closed_one.set()

    async def _wait_for_room(self) -> None:
        while len(self._open) >= self._max_count:
            await self._closed_one.wait()

    async def drain(self) -> None:
        """Until every request that has been read is answered, and the answers are sent; then closes all."""
        self._shell.is_stopping = True
        while any(connection.is_busy for connection in self._open):  # noqa: ASYNC110 (once, at the end of a broker)
            await trio.sleep(DRAIN_CHECK_S)
        for connection in tuple(self._open):
            connection.close()

    async def sweep(self) -> None:
        """Closes connections that are idle, or owe us the rest of a frame, or do not take their answers, for too long.

        One look a second at all connections is far cheaper than a deadline on every read.
        """
        while True:
            await trio.sleep(SWEEP_S)
            now_ms = self._shell.monotonic_ms()
            for connection in tuple(self._open):
                began_ms = connection.frame_began_ms
                if began_ms is not None and now_ms - began_ms > self._frame_ms:
                    log.warning("closed the connection of %s:%d: a request took too long to arrive", *connection.peer)
                    connection.close()
                elif now_ms - connection.active_ms > (self._frame_ms if connection.sending else self._idle_ms):
                    log.debug("closed the idle connection of %s:%d", *connection.peer)
                    connection.close()


def listening_sockets(host: str, port: int, backlog: int) -> list[socket.socket]:
    """Sockets on every address of `host`; an empty host is every interface. Port 0 takes one free port for all."""
    attempts = 1 if port else FREE_PORT_ATTEMPTS
    while True:
        attempts -= 1
        try:
            return _listen_on_all(host, port, backlog)
        except OSError as error:
            # A port that is free on one address may be taken on another.
            if error.errno != errno.EADDRINUSE or not attempts:
                raise


def _listen_on_all(host: str, port: int, backlog: int) -> list[socket.socket]:
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    unusable: OSError | None = None
    for family, kind, protocol, _, address in found:
        try:
            sock = _listen(family, kind, protocol, (address[0], port, *address[2:]), backlog)
        except OSError as error:
            if error.errno in NO_SUCH_FAMILY:
                unusable = error  # many machines resolve names to IPv6 addresses and have no IPv6
                continue
            for opened in sockets:
                opened.close()
            raise
        sockets.append(sock)
        port = sock.getsockname()[1]
    if unusable is not None and not sockets:
        raise unusable
    return sockets


def _listen(family: int, kind: int, protocol: int, address: tuple[str | int, ...], backlog: int) -> socket.socket:
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(address)
        sock.listen(backlog)
        sock.setblocking(False)
    except OSError:
        sock.close()
        raise
    return sock
