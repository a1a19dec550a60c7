"""One connection on a pair of sockets: order, pipelines, bounds, and what ends it."""

from __future__ import annotations

import errno
import logging
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio
import trio.testing

from batches import batch, values_in
from broker_fixture import HandlerBroker, flush
from kwire.errors import ErrorCode
from kwire.handlers.registry import Call, Served, served_apis
from kwire.handlers.reply import Blocking, ConnectionMustCloseError, Later, Reply
from kwire.partitions.partition import Partition
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.metadata_request import MetadataRequest
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.server.connection import FRAMES_PER_TURN, IN_FLIGHT_MAX, PROGRESS_BYTES
from server_fixture import REQUEST_BYTES_MAX, Server, serving, until

Scenario = Callable[[Server], Awaitable[None]]


def run(scenario: Scenario, broker: HandlerBroker | None = None, clock: Any = None, **options: Any) -> HandlerBroker:
    broker = broker or HandlerBroker()

    async def main() -> None:
        async with serving(broker, **options) as server:
            await scenario(server)

    trio.run(main, clock=clock)
    return broker


def with_topic(**properties: str) -> HandlerBroker:
    broker = HandlerBroker({name.replace("_", "."): text for name, text in properties.items()})
    broker.create_topic("t")
    return broker


def produce(value: str | bytes, acks: int = -1, topic: str = "t") -> ProduceRequest:
    data = TopicProduceData(name=topic, partition_data=[PartitionProduceData(0, batch(value))])
    return ProduceRequest(None, acks, 1000, [data])


def fetch(offset: int = 0, max_wait_ms: int = 60_000, min_bytes: int = 1) -> FetchRequest:
    asked = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 24)
    topics = [FetchTopic(topic="t", partitions=[asked])]
    return FetchRequest(
        max_wait_ms=max_wait_ms, min_bytes=min_bytes, max_bytes=1 << 24, session_epoch=-1, topics=topics
    )


def replaced(handle: Callable[[Any, Any, Call], Reply], key: int = 3) -> dict[int, Served]:
    """All APIs, with the handler of one of them replaced."""
    served = served_apis()
    return {**served, key: served[key]._replace(handle=handle)}


# ---- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", range(5))
def test_an_answer_comes_for_what_was_asked(version: int) -> None:
    async def scenario(server: Server) -> None:
        request = ApiVersionsRequest("kwire", "1.0") if version >= 3 else ApiVersionsRequest()
        response = await server.connect().ask(request, version)
        assert response.error_code == 0
        table = {one.api_key: (one.min_version, one.max_version) for one in response.api_keys}
        assert table.keys() == served_apis().keys()
        assert table[0] == (0, 13)

    run(scenario)


def test_a_version_of_api_versions_from_the_future_is_answered_in_the_oldest_layout() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        client.frame(ApiVersionsRequest(), 0)  # how the answer is to be read
        await client.send(struct.pack(">ihhih", 17, 18, 99, 1, 4) + b"test" + b"\xff\xff\xff")
        _, response = await client.receive()
        assert response.error_code == ErrorCode.UNSUPPORTED_VERSION
        assert len(response.api_keys) == len(served_apis())
        assert (await client.ask(ApiVersionsRequest(), 0)).error_code == 0

    run(scenario)


def test_requests_in_any_cut_are_answered_in_their_order() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        data = b"".join(client.frame(produce(str(number)), 9) for number in range(20))
        for start in range(0, len(data), 7):
            await client.send(data[start : start + 7])
            await trio.lowlevel.checkpoint()
        for number in range(20):
            correlation_id, response = await client.receive()
            row = response.responses[0].partition_responses[0]
            assert (correlation_id, row.base_offset) == (number + 1, number)

    run(scenario, with_topic())


