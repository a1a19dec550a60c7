"""One connection, over memory streams: versions, order, deadlines, and what a peer may get wrong."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio
from trio.testing import MemorySendStream, MockClock, memory_stream_pair, wait_all_tasks_blocked

import kwire
from kwire.client.background import background_tasks
from kwire.client.connection import Connection, api_of
from kwire.client.errors import ClientError
from kwire.errors import ErrorCode
from kwire.protocol.codec import encode
from kwire.protocol.frames import FrameReader, decode_request_head, encode_response
from kwire.protocol.messages import APIS
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest
from kwire.protocol.messages.metadata_request import MetadataRequest
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.protocol.messages.produce_request import ProduceRequest
from kwire.protocol.messages.update_features_request import UpdateFeaturesRequest
from kwire.protocol.messages.update_features_response import UpdateFeaturesResponse

TABLE = [ApiVersion(0, 0, 13), ApiVersion(3, 0, 9), ApiVersion(18, 0, 3), ApiVersion(22, 0, 6), ApiVersion(57, 7, 9)]


class Peer:
    """The broker's end: frames as they come, answers as the test says."""

    def __init__(self, stream: Any, connection: Connection) -> None:
        self.stream = stream
        self.connection = connection
        self._reader = FrameReader(1 << 30)
        self._frames: list[bytearray] = []

    async def head(self) -> tuple[str, int, int]:
        """(API, version, correlation id) of the next request."""
        while not self._frames:
            data = await self.stream.receive_some()
            assert data, "the client has closed the connection"
            self._frames += self._reader.feed(data)
        head = decode_request_head(self._frames.pop(0))
        return APIS[head.api_key].name, head.api_version, head.correlation_id

    async def answer(self, key: int, version: int, correlation_id: int, message: Any) -> None:
        pieces: list[Any] = encode_response(APIS[key], version, correlation_id, message)
        await self.stream.send_all(b"".join(pieces))

    async def negotiate(self) -> None:
        async def serve() -> None:
            _, version, correlation_id = await self.head()
            await self.answer(18, version, correlation_id, ApiVersionsResponse(0, TABLE))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await self.connection.negotiate(5)

    async def answer_metadata(self, cluster_id: str) -> None:
        _, version, correlation_id = await self.head()
        await self.answer(3, version, correlation_id, MetadataResponse(cluster_id=cluster_id))


def run(scenario: Callable[[Peer], Awaitable[None]]) -> None:
    async def main() -> None:
        ours, theirs = memory_stream_pair()
        connection = Connection(ours, "broker:9092", "tester")
        async with background_tasks() as nursery:
            nursery.start_soon(connection.run)
            await scenario(Peer(theirs, connection))

    trio.run(main, clock=MockClock(autojump_threshold=0))


async def ask(connection: Connection, timeout_s: float = 5) -> str | None:
    return (await connection.call(MetadataRequest(topics=[]), MetadataResponse, timeout_s)).cluster_id


# ---- versions ---------------------------------------------------------------------------------------------------


def test_the_newest_version_that_both_know_is_spoken() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        connection = peer.connection
        assert connection.version_of(APIS[3]) == 9  # theirs is older
        assert connection.version_of(APIS[0]) == 13
        assert connection.version_of(api_of(InitProducerIdRequest)) == 5  # 6 is not settled yet

    run(scenario)


def test_an_api_that_is_not_served_and_one_without_a_common_version_are_refused() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        with pytest.raises(ClientError, match=r"does not serve Fetch") as refused:
            peer.connection.version_of(APIS[1])
        assert refused.value.code is ErrorCode.UNSUPPORTED_VERSION
        with pytest.raises(ClientError, match=r"serves UpdateFeatures 7-9, this client knows 0-2"):
            await peer.connection.call(UpdateFeaturesRequest(), UpdateFeaturesResponse, 5)

    run(scenario)


