"""Topics, from an operator's side: creating, listing, growing and deleting them.

Every function raises the first error that a reply holds, with the name of the topic in it. Changes go to the
controller; only if that has moved are they made again, so that what the cluster refuses is reported at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kwire.client.cluster import Cluster
from kwire.client.connection import api_of
from kwire.client.errors import check, reply_error
from kwire.client.topology import Topic
from kwire.errors import ErrorCode
from kwire.protocol.messages.create_partitions_request import CreatePartitionsRequest, CreatePartitionsTopic
from kwire.protocol.messages.create_partitions_response import CreatePartitionsResponse
from kwire.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from kwire.protocol.messages.create_topics_response import CreateTopicsResponse
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from kwire.protocol.messages.delete_topics_response import DeleteTopicsResponse

BROKER_DEFAULT = -1
"""Instead of a number of partitions or replicas: the broker's num.partitions, default.replication.factor (KIP-464)."""

MOVED = frozenset({ErrorCode.NOT_CONTROLLER, ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.LEADER_NOT_AVAILABLE})
"""We asked the wrong broker; everything else is an answer."""


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic to be created. `assignments` places the replicas of every partition, instead of the two numbers."""

    name: str
    partition_count: int = BROKER_DEFAULT
    replication_factor: int = BROKER_DEFAULT
    configs: Mapping[str, str] = field(default_factory=dict[str, str])
    assignments: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class CreatedTopic:
    name: str
    topic_id: bytes
    partition_count: int  # -1 from brokers that do not tell (before CreateTopics 5)
    replication_factor: int


async def list_topics(cluster: Cluster) -> list[Topic]:
    """All topics, by name."""
    topology = await cluster.refresh(None)
    return sorted(topology.topics.values(), key=lambda topic: topic.name)


async def describe_topics(cluster: Cluster, names: Sequence[str]) -> list[Topic]:
    """The given topics, in that order."""
    topology = await cluster.refresh(names)
    for name in names:
        topic = topology.topics.get(name)
        check(f"topic {name}", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION if topic is None else topic.error)
    return [topology.topics[name] for name in names]


async def create_topic(cluster: Cluster, topic: NewTopic) -> CreatedTopic:
    row = CreatableTopic(
        name=topic.name,
        num_partitions=BROKER_DEFAULT if topic.assignments else topic.partition_count,
        replication_factor=BROKER_DEFAULT if topic.assignments else topic.replication_factor,
        assignments=[CreatableReplicaAssignment(at, brokers) for at, brokers in enumerate(topic.assignments)],
        configs=[CreatableTopicConfig(name, value) for name, value in topic.configs.items()],
    )
    request = CreateTopicsRequest([row], _timeout_ms(cluster))

    async def attempt() -> CreatedTopic:
        answer = await cluster.call_controller(request, CreateTopicsResponse)
        for result in answer.topics:
            check(f"topic {result.name}", result.error_code, result.error_message)
            return CreatedTopic(result.name, result.topic_id, result.num_partitions, result.replication_factor)
        raise reply_error(f"topic {topic.name}", ErrorCode.UNKNOWN_SERVER_ERROR, "the broker left it out")

    return await cluster.retrying(attempt, passing=MOVED)


async def delete_topics(cluster: Cluster, names: Sequence[str]) -> None:
    """Deletes topics. Where one cannot be deleted the others are all the same, and the first error is raised."""
    states = [DeleteTopicState(name) for name in names]

    async def attempt() -> None:
        connection = await cluster.controller()
        # From version 6 on a topic may be given by its id, and the list has another shape.
        by_name = connection.version_of(api_of(DeleteTopicsRequest)) < 6
        request = DeleteTopicsRequest(() if by_name else states, names if by_name else (), _timeout_ms(cluster))
        answer = await connection.call(request, DeleteTopicsResponse, cluster.settings.request_timeout_s)
        for result in answer.responses:
            check(f"topic {result.name}", result.error_code, result.error_message)

    await cluster.retrying(attempt, passing=MOVED)
    cluster.invalidate()


async def create_partitions(cluster: Cluster, name: str, partition_count: int) -> None:
    """Has a topic grow to so many partitions."""
    request = CreatePartitionsRequest([CreatePartitionsTopic(name, partition_count, None)], _timeout_ms(cluster))

    async def attempt() -> None:
        answer = await cluster.call_controller(request, CreatePartitionsResponse)
        for result in answer.results:
            check(f"topic {result.name}", result.error_code, result.error_message)

    await cluster.retrying(attempt, passing=MOVED)
    cluster.invalidate()


def _timeout_ms(cluster: Cluster) -> int:
    return int(cluster.settings.request_timeout_s * 1000)
