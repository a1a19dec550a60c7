"""OffsetCommitResponse: API key 8, versions 2-10, flexible 8+.

Generated from protocol_specs/008_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class OffsetCommitResponsePartition(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class OffsetCommitResponseTopic(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[OffsetCommitResponsePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetCommitResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetCommitResponse",
        Versions(2, 10),
        Versions(8, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(3, LATEST), default=0, ignorable=True),
            Field("topics", "OffsetCommitResponseTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "OffsetCommitResponsePartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "OffsetCommitResponseTopic",
                (
                    Field("name", "string", versions=Versions(2, 9), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(10, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partitions", "OffsetCommitResponsePartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetCommitResponsePartition": OffsetCommitResponsePartition, "OffsetCommitResponseTopic": OffsetCommitResponseTopic}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[OffsetCommitResponseTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
