"""One socket to one broker: requests go out as they come, answers come back in the same order.

What holds true: answers are matched to requests by their order and checked by their correlation id, and both sides
agree on a version before the first request. A connection that has failed stays failed: whoever waits for an answer
gets the reason, and whoever asks for a new one gets it at once. A request whose answer does not come in time fails the
connection, as in Kafka's own client, since everything behind it waits for the same broker. A request that its caller
cancels while it waits only has its answer thrown away.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import trio

import kwire
from kwire.client.errors import ClientError, check
from kwire.errors import ErrorCode
from kwire.protocol.codec import DecodeError, EncodeError
from kwire.protocol.frames import FrameError, FrameReader, decode_response, encode_request
from kwire.protocol.messages import APIS
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersionsResponse
from kwire.protocol.registry import Api
from kwire.protocol.schema import Message, Versions

R = TypeVar("R", bound=Message)

RECEIVE_BYTES = 256 * 1024
RESPONSE_BYTES_MAX = 256 * 1024 * 1024
"""Above what a sensible fetch asks for, and below what the first bytes of HTTP or TLS are when read as a size."""

_API_VERSIONS = APIS[18]
_NOT_KAFKA = "is it a Kafka broker, and is this its plaintext port?"
_correlation_id = struct.Struct(">i").unpack_from
_error_code = struct.Struct(">h").unpack_from


class _Awaited:
    """A request under way: the answer's frame, once `done` is set without a failure of the connection."""

    __slots__ = ("correlation_id", "done", "frame")

    def __init__(self) -> None:
        self.correlation_id = -1
        self.done = trio.Event()
        self.frame: bytearray | None = None