def test_an_answer_that_waits_holds_back_answers_but_not_requests() -> None:
    async def scenario(server: Server) -> None:
        client, other = server.connect(), server.connect()
        await client.send(client.frame(fetch(0), 12) + client.frame(produce("a"), 9) + client.frame(produce("b"), 9))
        # The fetch waits for records that come behind it on the same connection.
        answers = [await client.receive() for _ in range(3)]
        assert [one for one, _ in answers] == [1, 2, 3]
        assert values_in(answers[0][1].responses[0].partitions[0].records) == [(0, b"a"), (1, b"b")]
        assert (await other.ask(fetch(), 12)).responses[0].partitions[0].high_watermark == 2

    run(scenario, with_topic())


def test_a_large_request_comes_in_many_reads_and_its_answer_goes_out_by_region() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect(buffer_bytes=4096)
        value = bytes(number % 251 for number in range(900_000))
        assert (await client.ask(produce(value), 9)).responses[0].partition_responses[0].error_code == 0
        response = await client.ask(fetch(), 12)
        assert values_in(response.responses[0].partitions[0].records) == [(0, value)]
        await until(lambda: not client.connection.sending)
        assert (await client.ask(ApiVersionsRequest(), 0)).error_code == 0

    run(scenario, with_topic())


def test_acks_0_is_not_answered_and_the_next_request_is() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.send(client.frame(produce("a", acks=0), 9) + client.frame(ApiVersionsRequest(), 0))
        correlation_id, _ = await client.receive()
        assert correlation_id == 2

    run(scenario, with_topic())


def test_an_acknowledgement_waits_for_the_flush_and_other_connections_do_not() -> None:
    due: list[Partition] = []
    broker = HandlerBroker({"log.flush.interval.messages": "1"}, flush_soon=due.append)
    broker.create_topic("t")

    async def scenario(server: Server) -> None:
        client, other = server.connect(), server.connect()
        await client.send(client.frame(produce("a"), 9))
        await until(lambda: due)
        assert client.connection.is_busy
        assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0
        flush(due.pop())
        _, response = await client.receive()
        assert response.responses[0].partition_responses[0].error_code == 0
        assert not client.connection.is_busy

    run(scenario, broker)


def test_work_that_blocks_is_done_in_a_thread_and_its_outcome_answers() -> None:
    def handle(context: Any, request: Any, call: Call) -> Reply:
        def work() -> str:
            raise ValueError("the outcome")

        return Blocking(work, lambda outcome: MetadataResponse(cluster_id=str(outcome)))

    async def scenario(server: Server) -> None:
        assert (await server.connect().ask(MetadataRequest([]), 9)).cluster_id == "the outcome"

    run(scenario, served=replaced(handle))


# ---- bounds ----------------------------------------------------------------------------------------------------------


def test_a_client_that_never_reads_is_not_read_from_either() -> None:
    async def scenario(server: Server) -> None:
        client, other = server.connect(buffer_bytes=4096), server.connect()
        frame = client.frame(ApiVersionsRequest(), 0)

        async def flood() -> None:
            while True:
                await client.send(frame * 1000)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(flood)
            await until(lambda: client.connection.sending)
            answered = server.metrics.requests
            for _ in range(200):  # the flood goes on, and nothing is served for it
                assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0
            assert server.metrics.requests - answered <= 200
            nursery.cancel_scope.cancel()
        # What it made us hold: the answers of one turn at most, beyond what the socket took.
        held = sum(len(piece) for piece in client.connection._output._ready)
        assert held <= FRAMES_PER_TURN * 1000

    run(scenario)


def test_a_slow_reader_gets_every_answer_in_order() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect(buffer_bytes=4096)
        data = b"".join(client.frame(ApiVersionsRequest(), 0) for _ in range(3000))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.send, data)
            for number in range(3000):
                correlation_id, _ = await client.receive()
                assert correlation_id == number + 1

    run(scenario)