@pytest.mark.parametrize(("table", "second_version"), [(TABLE, 3), ([], 0), ([ApiVersion(18, 0, 9)], 3)])
def test_a_broker_that_does_not_know_our_api_versions_is_asked_in_its_own(
    table: list[ApiVersion], second_version: int
) -> None:
    async def scenario(peer: Peer) -> None:
        async def serve() -> None:
            assert await peer.head() == ("ApiVersions", 4, 0)
            # Whatever was asked, the refusal is in version 0 (KIP-511).
            await peer.answer(18, 0, 0, ApiVersionsResponse(ErrorCode.UNSUPPORTED_VERSION, table))
            assert await peer.head() == ("ApiVersions", second_version, 1)
            await peer.answer(18, second_version, 1, ApiVersionsResponse(0, TABLE))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            await peer.connection.negotiate(5)
        assert peer.connection.version_of(APIS[3]) == 9

    run(scenario)


def test_an_error_in_api_versions_is_told() -> None:
    async def scenario(peer: Peer) -> None:
        async def serve() -> None:
            await peer.head()
            await peer.answer(18, 4, 0, ApiVersionsResponse(ErrorCode.INVALID_REQUEST))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            with pytest.raises(ClientError, match=r"ApiVersions: INVALID_REQUEST"):
                await peer.connection.negotiate(5)

    run(scenario)


def test_a_field_that_the_version_lacks_is_an_error_about_the_broker() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        request = MetadataRequest(topics=[], include_cluster_authorized_operations=True)
        peer.connection._served = {3: APIS[3].versions._replace(high=3)}  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(ClientError, match=r"too old for this: .*include_cluster_authorized_operations"):
            await peer.connection.call(request, MetadataResponse, 5)
        assert not peer.connection.failed

    run(scenario)


# ---- order ------------------------------------------------------------------------------------------------------


def test_requests_are_pipelined_and_answers_find_their_requests() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        answers: dict[int, str | None] = {}

        async def caller(number: int) -> None:
            answers[number] = await ask(peer.connection)

        async with trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(caller, number)
                await wait_all_tasks_blocked()
            heads = [await peer.head() for _ in range(3)]  # all three are here before the first answer
            assert [correlation_id for _, _, correlation_id in heads] == [1, 2, 3]
            for _, version, correlation_id in heads:
                await peer.answer(3, version, correlation_id, MetadataResponse(cluster_id=f"for {correlation_id}"))
        assert answers == {0: "for 1", 1: "for 2", 2: "for 3"}

    run(scenario)


def test_a_request_that_its_caller_gave_up_has_its_answer_thrown_away() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        with trio.move_on_after(1):
            await ask(peer.connection, timeout_s=60)

        async def serve() -> None:
            await peer.answer_metadata("late")
            await peer.answer_metadata("second")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            assert await ask(peer.connection) == "second"

    run(scenario)


def test_a_request_without_an_answer_waits_for_none() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        await peer.connection.send(ProduceRequest(acks=0), 5)
        assert (await peer.head())[0] == "Produce"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(peer.answer_metadata, "next")
            assert await ask(peer.connection) == "next"

    run(scenario)


# ---- what goes wrong --------------------------------------------------------------------------------------------


def test_an_answer_that_does_not_come_fails_the_connection() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        began = trio.current_time()
        with pytest.raises(ClientError, match=r"did not answer Metadata within 7 s") as late:
            await ask(peer.connection, timeout_s=7)
        assert late.value.code is ErrorCode.REQUEST_TIMED_OUT
        assert trio.current_time() - began == pytest.approx(7)
        assert peer.connection.failed
        with pytest.raises(ClientError, match=r"did not answer Metadata"):  # at once, and for the same reason
            await ask(peer.connection)
        assert trio.current_time() - began == pytest.approx(7)
        await peer.head()
        assert await peer.stream.receive_some() == b""

    run(scenario)


async def _close(peer: Peer) -> None:
    await peer.stream.aclose()


