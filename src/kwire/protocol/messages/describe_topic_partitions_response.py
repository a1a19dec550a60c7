"""DescribeTopicPartitionsResponse: API key 75, versions 0, flexible 0+.

Generated from protocol_specs/075_describe_topic_partitions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class DescribeTopicPartitionsResponsePartition(Struct):
    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "eligible_leader_replicas", "last_known_elr", "offline_replicas")

    def __init__(
        self,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: Sequence[int] = (),
        isr_nodes: Sequence[int] = (),
        eligible_leader_replicas: Sequence[int] | None = None,
        last_known_elr: Sequence[int] | None = None,
        offline_replicas: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.partition_index: Final = partition_index
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.replica_nodes: Final = replica_nodes
        self.isr_nodes: Final = isr_nodes
        self.eligible_leader_replicas: Final = eligible_leader_replicas
        self.last_known_elr: Final = last_known_elr
        self.offline_replicas: Final = offline_replicas
        self.unknown_tags = unknown_tags


class DescribeTopicPartitionsResponseTopic(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        is_internal: bool = False,
        partitions: Sequence[DescribeTopicPartitionsResponsePartition] = (),
        topic_authorized_operations: int = -2147483648,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.is_internal: Final = is_internal
        self.partitions: Final = partitions
        self.topic_authorized_operations: Final = topic_authorized_operations
        self.unknown_tags = unknown_tags


class Cursor(Struct):
    __slots__ = ("topic_name", "partition_index")

    def __init__(
        self,
        topic_name: str = "",
        partition_index: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partition_index: Final = partition_index
        self.unknown_tags = unknown_tags


class DescribeTopicPartitionsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics", "next_cursor")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeTopicPartitionsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("topics", "DescribeTopicPartitionsResponseTopic", array=True, default=()),
            Field("next_cursor", "Cursor", nullable=ALWAYS),
        ),
        (
            StructSchema(
                "DescribeTopicPartitionsResponsePartition",
                (
                    Field("error_code", "int16", default=0),
                    Field("partition_index", "int32", default=0),
                    Field("leader_id", "int32", default=0),
                    Field("leader_epoch", "int32", default=-1, ignorable=True),
                    Field("replica_nodes", "int32", array=True, default=()),
                    Field("isr_nodes", "int32", array=True, default=()),
                    Field("eligible_leader_replicas", "int32", array=True, nullable=ALWAYS),
                    Field("last_known_elr", "int32", array=True, nullable=ALWAYS),
                    Field("offline_replicas", "int32", array=True, default=(), ignorable=True),
                ),
            ),
            StructSchema(
                "DescribeTopicPartitionsResponseTopic",
                (
                    Field("error_code", "int16", default=0),
                    Field("name", "string", nullable=ALWAYS, default="", key=True),
                    Field("topic_id", "uuid", default=ZERO_UUID, ignorable=True),
                    Field("is_internal", "bool", default=False, ignorable=True),
                    Field("partitions", "DescribeTopicPartitionsResponsePartition", array=True, default=()),
                    Field("topic_authorized_operations", "int32", default=-2147483648),
                ),
            ),
            StructSchema(
                "Cursor",
                (
                    Field("topic_name", "string", default=""),
                    Field("partition_index", "int32", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeTopicPartitionsResponsePartition": DescribeTopicPartitionsResponsePartition, "DescribeTopicPartitionsResponseTopic": DescribeTopicPartitionsResponseTopic, "Cursor": Cursor}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[DescribeTopicPartitionsResponseTopic] = (),
        next_cursor: Cursor | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.next_cursor: Final = next_cursor
        self.unknown_tags = unknown_tags
