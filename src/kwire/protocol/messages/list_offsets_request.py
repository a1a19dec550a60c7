"""ListOffsetsRequest: API key 2, versions 1-11, flexible 6+.

Generated from protocol_specs/002_list_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ListOffsetsPartition(Struct):
    __slots__ = ("partition_index", "current_leader_epoch", "timestamp")

    def __init__(
        self,
        partition_index: int = 0,
        current_leader_epoch: int = -1,
        timestamp: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.current_leader_epoch: Final = current_leader_epoch
        self.timestamp: Final = timestamp
        self.unknown_tags = unknown_tags


class ListOffsetsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[ListOffsetsPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ListOffsetsRequest(Message):
    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms")

    SCHEMA: ClassVar = MessageSchema(
        "ListOffsetsRequest",
        Versions(1, 11),
        Versions(6, LATEST),
        (
            Field("replica_id", "int32", default=0),
            Field("isolation_level", "int8", versions=Versions(2, LATEST), default=0),
            Field("topics", "ListOffsetsTopic", array=True, default=()),
            Field("timeout_ms", "int32", versions=Versions(10, LATEST), default=0, ignorable=True),
        ),
        (
            StructSchema(
                "ListOffsetsPartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("current_leader_epoch", "int32", versions=Versions(4, LATEST), default=-1, ignorable=True),
                    Field("timestamp", "int64", default=0),
                ),
            ),
            StructSchema(
                "ListOffsetsTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "ListOffsetsPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ListOffsetsPartition": ListOffsetsPartition, "ListOffsetsTopic": ListOffsetsTopic}

    def __init__(
        self,
        replica_id: int = 0,
        isolation_level: int = 0,
        topics: Sequence[ListOffsetsTopic] = (),
        timeout_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.replica_id: Final = replica_id
        self.isolation_level: Final = isolation_level
        self.topics: Final = topics
        self.timeout_ms: Final = timeout_ms
        self.unknown_tags = unknown_tags