async def _speak_http(peer: Peer) -> None:
    await peer.stream.send_all(b"HTTP/1.1 400 Bad Request\r\n")


async def _send_tls_alert(peer: Peer) -> None:
    await peer.stream.send_all(b"\x15\x03\x03\x00\x02\x02\x46")


async def _answer_another_request(peer: Peer) -> None:
    await peer.answer(3, 9, 77, MetadataResponse())


async def _answer_with_four_bytes(peer: Peer) -> None:
    await peer.stream.send_all(struct.pack(">ii", 4, 1))


async def _answer_with_a_stub(peer: Peer) -> None:
    await peer.stream.send_all(struct.pack(">ih", 2, 1))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (_close, "broker:9092 closed the connection"),
        (_speak_http, "sent a frame of 1213486160 bytes, .*is it a Kafka broker"),
        (_send_tls_alert, "sent a frame of 352518912 bytes, .*plaintext port"),
        (_answer_another_request, "answer to no request of ours"),
        (_answer_with_a_stub, "answer to no request of ours"),
        (_answer_with_four_bytes, "bytes that are no Metadata response"),
    ],
)
def test_what_is_not_an_answer_fails_everyone_who_waits(wrong: Callable[[Peer], Awaitable[None]], message: str) -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        failures: list[ClientError] = []

        async def caller() -> None:
            try:
                await ask(peer.connection)
            except ClientError as error:
                failures.append(error)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(caller)
            nursery.start_soon(caller)
            await wait_all_tasks_blocked()
            await wrong(peer)
        assert len(failures) == 2
        assert all(failure.code is ErrorCode.NETWORK_EXCEPTION and failure.retriable for failure in failures)
        with pytest.raises(ClientError, match=message):
            raise failures[0]
        assert peer.connection.failed

    run(scenario)


def test_an_answer_that_nobody_asked_for_fails_the_connection() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        await peer.answer(3, 9, 1, MetadataResponse())
        await wait_all_tasks_blocked()
        with pytest.raises(ClientError, match=r"answer to no request of ours"):
            await ask(peer.connection)

    run(scenario)


def test_a_peer_that_closes_before_it_has_told_its_versions_may_be_no_kafka_broker() -> None:
    async def scenario(peer: Peer) -> None:
        async def serve() -> None:
            await peer.head()
            await peer.stream.aclose()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            with pytest.raises(ClientError, match=r"closed the connection .*is it a Kafka broker"):
                await peer.connection.negotiate(5)

    run(scenario)


def test_half_a_frame_sent_makes_the_connection_useless() -> None:
    async def main() -> None:
        ours, theirs = memory_stream_pair()
        connection = Connection(ours, "broker:9092")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connection.run)
            await Peer(theirs, connection).negotiate()

            async def stall() -> None:
                await trio.sleep_forever()

            assert isinstance(ours.send_stream, MemorySendStream)
            ours.send_stream.send_all_hook = stall
            with trio.move_on_after(1):
                await ask(connection, timeout_s=60)
            with pytest.raises(ClientError, match=r"broke while sending Metadata"):
                await ask(connection)
            nursery.cancel_scope.cancel()

    trio.run(main, clock=MockClock(autojump_threshold=0))


def test_a_request_on_a_closed_stream_fails_with_the_reason() -> None:
    async def scenario(peer: Peer) -> None:
        await peer.negotiate()
        peer.connection.fail("enough")
        await wait_all_tasks_blocked()
        with pytest.raises(ClientError, match=r"^enough$"):
            await ask(peer.connection)

    run(scenario)


def test_the_client_names_itself() -> None:
    async def scenario(peer: Peer) -> None:
        async with trio.open_nursery() as nursery:

            async def look() -> None:
                data = await peer.stream.receive_some()
                assert b"tester" in data
                assert encode(ApiVersionsRequest("kwire", kwire.__version__), 4) in bytes(data)
                nursery.cancel_scope.cancel()

            nursery.start_soon(look)
            await peer.connection.negotiate(5)

    run(scenario)
