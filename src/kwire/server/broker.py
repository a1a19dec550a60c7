"""The composition root: puts a broker together and runs it until it is told to stop."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import trio

from kwire.errors import UsageError
from kwire.handlers.registry import served_apis
from kwire.metrics import BrokerMetrics
from kwire.server.connection import Connection

LISTEN_BACKLOG = 512


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """What a broker needs to start."""

    host: str
    port: int  # 0 takes a free one
    data_dir: Path
    request_bytes_max: int


class Broker:
    """A broker on one address: `listen`, then `run` until cancelled."""

    def __init__(self, settings: BrokerSettings) -> None:
        self.settings = settings
        self.metrics = BrokerMetrics()
        self._served = served_apis()
        self._listeners: list[trio.SocketListener] = []

    async def listen(self) -> int:
        """Takes the address, so that connections queue up from here on; the port that it is."""
        settings = self.settings
        try:
            settings.data_dir.mkdir(parents=True, exist_ok=True)
            self._listeners = await trio.open_tcp_listeners(settings.port, host=settings.host, backlog=LISTEN_BACKLOG)
        except OSError as error:
            raise UsageError(*_start_failure(settings, error)) from error
        return self._listeners[0].socket.getsockname()[1]

    async def run(self) -> None:
        await trio.serve_listeners(self._serve, self._listeners)

    async def _serve(self, stream: trio.SocketStream) -> None:
        address = stream.socket.getpeername()
        peer = f"{address[0]}:{address[1]}"
        await Connection(stream, peer, self._served, self.settings.request_bytes_max, self.metrics).run()


def _start_failure(settings: BrokerSettings, error: OSError) -> tuple[str, str]:
    """(what is wrong, what to do about it)."""
    if error.errno == errno.EADDRINUSE:
        return f"port {settings.port} on {settings.host} is taken", "choose another with --port, or 0 for a free one"
    where = error.filename or f"{settings.host}:{settings.port}"
    return f"cannot start on {where}: {error.strerror or error}", ""