class Connection:
    """Requests and answers on one stream. `run` must be running for answers to arrive; then `negotiate` comes first."""

    def __init__(self, stream: trio.abc.Stream, peer: str, client_id: str = "kwire") -> None:
        self.peer = peer
        self.api_versions = ApiVersionsResponse()
        self._stream = stream
        self._client_id = client_id
        self._reader = FrameReader(RESPONSE_BYTES_MAX)
        self._awaited: deque[_Awaited] = deque()
        self._sending = trio.Lock()  # fair: requests go out in the order in which they were made
        self._next_correlation_id = 0
        self._failure: ClientError | None = None
        self._receiving = trio.CancelScope()
        self._served: Mapping[int, Versions] = {}

    @property
    def failed(self) -> bool:
        return self._failure is not None

    async def run(self) -> None:
        """Receives until the stream ends, or `fail` is called. Never raises: whoever waits for an answer is told."""
        try:
            with self._receiving:
                async with self._stream:
                    while data := await self._stream.receive_some(RECEIVE_BYTES):
                        for frame in self._reader.feed(data):
                            self._deliver(frame)
            self.fail(f"{self.peer} closed the connection", "" if self._served else _NOT_KAFKA)
        except FrameError as error:
            self.fail(f"{self.peer} sent {error}", _NOT_KAFKA)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.fail(f"lost the connection to {self.peer}")
        finally:
            self.fail(f"the connection to {self.peer} was closed")

    def fail(self, message: str, hint: str = "") -> None:
        """Ends the connection, and tells everyone who waits. The first reason counts."""
        if self._failure is not None:
            return
        self._failure = ClientError(ErrorCode.NETWORK_EXCEPTION, message, hint)
        self._receiving.cancel()
        while self._awaited:
            self._awaited.popleft().done.set()

    def version_of(self, api: Api) -> int:
        """The newest version that both sides know."""
        ours = _known_versions(api)
        theirs = self._served.get(api.key)
        if theirs is None:
            raise ClientError(ErrorCode.UNSUPPORTED_VERSION, f"{self.peer} does not serve {api.name}")
        version = min(ours.high, theirs.high)
        if version < max(ours.low, theirs.low):
            message = f"{self.peer} serves {api.name} {theirs}, this client knows {ours}"
            raise ClientError(ErrorCode.UNSUPPORTED_VERSION, message)
        return version

    async def negotiate(self, timeout_s: float) -> None:
        """Asks for the broker's versions, in the newest version of that request itself which it understands."""
        request = ApiVersionsRequest("kwire", kwire.__version__)
        version = _API_VERSIONS.versions.high
        with self._deadline(_API_VERSIONS.name, timeout_s):
            frame = await self._exchange(_API_VERSIONS, version, request)
            if len(frame) >= 6 and _error_code(frame, 4)[0] == ErrorCode.UNSUPPORTED_VERSION:
                # The table comes in version 0, whatever we asked for (KIP-511).
                refused = self._decoded(_API_VERSIONS, 0, frame, ApiVersionsResponse)
                newest = {row.api_key: row.max_version for row in refused.api_keys}.get(_API_VERSIONS.key, 0)
                version = max(0, min(newest, version - 1))
                frame = await self._exchange(_API_VERSIONS, version, request)
            answer = self._decoded(_API_VERSIONS, version, frame, ApiVersionsResponse)
        check(f"{self.peer}: ApiVersions", answer.error_code)
        self.api_versions = answer
        self._served = {row.api_key: Versions(row.min_version, row.max_version) for row in answer.api_keys}

    async def call(self, request: Message, response: type[R], timeout_s: float) -> R:
        """The answer to a request, in the newest version that both sides know."""
        api = api_of(type(request))
        version = self.version_of(api)
        with self._deadline(api.name, timeout_s):
            frame = await self._exchange(api, version, request)
        return self._decoded(api, version, frame, response)

    async def send(self, request: Message, timeout_s: float) -> None:
        """Sends a request that is not answered: Produce with acks=0 is the only one."""
        api = api_of(type(request))
        with self._deadline(api.name, timeout_s):
            await self._send(api, self.version_of(api), request, None)

    # ---- the way out and back --------------------------------------------------------------------------------

    async def _exchange(self, api: Api, version: int, request: Message) -> bytearray:
        awaited = _Awaited()
        await self._send(api, version, request, awaited)
        await awaited.done.wait()
        if awaited.frame is None:
            assert self._failure is not None
            raise self._failure
        return awaited.frame

    async def _send(self, api: Api, version: int, request: Message, awaited: _Awaited | None) -> None:
        try:
            async with self._sending:
                if self._failure is not None:
                    raise self._failure
                correlation_id = self._next_correlation_id
                pieces: list[Any] = encode_request(api, version, correlation_id, self._client_id, request)
                self._next_correlation_id = (correlation_id + 1) & 0x7FFFFFFF
                if awaited is not None:
                    awaited.correlation_id = correlation_id
                    self._awaited.append(awaited)
                try:
                    # One piece: a copy costs less than a second system call, and than a packet for the head alone.
                    await self._stream.send_all(b"".join(pieces))
                except BaseException:
                    # Part of a frame may be on its way; nothing that follows could be understood.
                    self.fail(f"the connection to {self.peer} broke while sending {api.name}")
                    raise
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            assert self._failure is not None
            raise self._failure from None
        except EncodeError as error:
            raise ClientError(ErrorCode.UNSUPPORTED_VERSION, f"{self.peer} is too old for this: {error}") from None

    def _deliver(self, frame: bytearray) -> None:
        awaited = self._awaited.popleft() if self._awaited else None
        if awaited is None or len(frame) < 4 or _correlation_id(frame)[0] != awaited.correlation_id:
            if awaited is not None:
                self._awaited.appendleft(awaited)
            self.fail(f"{self.peer} sent an answer to no request of ours", _NOT_KAFKA)
            return
        awaited.frame = frame
        awaited.done.set()

    def _decoded(self, api: Api, version: int, frame: bytearray, response: type[R]) -> R:
        try:
            answer = decode_response(api, version, frame)[1]
        except DecodeError as error:
            message = f"{self.peer} sent bytes that are no {api.name} response: {error}"
            self.fail(message, _NOT_KAFKA)
            raise ClientError(ErrorCode.NETWORK_EXCEPTION, message, _NOT_KAFKA) from None
        assert isinstance(answer, response)
        return answer

    @contextmanager
    def _deadline(self, name: str, timeout_s: float) -> Generator[None]:
        with trio.move_on_after(timeout_s) as scope:
            yield
        if scope.cancelled_caught:
            message = f"{self.peer} did not answer {name} within {timeout_s:g} s"
            self.fail(message)
            raise ClientError(ErrorCode.REQUEST_TIMED_OUT, message)


@cache
def api_of(request: type[Message]) -> Api:
    """The API whose request this is."""
    name = request.SCHEMA.name.removesuffix("Request")
    return next(api for api in APIS.values() if api.name == name)


@cache
def _known_versions(api: Api) -> Versions:
    """Ours, without those at the end that Kafka has not settled yet."""
    low, high = api.versions
    return Versions(low, api.unstable.low - 1) if high in api.unstable else Versions(low, high)
