"""A client's connection, over memory streams: what is answered, and what ends it."""

from __future__ import annotations

import logging
import struct
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import memory_stream_pair

from kwire.errors import ErrorCode
from kwire.handlers.registry import served_apis
from kwire.metrics import BrokerMetrics
from kwire.protocol.codec import encode
from kwire.protocol.frames import FrameReader, decode_response, encode_request
from kwire.protocol.messages import APIS
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersionsResponse
from kwire.protocol.messages.request_header import RequestHeader
from kwire.server.connection import Connection

API_VERSIONS = APIS[18]
LIMIT = 10_000


class Client:
    def __init__(self, stream: trio.abc.Stream, metrics: BrokerMetrics) -> None:
        self.stream = stream
        self.metrics = metrics
        self.reader = FrameReader(2**31 - 1)
        self.frames: list[bytearray] = []

    async def frame(self) -> bytearray | None:
        """The next frame, or None once the server has closed."""
        while not self.frames:
            data = await self.stream.receive_some()
            if not data:
                return None
            self.frames += self.reader.feed(data)
        return self.frames.pop(0)

    async def send(self, version: int, correlation_id: int, request: ApiVersionsRequest) -> None:
        for piece in encode_request(API_VERSIONS, version, correlation_id, "test", request):
            await self.stream.send_all(piece)  # pyright: ignore


def run(scenario: Callable[[Client], Awaitable[None]]) -> BrokerMetrics:
    metrics = BrokerMetrics()

    async def main() -> None:
        ours, theirs = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Connection(theirs, "peer", served_apis(), LIMIT, metrics).run)
            await scenario(Client(ours, metrics))
            await ours.aclose()

    trio.run(main)
    assert metrics.connections_open == 0
    return metrics


@pytest.mark.parametrize("version", range(5))
def test_api_versions_lists_what_is_served(version: int) -> None:
    async def scenario(client: Client) -> None:
        await client.send(version, 7, ApiVersionsRequest("test", "1.0"))
        frame = await client.frame()
        assert frame is not None
        correlation_id, response = decode_response(API_VERSIONS, version, frame)
        assert isinstance(response, ApiVersionsResponse)
        assert (correlation_id, response.error_code) == (7, 0)
        table = {row.api_key: (row.min_version, row.max_version) for row in response.api_keys}
        assert table == {key: tuple(served.versions) for key, served in served_apis().items()}
        assert table[18] == (0, 4)

    metrics = run(scenario)
    assert (metrics.requests, metrics.connections_accepted, metrics.connections_refused) == (1, 1, 0)
    assert metrics.bytes_received > 0
    assert metrics.bytes_sent > 0


def test_answers_come_in_order_even_if_asked_at_once() -> None:
    async def scenario(client: Client) -> None:
        for correlation_id in range(20):
            await client.send(correlation_id % 5, correlation_id, ApiVersionsRequest("test", "1.0"))
        for correlation_id in range(20):
            frame = await client.frame()
            assert frame is not None
            assert decode_response(API_VERSIONS, correlation_id % 5, frame)[0] == correlation_id

    run(scenario)


def test_a_newer_version_of_api_versions_is_answered_in_version_0() -> None:
    async def scenario(client: Client) -> None:
        body = encode(RequestHeader(18, 99, 3, "new"), 1) + b"\xff not to be parsed"
        await client.stream.send_all(struct.pack(">i", len(body)) + body)
        frame = await client.frame()
        assert frame is not None
        correlation_id, response = decode_response(API_VERSIONS, 0, frame)
        assert isinstance(response, ApiVersionsResponse)
        assert (correlation_id, response.error_code) == (3, ErrorCode.UNSUPPORTED_VERSION)
        assert 18 in [row.api_key for row in response.api_keys]
        await client.send(0, 4, ApiVersionsRequest())
        assert await client.frame() is not None

    run(scenario)


@pytest.mark.parametrize(("name", "software_version"), [("", "1"), ("a", ""), ("-a", "1"), ("a b", "1"), ("a", "1.")])
def test_a_client_with_a_strange_name_gets_invalid_request(name: str, software_version: str) -> None:
    async def scenario(client: Client) -> None:
        await client.send(3, 1, ApiVersionsRequest(name, software_version))
        frame = await client.frame()
        assert frame is not None
        _, response = decode_response(API_VERSIONS, 3, frame)
        assert isinstance(response, ApiVersionsResponse)
        assert (response.error_code, list(response.api_keys)) == (ErrorCode.INVALID_REQUEST, [])

    run(scenario)


def sized(body: bytes) -> bytes:
    return struct.pack(">i", len(body)) + body


@pytest.mark.parametrize(
    ("data", "logged"),
    [
        (struct.pack(">i", -1), "a frame of -1 bytes"),
        (struct.pack(">i", LIMIT + 1), f"a frame of {LIMIT + 1} bytes"),
        (sized(b""), "RequestHeader"),
        (sized(b"\0\x12\0"), "RequestHeader"),
        (
            sized(encode(RequestHeader(18, 3, 1, "me"), 2) + b"\x09abc"),
            "ApiVersionsRequest v3: client_software_version",
        ),
        (sized(encode(RequestHeader(999, 0, 1, "me"), 1)), "client 'me' asked for API key 999 version 0"),
        (sized(encode(RequestHeader(7, 0, 1, "me"), 1)), "client 'me' asked for API key 7 version 0"),
    ],
)
def test_what_is_not_kafka_ends_the_connection_with_one_line(
    data: bytes, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(client: Client) -> None:
        await client.stream.send_all(data)
        assert await client.frame() is None

    with caplog.at_level(logging.WARNING, logger="kwire.server"):
        metrics = run(scenario)
    (record,) = caplog.records
    assert logged in record.getMessage()
    assert record.exc_info is None
    assert metrics.connections_refused == 1


def test_a_client_that_goes_away_in_the_middle_of_a_frame_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(client: Client) -> None:
        await client.stream.send_all(struct.pack(">i", 100) + b"half")

    metrics = run(scenario)
    assert caplog.records == []
    assert metrics.connections_refused == 0
