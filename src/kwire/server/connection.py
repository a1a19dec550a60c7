"""One client's connection: reads frames, has them answered in order, writes the answers.

Whatever is not Kafka's protocol ends this connection with one line in the log, and no other. The one thing that is
answered although we do not understand it is an ApiVersions request of a newer version.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import trio

from kwire.handlers.api_versions import unsupported_version
from kwire.handlers.registry import Served
from kwire.metrics import BrokerMetrics
from kwire.protocol.codec import DecodeError, Piece
from kwire.protocol.frames import (
    FrameError,
    FrameReader,
    RequestHead,
    decode_request_body,
    decode_request_head,
    encode_response,
)

log = logging.getLogger("kwire.server")

RECEIVE_BYTES = 64 * 1024
API_VERSIONS = 18


class RefusedError(Exception):
    """A request that is answered by closing the connection, as Kafka does."""


class Connection:
    def __init__(
        self, stream: trio.abc.Stream, peer: str, served: Mapping[int, Served], size_max: int, metrics: BrokerMetrics
    ) -> None:
        self._stream = stream
        self._peer = peer
        self._served = served
        self._reader = FrameReader(size_max)
        self._metrics = metrics

    async def run(self) -> None:
        """Serves until the client closes, or sends what cannot be served."""
        self._metrics.connections_accepted += 1
        self._metrics.connections_open += 1
        try:
            async with self._stream:
                while data := await self._stream.receive_some(RECEIVE_BYTES):
                    self._metrics.bytes_received += len(data)
                    for frame in self._reader.feed(data):
                        await self._send(self.answer(frame))
        except (FrameError, DecodeError, RefusedError) as error:
            self._metrics.connections_refused += 1
            log.warning("closed the connection of %s: %s", self._peer, error)
        except trio.BrokenResourceError:
            log.debug("%s went away", self._peer)
        finally:
            self._metrics.connections_open -= 1

    def answer(self, frame: bytearray) -> list[Piece]:
        """The response frame to one request frame."""
        head = decode_request_head(frame)
        served = self._served.get(head.api_key)
        if served is None or head.api_version not in served.versions:
            return self._unsupported(head, served)
        message = decode_request_body(head, frame)
        response = served.handle(message, head.api_version)
        self._metrics.requests += 1
        return encode_response(served.api, head.api_version, head.correlation_id, response)

    def _unsupported(self, head: RequestHead, served: Served | None) -> list[Piece]:
        if served is not None and served.api.key == API_VERSIONS:
            self._metrics.requests += 1
            return encode_response(served.api, 0, head.correlation_id, unsupported_version())
        name = served.api.name if served else f"API key {head.api_key}"
        raise RefusedError(
            f"client {head.client_id!r} asked for {name} version {head.api_version}, which is not served"
        )

    async def _send(self, pieces: list[Any]) -> None:
        for piece in pieces:
            await self._stream.send_all(piece)
            self._metrics.bytes_sent += len(piece)
