"""OffsetForLeaderEpochResponse: API key 23, versions 2-4, flexible 4+.

Generated from protocol_specs/023_offset_for_leader_epoch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class EpochEndOffset(Struct):
    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset")

    def __init__(
        self,
        error_code: int = 0,
        partition: int = 0,
        leader_epoch: int = -1,
        end_offset: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.partition: Final = partition
        self.leader_epoch: Final = leader_epoch
        self.end_offset: Final = end_offset
        self.unknown_tags = unknown_tags


class OffsetForLeaderTopicResult(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = "",
        partitions: Sequence[EpochEndOffset] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetForLeaderEpochResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetForLeaderEpochResponse",
        Versions(2, 4),
        Versions(4, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("topics", "OffsetForLeaderTopicResult", array=True, default=()),
        ),
        (
            StructSchema(
                "EpochEndOffset",
                (
                    Field("error_code", "int16", default=0),
                    Field("partition", "int32", default=0),
                    Field("leader_epoch", "int32", default=-1, ignorable=True),
                    Field("end_offset", "int64", default=-1),
                ),
            ),
            StructSchema(
                "OffsetForLeaderTopicResult",
                (
                    Field("topic", "string", default="", key=True),
                    Field("partitions", "EpochEndOffset", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"EpochEndOffset": EpochEndOffset, "OffsetForLeaderTopicResult": OffsetForLeaderTopicResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[OffsetForLeaderTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
