"""DescribeQuorumResponse: API key 55, versions 0-2, flexible 0+.

Generated from protocol_specs/055_describe_quorum.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class ReplicaState(Struct):
    __slots__ = ("replica_id", "replica_directory_id", "log_end_offset", "last_fetch_timestamp", "last_caught_up_timestamp")

    def __init__(
        self,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.replica_id: Final = replica_id
        self.replica_directory_id: Final = replica_directory_id
        self.log_end_offset: Final = log_end_offset
        self.last_fetch_timestamp: Final = last_fetch_timestamp
        self.last_caught_up_timestamp: Final = last_caught_up_timestamp
        self.unknown_tags = unknown_tags


class PartitionData(Struct):
    __slots__ = ("partition_index", "error_code", "error_message", "leader_id", "leader_epoch", "high_watermark", "current_voters", "observers")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        leader_id: int = 0,
        leader_epoch: int = 0,
        high_watermark: int = 0,
        current_voters: Sequence[ReplicaState] = (),
        observers: Sequence[ReplicaState] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.leader_id: Final = leader_id
        self.leader_epoch: Final = leader_epoch
        self.high_watermark: Final = high_watermark
        self.current_voters: Final = current_voters
        self.observers: Final = observers
        self.unknown_tags = unknown_tags


class TopicData(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = "",
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class Listener(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(
        self,
        name: str = "",
        host: str = "",
        port: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.host: Final = host
        self.port: Final = port
        self.unknown_tags = unknown_tags


class Node(Struct):
    __slots__ = ("node_id", "listeners")

    def __init__(
        self,
        node_id: int = 0,
        listeners: Sequence[Listener] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.node_id: Final = node_id
        self.listeners: Final = listeners
        self.unknown_tags = unknown_tags


class DescribeQuorumResponse(Message):
    __slots__ = ("error_code", "error_message", "topics", "nodes")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeQuorumResponse",
        Versions(0, 2),
        ALWAYS,
        (
            Field("error_code", "int16", default=0),
            Field("error_message", "string", versions=Versions(2, LATEST), nullable=Versions(2, LATEST), default="", ignorable=True),
            Field("topics", "TopicData", array=True, default=()),
            Field("nodes", "Node", array=True, versions=Versions(2, LATEST), default=()),
        ),
        (
            StructSchema(
                "ReplicaState",
                (
                    Field("replica_id", "int32", default=0),
                    Field("replica_directory_id", "uuid", versions=Versions(2, LATEST), default=ZERO_UUID),
                    Field("log_end_offset", "int64", default=0),
                    Field("last_fetch_timestamp", "int64", versions=Versions(1, LATEST), default=-1, ignorable=True),
                    Field("last_caught_up_timestamp", "int64", versions=Versions(1, LATEST), default=-1, ignorable=True),
                ),
            ),
            StructSchema(
                "PartitionData",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", versions=Versions(2, LATEST), nullable=Versions(2, LATEST), default="", ignorable=True),
                    Field("leader_id", "int32", default=0),
                    Field("leader_epoch", "int32", default=0),
                    Field("high_watermark", "int64", default=0),
                    Field("current_voters", "ReplicaState", array=True, default=()),
                    Field("observers", "ReplicaState", array=True, default=()),
                ),
            ),
            StructSchema(
                "TopicData",
                (
                    Field("topic_name", "string", default=""),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
            StructSchema(
                "Listener",
                (
                    Field("name", "string", default="", key=True),
                    Field("host", "string", default=""),
                    Field("port", "uint16", default=0),
                ),
            ),
            StructSchema(
                "Node",
                (
                    Field("node_id", "int32", default=0, key=True),
                    Field("listeners", "Listener", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ReplicaState": ReplicaState, "PartitionData": PartitionData, "TopicData": TopicData, "Listener": Listener, "Node": Node}

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        topics: Sequence[TopicData] = (),
        nodes: Sequence[Node] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.topics: Final = topics
        self.nodes: Final = nodes
        self.unknown_tags = unknown_tags
