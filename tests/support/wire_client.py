"""A client of one socket: sends one decoded request as a frame, waits for the decoded answer. Any broker will do."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Any, Self

from kwire.protocol.frames import FrameReader, decode_response, encode_request
from kwire.protocol.messages import APIS
from kwire.protocol.registry import Api
from kwire.protocol.schema import Message

TIMEOUT_S = 20.0
BY_REQUEST_NAME = {f"{api.name}Request": api for api in APIS.values()}


class ConnectionEndedError(Exception):
    """The broker closed the connection instead of answering."""


def api_of(request: Message) -> Api:
    return BY_REQUEST_NAME[type(request).__name__]


class WireClient:
    """One connection. A broker that closes it is connected to again with the next request."""

    def __init__(self, address: tuple[str, int], client_id: str = "wire-client") -> None:
        self.address = address
        self.client_id = client_id
        self.aliases: dict[bytes, bytes] = {}
        """What to send in place of some bytes of the same length, and to take for them in answers: ids, for one."""
        self._socket: socket.socket | None = None
        self._correlation_id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def send(self, request: Message, version: int) -> int:
        """Sends without waiting for an answer; the correlation id."""
        if self._socket is None:
            self._socket = socket.create_connection(self.address, timeout=TIMEOUT_S)
        self._correlation_id += 1
        for piece in encode_request(api_of(request), version, self._correlation_id, self.client_id, request):
            assert isinstance(piece, (bytes, bytearray, memoryview))
            sent = bytes(piece)
            for alias, real in self.aliases.items():
                sent = sent.replace(alias, real)
            self._socket.sendall(sent)
        return self._correlation_id

    def ask(self, request: Message, version: int) -> Any:
        """The answer; `ConnectionEndedError` if the broker closes the connection instead."""
        correlation_id = self.send(request, version)
        answered, response = self.receive(request, version)
        assert answered == correlation_id
        return response

    def receive(self, request: Message, version: int) -> tuple[int, Any]:
        """(correlation id, response) of the next answer, which is one to a request like this."""
        frame = self._frame()
        for alias, real in self.aliases.items():
            frame = frame.replace(real, alias)
        return decode_response(api_of(request), version, frame)

    def _frame(self) -> bytearray:
        assert self._socket is not None
        reader = FrameReader(2**31 - 1)
        while True:
            try:
                data = self._socket.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            except TimeoutError:
                self.close()
                raise
            if not data:
                self.close()
                raise ConnectionEndedError(f"{self.address[0]}:{self.address[1]} closed the connection")
            frames = reader.feed(data)
            if frames:
                (frame,) = frames
                return frame