def test_no_more_requests_are_in_flight_than_the_bound() -> None:
    waiting: list[Later] = []

    def handle(context: Any, request: Any, call: Call) -> Reply:
        waiting.append(Later())
        return waiting[-1]

    async def scenario(server: Server) -> None:
        client, other = server.connect(), server.connect()
        await client.send(b"".join(client.frame(MetadataRequest([]), 9) for _ in range(3 * IN_FLIGHT_MAX)))
        await until(lambda: len(waiting) >= IN_FLIGHT_MAX)
        for _ in range(50):
            assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0
        assert len(waiting) == IN_FLIGHT_MAX
        # From behind: nothing goes out before the first is ready, and then everything does.
        answered = 0
        while answered < 3 * IN_FLIGHT_MAX:
            await until(lambda answered=answered: len(waiting) > answered)
            batch_of = waiting[answered:]
            for later in reversed(batch_of):
                later.complete(MetadataResponse(cluster_id="x"))
            answered += len(batch_of)
        assert [(await client.receive())[0] for _ in range(answered)] == list(range(1, answered + 1))

    run(scenario, served=replaced(handle))


def test_thousands_of_requests_in_one_read_do_not_keep_others_waiting() -> None:
    async def scenario(server: Server) -> None:
        greedy, other = server.connect(), server.connect()
        frame = greedy.frame(ApiVersionsRequest(), 0)
        await other.ask(ApiVersionsRequest(), 0)
        before = server.metrics.requests

        async def read_all() -> None:
            while True:
                await greedy.socket.recv(1 << 20)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(greedy.send, frame * 4000)
            nursery.start_soon(read_all)
            await until(lambda: server.metrics.requests > before)
            assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0
            assert server.metrics.requests - before < 3000
            await until(lambda: server.metrics.requests == before + 4001)
            nursery.cancel_scope.cancel()

    run(scenario)


def test_frames_beyond_the_budget_wait_their_turn() -> None:
    async def scenario(server: Server) -> None:
        first, second, third = (server.connect() for _ in range(3))
        frame = first.frame(produce(b"x" * 300_000), 9)
        await first.send(frame[:100_000])
        await until(lambda: server.shell.budget.bytes_used == len(frame) - 4)
        await second.send(second.frame(produce(b"y" * 300_000), 9)[:100_000])
        assert (await third.ask(ApiVersionsRequest(), 0)).error_code == 0
        assert server.shell.budget.bytes_used == len(frame) - 4
        assert second.connection.frame_began_ms is None  # it is we who do not read
        await first.send(frame[100_000:])
        assert (await first.receive())[1].responses[0].partition_responses[0].error_code == 0
        await until(lambda: second.connection.frame_began_ms is not None)
        assert server.shell.budget.bytes_used == len(frame) - 4
        second.close()
        await until(lambda: server.shell.budget.bytes_used == 0)

    run(scenario, with_topic(), queued_bytes_max=400_000)


def test_a_connection_that_is_closed_while_it_waits_for_the_budget_takes_none() -> None:
    async def scenario(server: Server) -> None:
        first, second = server.connect(), server.connect()
        half = first.frame(produce(b"x" * 300_000), 9)[:100_000]
        await first.send(half)
        await until(lambda: server.shell.budget.bytes_used)
        await second.send(half)
        await until(lambda: server.shell.budget._waiting)
        second.connection.close()
        await until(lambda: not server.shell.budget._waiting)
        first.connection.close()
        assert server.shell.budget.bytes_used == 0

    run(scenario, with_topic(), queued_bytes_max=400_000)


def test_a_large_frame_may_take_its_time_as_long_as_it_moves() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        frame = client.frame(produce(b"x" * 500_000), 9)
        await client.send(frame[:300_000])  # more than one read takes
        await until(lambda: client.connection._reader._filled == 300_000 - 4)
        began = client.connection.frame_began_ms
        clock.jump(10)
        await client.send(frame[300_000:300_010])
        await until(lambda: client.connection._reader._filled == 300_006)
        assert client.connection.frame_began_ms == began
        await client.send(frame[300_010 : 300_010 + PROGRESS_BYTES])
        await until(lambda: client.connection._reader._filled == 300_006 + PROGRESS_BYTES)
        assert began is not None
        assert client.connection.frame_began_ms == began + 10_000

    clock = trio.testing.MockClock()
    run(scenario, with_topic(), clock)


