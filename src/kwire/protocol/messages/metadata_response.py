"""MetadataResponse: API key 3, versions 0-13, flexible 9+.

Generated from protocol_specs/003_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class MetadataResponseBroker(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(
        self,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.rack: Final = rack
        self.unknown_tags = unknown_tags


class MetadataResponsePartition(Struct):
    __slots__ = ("error_code", "partition_index", "leader_id", "leader_epoch", "replica_nodes", "isr_nodes", "offline_replicas")

    def __init__(
        self,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: Sequence[int] = (),
        isr_nodes: Sequence[int] = (),
        offline_replicas: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.partition_index: Final = partition_index
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.replica_nodes: Final = replica_nodes
        self.isr_nodes: Final = isr_nodes
        self.offline_replicas: Final = offline_replicas
        self.unknown_tags = unknown_tags


class MetadataResponseTopic(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        is_internal: bool = False,
        partitions: Sequence[MetadataResponsePartition] = (),
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


class MetadataResponse(Message):
    __slots__ = ("throttle_time_ms", "brokers", "cluster_id", "controller_id", "topics", "cluster_authorized_operations", "error_code")

    SCHEMA: ClassVar = MessageSchema(
        "MetadataResponse",
        Versions(0, 13),
        Versions(9, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(3, LATEST), default=0, ignorable=True),
            Field("brokers", "MetadataResponseBroker", array=True, default=()),
            Field("cluster_id", "string", versions=Versions(2, LATEST), nullable=Versions(2, LATEST), ignorable=True),
            Field("controller_id", "int32", versions=Versions(1, LATEST), default=-1, ignorable=True),
            Field("topics", "MetadataResponseTopic", array=True, default=()),
            Field("cluster_authorized_operations", "int32", versions=Versions(8, 10), default=-2147483648),
            Field("error_code", "int16", versions=Versions(13, LATEST), default=0, ignorable=True),
        ),
        (
            StructSchema(
                "MetadataResponseBroker",
                (
                    Field("node_id", "int32", default=0, key=True),
                    Field("host", "string", default=""),
                    Field("port", "int32", default=0),
                    Field("rack", "string", versions=Versions(1, LATEST), nullable=Versions(1, LATEST), ignorable=True),
                ),
            ),
            StructSchema(
                "MetadataResponsePartition",
                (
                    Field("error_code", "int16", default=0),
                    Field("partition_index", "int32", default=0),
                    Field("leader_id", "int32", default=0),
                    Field("leader_epoch", "int32", versions=Versions(7, LATEST), default=-1, ignorable=True),
                    Field("replica_nodes", "int32", array=True, default=()),
                    Field("isr_nodes", "int32", array=True, default=()),
                    Field("offline_replicas", "int32", array=True, versions=Versions(5, LATEST), default=(), ignorable=True),
                ),
            ),
            StructSchema(
                "MetadataResponseTopic",
                (
                    Field("error_code", "int16", default=0),
                    Field("name", "string", nullable=Versions(12, LATEST), default="", key=True),
                    Field("topic_id", "uuid", versions=Versions(10, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("is_internal", "bool", versions=Versions(1, LATEST), default=False, ignorable=True),
                    Field("partitions", "MetadataResponsePartition", array=True, default=()),
                    Field("topic_authorized_operations", "int32", versions=Versions(8, LATEST), default=-2147483648),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"MetadataResponseBroker": MetadataResponseBroker, "MetadataResponsePartition": MetadataResponsePartition, "MetadataResponseTopic": MetadataResponseTopic}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        brokers: Sequence[MetadataResponseBroker] = (),
        cluster_id: str | None = None,
        controller_id: int = -1,
        topics: Sequence[MetadataResponseTopic] = (),
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.brokers: Final = brokers
        self.cluster_id: Final = cluster_id
        self.controller_id: Final = controller_id
        self.topics: Final = topics
        self.cluster_authorized_operations: Final = cluster_authorized_operations
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags
