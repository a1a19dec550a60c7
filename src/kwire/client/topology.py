"""What a cluster looks like: brokers, topics, partitions and their leaders, as a Metadata response tells it.

Immutable values. A `Topology` is one answer; `Cluster` keeps the latest and asks again when it is stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kwire.client.errors import error_code
from kwire.errors import ErrorCode
from kwire.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

NO_NODE = -1


class TopicPartition(NamedTuple):
    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class Node:
    """A broker and the address at which it wants to be reached."""

    node_id: int
    host: str
    port: int
    rack: str | None = None

    @property
    def address(self) -> str:
        return format_address(self.host, self.port)


@dataclass(frozen=True, slots=True)
class Partition:
    index: int
    leader: int  # NO_NODE while there is none
    leader_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    offline: tuple[int, ...]
    error: ErrorCode


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    topic_id: bytes
    is_internal: bool
    partitions: tuple[Partition, ...]  # by index, which has no gaps
    error: ErrorCode


@dataclass(frozen=True, slots=True)
class Topology:
    cluster_id: str | None
    controller_id: int
    nodes: Mapping[int, Node]
    topics: Mapping[str, Topic]


def topology_of(response: MetadataResponse) -> Topology:
    return Topology(
        cluster_id=response.cluster_id,
        controller_id=response.controller_id,
        nodes={row.node_id: Node(row.node_id, row.host, row.port, row.rack) for row in response.brokers},
        topics={row.name: _topic(row.name, row) for row in response.topics if row.name is not None},
    )


def _topic(name: str, row: MetadataResponseTopic) -> Topic:
    partitions = sorted((_partition(partition) for partition in row.partitions), key=lambda partition: partition.index)
    return Topic(name, row.topic_id, row.is_internal, tuple(partitions), error_code(row.error_code))


def _partition(row: MetadataResponsePartition) -> Partition:
    return Partition(
        index=row.partition_index,
        leader=row.leader_id,
        leader_epoch=row.leader_epoch,
        replicas=tuple(row.replica_nodes),
        isr=tuple(row.isr_nodes),
        offline=tuple(row.offline_replicas),
        error=error_code(row.error_code),
    )


def format_address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