# ---- ends ------------------------------------------------------------------------------------------------------------


def frame_of(key: int, version: int, body: bytes = b"") -> bytes:
    head = struct.pack(">hhih", key, version, 7, 4) + b"test"
    return struct.pack(">i", len(head) + len(body)) + head + body


BAD = {
    "negative size": b"\xff\xff\xff\xff",
    "size above the limit": struct.pack(">i", REQUEST_BYTES_MAX + 1),
    "no header": struct.pack(">i", 3) + b"abc",
    "empty frame": struct.pack(">i", 0),
    "client id beyond the frame": struct.pack(">ihhih", 10, 18, 0, 1, 30_000),
    "client id that is no text": struct.pack(">ihhih", 12, 18, 0, 1, 2) + b"\xff\xfe",
    "unknown api": frame_of(999, 0),
    "negative api": frame_of(-1, 0),
    "version too new": frame_of(3, 99),
    "version too old": frame_of(1, 0),
    "produce in name only": frame_of(0, 2, bytes(20)),
    "array beyond the frame": frame_of(3, 1, struct.pack(">i", 2**31 - 1)),
    "null where there is none": frame_of(0, 3, struct.pack(">hhii", -1, 1, 1000, -1)),
    "truncated body": frame_of(0, 3, struct.pack(">hh", -1, 1)),
    "string beyond the frame": frame_of(3, 1, struct.pack(">ih", 1, 30_000) + b"x"),
}


