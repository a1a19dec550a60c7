"""ListOffsetsResponse: API key 2, versions 1-11, flexible 6+.

Generated from protocol_specs/002_list_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ListOffsetsPartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "timestamp", "offset", "leader_epoch")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.timestamp: Final = timestamp
        self.offset: Final = offset
        self.leader_epoch: Final = leader_epoch
        self.unknown_tags = unknown_tags


class ListOffsetsTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[ListOffsetsPartitionResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ListOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "ListOffsetsResponse",
        Versions(1, 11),
        Versions(6, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(2, LATEST), default=0, ignorable=True),
            Field("topics", "ListOffsetsTopicResponse", array=True, default=()),
        ),
        (
            StructSchema(
                "ListOffsetsPartitionResponse",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("timestamp", "int64", default=-1),
                    Field("offset", "int64", default=-1),
                    Field("leader_epoch", "int32", versions=Versions(4, LATEST), default=-1),
                ),
            ),
            StructSchema(
                "ListOffsetsTopicResponse",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "ListOffsetsPartitionResponse", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ListOffsetsPartitionResponse": ListOffsetsPartitionResponse, "ListOffsetsTopicResponse": ListOffsetsTopicResponse}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[ListOffsetsTopicResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
