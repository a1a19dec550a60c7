"""The consumer against scripted brokers: order, ends, moving leaders, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import trio

from kwire.client import consumer
from kwire.client.background import leaves_of
from kwire.client.cluster import Cluster, ClusterSettings
from kwire.client.consumer import ConsumerSettings, open_consumer
from kwire.client.errors import ClientError
from kwire.client.offsets import Isolation
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode
from kwire.protocol.messages.fetch_request import FetchRequest
from kwire.protocol.messages.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from kwire.protocol.messages.list_offsets_request import ListOffsetsRequest
from kwire.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.protocol.schema import Versions
from kwire.records.builder import BatchBuilder
from scripted_broker import HangUp, ScriptedBroker, ScriptedNetwork, metadata, missing_topic, run, topic_id

A, B = TopicPartition("orders", 0), TopicPartition("orders", 1)
SETTINGS = ClusterSettings(deadline_s=10, request_timeout_s=3)


class Logs:
    """Partitions of one-record batches; a fetch gets `per_fetch` batches of each."""

    def __init__(self, sizes: dict[int, int], per_fetch: int = 2) -> None:
        self.sizes = sizes
        self.per_fetch = per_fetch
        self.refusals: list[int | Exception] = []

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        if self.refusals:
            refusal = self.refusals.pop(0)
            if isinstance(refusal, Exception):
                raise refusal
            return self.answer(request, lambda row: PartitionData(row.partition, refusal))
        rows = [row for topic in request.topics for row in topic.partitions]
        if all(row.fetch_offset == self.sizes[row.partition] for row in rows):
            await trio.sleep(request.max_wait_ms / 1000)
        return self.answer(request, self.read)

    def answer(self, request: FetchRequest, each: Callable[[Any], PartitionData]) -> FetchResponse:
        topics = [
            FetchableTopicResponse(topic.topic, topic.topic_id, [each(row) for row in topic.partitions])
            for topic in request.topics
        ]
        return FetchResponse(responses=topics)

    def read(self, row: Any) -> PartitionData:
        size = self.sizes[row.partition]
        if row.fetch_offset > size:
            return PartitionData(row.partition, ErrorCode.OFFSET_OUT_OF_RANGE, -1)
        offsets = range(row.fetch_offset, min(size, row.fetch_offset + self.per_fetch))
        data = b"".join(self.batch(row.partition, offset) for offset in offsets)
        return PartitionData(row.partition, 0, size, size, 0, records=data)

    def batch(self, partition: int, offset: int) -> bytes:
        builder = BatchBuilder(base_offset=offset)
        builder.append(1000, None, b"%d/%d" % (partition, offset))
        return bytes(builder.build())

    def list_offsets(self, request: ListOffsetsRequest) -> ListOffsetsResponse:
        rows = [
            ListOffsetsPartitionResponse(
                row.partition_index, 0, -1, 0 if row.timestamp == -2 else self.sizes[row.partition_index], 0
            )
            for topic in request.topics
            for row in topic.partitions
        ]
        return ListOffsetsResponse(topics=[ListOffsetsTopicResponse("orders", rows)])


def network_with(logs: Logs, **versions: Versions) -> tuple[ScriptedNetwork, ScriptedBroker]:
    network = ScriptedNetwork()
    broker = network.broker("one", versions=versions)
    broker.on("Metadata", lambda request: metadata({"orders": [1] * len(logs.sizes)}))
    broker.on("Fetch", logs.fetch).on("ListOffsets", logs.list_offsets)
    return network, broker


def read(
    network: ScriptedNetwork,
    starts: dict[TopicPartition, int],
    ends: dict[TopicPartition, int] | None = None,
    settings: ConsumerSettings | None = None,
    limit: int | None = None,
) -> list[bytes]:
    """The values that a consumer hands out, at most `limit`."""
    values: list[bytes] = []

    async def scenario(cluster: Cluster) -> None:
        async with open_consumer(cluster, starts, ends, settings) as consumer:
            async for found in consumer:
                values.extend(record.value or b"" for record in found.records())
                if limit is not None and len(values) >= limit:
                    return

    run(network, scenario, SETTINGS)
    return values


def test_reads_each_partition_in_order_to_its_end() -> None:
    network, broker = network_with(Logs({0: 5, 1: 3}))
    values = read(network, {A: 0, B: 1}, {A: 5, B: 3})
    assert [value for value in values if value.startswith(b"0/")] == [b"0/%d" % offset for offset in range(5)]
    assert [value for value in values if value.startswith(b"1/")] == [b"1/1", b"1/2"]
    request = broker.asked("Fetch")[0]
    assert (request.session_epoch, request.isolation_level, request.topics[0].topic_id) == (-1, 0, topic_id("orders"))
    finished = [row.partition for request in broker.asked("Fetch")[2:] for row in request.topics[0].partitions]
    assert finished == [0], "a partition at its end is not asked for again"


def test_topics_go_by_name_where_the_broker_knows_no_ids() -> None:
    network, broker = network_with(Logs({0: 3}), Fetch=Versions(4, 11))
    assert read(network, {A: 0}, {A: 3}) == [b"0/0", b"0/1", b"0/2"]
    assert broker.asked("Fetch")[0].topics[0].topic == "orders"


def test_nothing_to_read_ends_at_once() -> None:
    network, broker = network_with(Logs({0: 5}))
    assert read(network, {A: 5}, {A: 5}) == []
    assert broker.asked("Fetch") == []


def test_an_end_inside_what_comes_is_kept_to() -> None:
    network, _ = network_with(Logs({0: 10}, per_fetch=10))
    assert read(network, {A: 2}, {A: 4}) == [b"0/2", b"0/3"]


def test_without_an_end_it_goes_on_with_what_comes() -> None:
    logs = Logs({0: 1})
    network, broker = network_with(logs)

    async def grow(request: FetchRequest) -> FetchResponse:
        logs.sizes[0] = 1 + int(trio.current_time() // 2)
        return await logs.fetch(request)

    broker.on("Fetch", grow)
    assert read(network, {A: 0}, limit=3) == [b"0/0", b"0/1", b"0/2"]


def test_isolation_and_limits_are_passed_on() -> None:
    network, broker = network_with(Logs({0: 1}))
    settings = ConsumerSettings(
        Isolation.READ_COMMITTED, max_wait_ms=7, min_bytes=8, max_bytes=9, partition_max_bytes=10
    )
    read(network, {A: 0}, {A: 1}, settings)
    [request] = broker.asked("Fetch")
    assert (request.isolation_level, request.max_wait_ms, request.min_bytes, request.max_bytes) == (1, 7, 8, 9)
    assert request.topics[0].partitions[0].partition_max_bytes == 10


def test_a_slow_reader_is_not_run_over() -> None:
    network, broker = network_with(Logs({0: 1000}, per_fetch=1))

    async def scenario(cluster: Cluster) -> None:
        async with open_consumer(cluster, {A: 0}, settings=ConsumerSettings(ahead=3)) as consumer:
            await trio.sleep(60)
            assert len(broker.asked("Fetch")) == 4  # three wait in the channel, the fourth in front of it
            async for found in consumer:
                assert found.next_offset == 1
                return

    run(network, scenario, SETTINGS)


@pytest.mark.parametrize(
    "refusal",
    [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_TOPIC_ID, HangUp()],
    ids=str,
)
def test_what_may_pass_leaves_no_gap_and_repeats_nothing(refusal: int | Exception) -> None:
    logs = Logs({0: 6})
    logs.refusals = [refusal, refusal]
    network, broker = network_with(logs)
    assert read(network, {A: 0}, {A: 6}) == [b"0/%d" % offset for offset in range(6)]
    assert len(broker.asked("Metadata")) >= 3


def test_a_partition_that_moves_is_followed_to_its_new_leader() -> None:
    logs = Logs({0: 6, 1: 6})
    network, one = network_with(logs)
    two = network.broker("two")
    leaders = [1, 2]
    one.on("Metadata", lambda request: metadata({"orders": leaders}, {1: "one", 2: "two"}))
    two.on("Fetch", logs.fetch)

    async def move_after_two(request: FetchRequest) -> FetchResponse:
        if request.topics[0].partitions[0].fetch_offset >= 2:
            leaders[0] = 2
            return logs.answer(request, lambda row: PartitionData(row.partition, ErrorCode.NOT_LEADER_OR_FOLLOWER))
        return await logs.fetch(request)

    one.on("Fetch", move_after_two)
    values = read(network, {A: 0, B: 0}, {A: 6, B: 6})
    assert sorted(values) == sorted(b"%d/%d" % (partition, offset) for partition in (0, 1) for offset in range(6))
    for partition in (b"0", b"1"):
        own = [value for value in values if value.startswith(partition)]
        assert own == sorted(own)


def test_an_offset_outside_the_log_is_told_with_what_there_is() -> None:
    network, _ = network_with(Logs({0: 5}))
    with pytest.raises(ClientError, match=r"offset 9 of partition orders-0: OFFSET_OUT_OF_RANGE .*offsets 0 to 4"):
        read(network, {A: 9})
    network, _ = network_with(Logs({0: 0}))
    with pytest.raises(ClientError, match="its log is empty"):
        read(network, {A: 9})


def test_an_error_that_does_not_pass_comes_out_after_what_was_read() -> None:
    logs = Logs({0: 9})
    network, broker = network_with(logs)

    async def forbid_later(request: FetchRequest) -> FetchResponse:
        if request.topics[0].partitions[0].fetch_offset >= 4:
            logs.refusals = [ErrorCode.TOPIC_AUTHORIZATION_FAILED]
        return await logs.fetch(request)

    broker.on("Fetch", forbid_later)
    values: list[bytes | None] = []

    async def scenario(cluster: Cluster) -> None:
        async with open_consumer(cluster, {A: 0}) as consumer:
            async for found in consumer:
                values.extend(record.value for record in found.records())

    with pytest.raises(ClientError, match="TOPIC_AUTHORIZATION_FAILED"):
        run(network, scenario, SETTINGS)
    assert len(values) == 4


def test_a_topic_that_is_deleted_meanwhile_is_an_error_after_the_deadline() -> None:
    logs = Logs({0: 5})
    network, broker = network_with(logs)
    there = metadata({"orders": [1]})
    answers = iter([there])
    gone = MetadataResponse(brokers=there.brokers, topics=[missing_topic("orders")])
    broker.on("Metadata", lambda request: next(answers, gone))
    logs.refusals = [ErrorCode.UNKNOWN_TOPIC_ID]

    ended_at_s: list[float] = []

    async def scenario(cluster: Cluster) -> None:
        async with open_consumer(cluster, {A: 0}) as consumer:
            try:
                async for _ in consumer:
                    pass
            finally:
                ended_at_s.append(trio.current_time())

    with pytest.raises(ClientError, match="topic orders: UNKNOWN_TOPIC_OR_PARTITION"):
        run(network, scenario, SETTINGS)
    assert 10 <= ended_at_s[0] <= 12


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"\0" * 20, "not a batch"), (Logs({}).batch(0, 3)[:-4], "without a whole batch")],
)
def test_bytes_that_are_no_records_are_an_error(data: bytes, message: str) -> None:
    logs = Logs({0: 9})
    network, broker = network_with(logs)
    broker.on("Fetch", lambda request: logs.answer(request, lambda row: PartitionData(0, 0, 9, 9, 0, records=data)))
    with pytest.raises(ClientError, match=f"orders-0 at offset 3: .*{message}"):
        read(network, {A: 3})


def test_ctrl_c_in_the_background_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(consumer, "fetched", interrupted)
    for _ in range(20):  # trio runs tasks that are ready at the same time in one order or the other
        network, _ = network_with(Logs({0: 5}))
        with pytest.raises(BaseExceptionGroup) as group:
            read(network, {A: 0})
        assert [type(leaf) for leaf in leaves_of(group.value)] == [KeyboardInterrupt]


def test_partitions_that_nobody_asked_for_are_passed_over() -> None:
    logs = Logs({0: 2, 1: 2})
    network, broker = network_with(logs)

    async def chatty(request: FetchRequest) -> FetchResponse:
        answer = await logs.fetch(request)
        extra = PartitionData(1, 0, 2, 2, 0, records=logs.batch(1, 0))
        rows = [*answer.responses[0].partitions, extra]
        topics = [("other", [extra]), ("orders", rows)]
        return FetchResponse(responses=[FetchableTopicResponse("", topic_id(name), rows) for name, rows in topics])

    broker.on("Fetch", chatty)
    assert read(network, {A: 0}, {A: 2}) == [b"0/0", b"0/1"]