@pytest.mark.parametrize("bad", BAD)
def test_what_is_not_the_protocol_ends_the_connection_after_what_came_before_it(
    bad: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(server: Server) -> None:
        client, other = server.connect(), server.connect()
        await client.send(client.frame(ApiVersionsRequest(), 0) + BAD[bad])
        assert (await client.receive())[0] == 1
        with pytest.raises(EOFError):
            await client.receive()
        assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0
        assert server.metrics.connections_refused == 1

    with caplog.at_level(logging.WARNING):
        run(scenario)
    (line,) = caplog.messages
    assert line.startswith("closed the connection of 127.0.0.1:50000: ")


def test_an_unknown_request_is_logged_with_client_api_and_version(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.send(frame_of(3, 99))
        assert await client.is_closed()

    run(scenario)
    assert "client 'test' asked for Metadata 99, which is not served" in caplog.text


def test_an_error_under_acks_0_ends_the_connection_and_no_other() -> None:
    async def scenario(server: Server) -> None:
        client, other = server.connect(), server.connect()
        await client.send(client.frame(produce("x", acks=0, topic="nope"), 9))
        assert await client.is_closed()
        assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0

    run(scenario, with_topic())


@pytest.mark.parametrize("where", ["handler", "outcome", "later", "encoding", "encoding later"])
def test_a_mistake_of_ours_ends_the_connection_with_a_traceback_and_no_other(
    where: str, caplog: pytest.LogCaptureFixture
) -> None:
    laters: list[Later] = []

    def handle(context: Any, request: Any, call: Call) -> Reply:
        match where:
            case "handler":
                raise ZeroDivisionError
            case "outcome":
                return Blocking(lambda: 0, lambda outcome: 1 // outcome)  # type: ignore[arg-type, return-value]
            case "encoding":
                return MetadataResponse(cluster_id=5)  # type: ignore[arg-type]
            case _:
                laters.append(Later())
                return laters[-1]

    async def scenario(server: Server) -> None:
        client, other = server.connect(), server.connect()
        await client.send(client.frame(MetadataRequest([]), 9))
        if where in ("later", "encoding later"):
            await until(lambda: laters)
            server.broker.context.ready.add(
                lambda: laters[0].complete(MetadataResponse(cluster_id=5) if "enc" in where else 5)  # type: ignore
            )
        assert await client.is_closed()
        assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0

    run(scenario, served=replaced(handle))
    assert "a mistake of ours" in caplog.text
    assert "Traceback" in caplog.text


def test_a_response_that_cannot_be_given_ends_the_connection() -> None:
    laters: list[Later] = []

    def handle(context: Any, request: Any, call: Call) -> Reply:
        laters.append(Later())
        return laters[-1]

    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.send(client.frame(MetadataRequest([]), 9))
        await until(lambda: laters)
        laters[0].fail(ConnectionMustCloseError("no"))
        assert await client.is_closed()

    run(scenario, served=replaced(handle))


@pytest.mark.parametrize("how", ["client closes", "server closes", "client is refused"])
def test_long_polls_of_a_connection_that_ends_are_cleaned_up(how: str) -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.send(b"".join(client.frame(fetch(), 12) for _ in range(3)))
        partition = server.broker.partition("t")
        await until(lambda: len(partition.data_waits) == 3)
        assert not client.connection.is_busy
        match how:
            case "client closes":
                client.close()
            case "server closes":
                client.connection.close()
            case _:
                await client.send(BAD["negative size"])
        await until(lambda: not partition.data_waits)
        assert len(server.broker.context.timers) == 0

    run(scenario, with_topic())


def test_a_long_poll_that_begins_after_its_connection_has_ended_is_abandoned() -> None:
    laters: list[Later] = []

    def handle(context: Any, request: Any, call: Call) -> Reply:
        def then(outcome: Any) -> Reply:
            connection.close()
            laters.append(Later())
            return laters[-1]

        return Blocking(lambda: None, then)

    async def scenario(server: Server) -> None:
        nonlocal connection
        client = server.connect()
        connection = client.connection
        await client.send(client.frame(MetadataRequest([]), 9))
        await until(lambda: laters)
        assert laters[0].abandoned

    connection: Any = None
    run(scenario, served=replaced(handle))


def test_a_long_poll_ends_by_the_clock() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        began = trio.current_time()
        response = await client.ask(fetch(max_wait_ms=500), 12)
        assert response.responses[0].partitions[0].error_code == 0
        assert 0.5 <= trio.current_time() - began < 0.6

    run(scenario, with_topic(), trio.testing.MockClock(autojump_threshold=0.01))


def test_a_connection_that_is_closed_while_it_waits_for_room_ends_its_task() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect(buffer_bytes=4096)
        await client.send(b"".join(client.frame(ApiVersionsRequest(), 0) for _ in range(500)))
        await until(lambda: client.connection.sending)
        client.connection.close()
        await until(lambda: client.connection._scope.cancelled_caught)

    run(scenario)


def test_closing_twice_and_answering_after_closing_do_no_harm() -> None:
    laters: list[Later] = []

    def handle(context: Any, request: Any, call: Call) -> Reply:
        laters.append(Later())
        return laters[-1]

    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.send(client.frame(MetadataRequest([]), 9))
        await until(lambda: laters)
        client.connection.close()
        client.connection.close()
        laters[0].complete(MetadataResponse())
        assert await client.is_closed()

    run(scenario, served=replaced(handle))


def test_a_broker_that_stops_reads_no_more_requests_and_answers_those_it_has() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.ask(ApiVersionsRequest(), 0)
        server.shell.is_stopping = True
        await client.send(client.frame(ApiVersionsRequest(), 0))
        with trio.move_on_after(0.05) as waited:
            await client.receive()
        assert waited.cancelled_caught
        assert server.metrics.requests == 1

    run(scenario)


def test_a_disk_that_fails_while_an_answer_is_sent_takes_its_directory_offline() -> None:
    async def scenario(server: Server) -> None:
        client = server.connect()
        await client.ask(produce("a" * 50_000), 9)
        server.broker.files.break_under("/data", errno.EIO)
        await client.send(client.frame(fetch(), 12))
        await until(lambda: server.broker.context.partitions.get("t", 0) is None)

    run(scenario, with_topic())
