"""Offsets by timestamp, at the right leaders, and where a reader starts."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from kwire.client.cluster import Cluster
from kwire.client.errors import ClientError
from kwire.client.offsets import (
    EARLIEST,
    LATEST,
    Isolation,
    StartAt,
    at_offset,
    at_timestamp,
    beginning,
    end,
    last,
    list_offsets,
    resolve,
)
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode
from kwire.protocol.messages.list_offsets_request import ListOffsetsRequest
from kwire.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from scripted_broker import ScriptedNetwork, metadata, run

PARTITIONS = [TopicPartition("orders", index) for index in range(4)]


def answer(request: ListOffsetsRequest, codes: list[int] | None = None) -> ListOffsetsResponse:
    """Partition n has offsets 10 n to 10 n + 9, record o timestamp 1000 + o; partition 0 nothing from 1008 on."""

    def offset(row: Any) -> int:
        begin = row.partition_index * 10
        if row.timestamp == EARLIEST:
            return begin
        if row.timestamp == LATEST:
            return begin + 10
        wanted = row.timestamp - 1000
        return -1 if row.partition_index == 0 and wanted >= 8 else max(begin, wanted)

    codes = codes if codes is not None else []
    topics = [
        ListOffsetsTopicResponse(
            topic.name,
            [
                ListOffsetsPartitionResponse(row.partition_index, codes.pop(0) if codes else 0, -1, offset(row), 5)
                for row in topic.partitions
            ],
        )
        for topic in request.topics
    ]
    return ListOffsetsResponse(topics=topics)


def network_with(codes: list[int] | None = None) -> ScriptedNetwork:
    network = ScriptedNetwork()
    one = network.broker("one")
    one.on("Metadata", lambda request: metadata({"orders": [1, 2, 1, 2]}, {1: "one", 2: "two"}, epoch=5))
    one.on("ListOffsets", lambda request: answer(request, codes))
    network.broker("two").on("ListOffsets", answer)
    return network


def test_every_leader_is_asked_for_its_own() -> None:
    network = network_with()

    async def scenario(cluster: Cluster) -> None:
        found = await list_offsets(cluster, PARTITIONS, LATEST, Isolation.READ_COMMITTED)
        assert {at.partition: each.offset for at, each in found.items()} == {0: 10, 1: 20, 2: 30, 3: 40}
        assert found[PARTITIONS[0]].leader_epoch == 5

    run(network, scenario)
    for host, partitions in (("one", [0, 2]), ("two", [1, 3])):
        [request] = network.brokers[host, 9092].asked("ListOffsets")
        rows = request.topics[0].partitions
        assert [row.partition_index for row in rows] == partitions
        assert {row.current_leader_epoch for row in rows} == {5}
        assert request.isolation_level == 1


def test_only_what_failed_is_asked_for_again() -> None:
    network = network_with([0, ErrorCode.NOT_LEADER_OR_FOLLOWER])

    async def scenario(cluster: Cluster) -> None:
        assert len(await list_offsets(cluster, PARTITIONS, LATEST)) == 4

    run(network, scenario)
    asked = [
        [row.partition_index for row in request.topics[0].partitions]
        for request in network.brokers["one", 9092].asked("ListOffsets")
    ]
    assert asked == [[0, 2], [2]]


def test_a_partition_that_never_was_is_not_waited_for() -> None:
    async def scenario(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="orders-9: UNKNOWN_TOPIC_OR_PARTITION"):
            await list_offsets(cluster, [TopicPartition("orders", 9)], LATEST)
        assert trio.current_time() == 0

    run(network_with(), scenario)


def test_a_partition_that_the_broker_leaves_out_is_an_error() -> None:
    network = network_with()
    network.brokers["one", 9092].on("ListOffsets", lambda request: ListOffsetsResponse())

    async def scenario(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match=r"offsets of orders-0: .*left it out"):
            await list_offsets(cluster, PARTITIONS, LATEST)

    run(network, scenario)


@pytest.mark.parametrize(
    ("start", "offsets"),
    [
        (beginning(), [0, 10, 20, 30]),
        (end(), [10, 20, 30, 40]),
        (at_offset(15), [15, 15, 15, 15]),
        (last(3), [7, 17, 27, 37]),
        (last(100), [0, 10, 20, 30]),
        (at_timestamp(1015), [10, 15, 20, 30]),  # nothing that new in partition 0: its end
    ],
)
def test_where_to_start(start: StartAt, offsets: list[int]) -> None:
    async def scenario(cluster: Cluster) -> None:
        found = await resolve(cluster, PARTITIONS, start, Isolation.READ_UNCOMMITTED)
        assert [found[at] for at in PARTITIONS] == offsets

    run(network_with(), scenario)
