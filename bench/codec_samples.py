"""The messages that the codec part measures: the hot path's, and the largest that a client often asks for."""

from __future__ import annotations

import random
from typing import NamedTuple

from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from kwire.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from kwire.protocol.messages.join_group_response import JoinGroupResponse, JoinGroupResponseMember
from kwire.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from kwire.protocol.schema import Message

RECORDS = bytes(range(250)) * 4
"""A thousand bytes: one small batch. Neither decoder looks inside."""

SUBSCRIPTION = b"\x00\x01" + bytes(18) + b"topic-of-orders" + b"\xff\xff\xff\xff"
MEMBERS = [f"consumer-orders-{number}-7f3c9a52-0d4e-4b1a-9c58-2f6de1a0b7{number:02}" for number in range(10)]


class Sample(NamedTuple):
    """One message in one version. `name` is how its rows are called."""

    name: str
    api: str
    version: int
    message: Message

    @property
    def is_request(self) -> bool:
        return self.message.SCHEMA.name.endswith("Request")


def samples() -> list[Sample]:
    return [
        Sample("Produce 9 request", "Produce", 9, _produce_request()),
        Sample("Produce 9 response", "Produce", 9, _produce_response()),
        Sample("Fetch 12 request, 1 partition", "Fetch", 12, _fetch_request(1)),
        Sample("Fetch 12 request, 100 partitions", "Fetch", 12, _fetch_request(100)),
        Sample("Fetch 12 response, 1 partition", "Fetch", 12, _fetch_response(1)),
        Sample("Fetch 12 response, 100 partitions", "Fetch", 12, _fetch_response(100)),
        Sample("Metadata 12 response, 100 topics", "Metadata", 12, _metadata_response(100)),
        Sample("JoinGroup 7 request", "JoinGroup", 7, _join_group_request()),
        Sample("JoinGroup 7 response, 10 members", "JoinGroup", 7, _join_group_response()),
    ]


def _produce_request() -> ProduceRequest:
    partition = PartitionProduceData(index=3, records=RECORDS)
    topic = TopicProduceData(name="topic-of-orders", partition_data=[partition])
    return ProduceRequest(acks=-1, timeout_ms=30_000, topic_data=[topic])


def _produce_response() -> ProduceResponse:
    partition = PartitionProduceResponse(index=3, base_offset=123_456_789, log_start_offset=1_000)
    return ProduceResponse(responses=[TopicProduceResponse(name="topic-of-orders", partition_responses=[partition])])


def _fetch_request(count: int) -> FetchRequest:
    partitions = [
        FetchPartition(
            partition=index,
            current_leader_epoch=5,
            fetch_offset=index * 1_000_003,
            last_fetched_epoch=5,
            log_start_offset=-1,
            partition_max_bytes=1 << 20,
        )
        for index in range(count)
    ]
    return FetchRequest(
        max_wait_ms=500,
        min_bytes=1,
        max_bytes=50 << 20,
        isolation_level=1,
        session_id=77_001,
        session_epoch=9,
        topics=[FetchTopic(topic="topic-of-orders", partitions=partitions)],
        rack_id="",
    )


def _fetch_response(count: int) -> FetchResponse:
    partitions = [
        PartitionData(
            partition_index=index,
            high_watermark=index * 1_000_003,
            last_stable_offset=index * 1_000_003,
            log_start_offset=0,
            aborted_transactions=None,
            records=RECORDS,
        )
        for index in range(count)
    ]
    return FetchResponse(
        session_id=77_001, responses=[FetchableTopicResponse(topic="topic-of-orders", partitions=partitions)]
    )


def _metadata_response(count: int) -> MetadataResponse:
    ids = random.Random(12)
    topics = [
        MetadataResponseTopic(
            name=f"topic-{number}",
            topic_id=ids.randbytes(16),
            partitions=[
                MetadataResponsePartition(
                    partition_index=0, leader_id=1, leader_epoch=5, replica_nodes=[1, 2, 3], isr_nodes=[1, 2, 3]
                )
            ],
        )
        for number in range(count)
    ]
    brokers = [MetadataResponseBroker(node_id=node, host="127.0.0.1", port=9091 + node) for node in (1, 2, 3)]
    return MetadataResponse(brokers=brokers, cluster_id="4L6g3nShT-eMCtK--X86sw", controller_id=1, topics=topics)


def _join_group_request() -> JoinGroupRequest:
    return JoinGroupRequest(
        group_id="group-of-orders",
        session_timeout_ms=45_000,
        rebalance_timeout_ms=300_000,
        member_id=MEMBERS[0],
        protocol_type="consumer",
        protocols=[
            JoinGroupRequestProtocol(name="range", metadata=SUBSCRIPTION),
            JoinGroupRequestProtocol(name="cooperative-sticky", metadata=SUBSCRIPTION),
        ],
    )


def _join_group_response() -> JoinGroupResponse:
    return JoinGroupResponse(
        generation_id=4,
        protocol_type="consumer",
        protocol_name="range",
        leader=MEMBERS[0],
        member_id=MEMBERS[0],
        members=[JoinGroupResponseMember(member_id=member, metadata=SUBSCRIPTION) for member in MEMBERS],
    )
