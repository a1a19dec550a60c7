"""DescribeShareGroupOffsetsResponse: API key 90, versions 0-1, flexible 0+.

Generated from protocol_specs/090_describe_share_group_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class DescribeShareGroupOffsetsResponsePartition(Struct):
    __slots__ = ("partition_index", "start_offset", "leader_epoch", "lag", "error_code", "error_message")

    def __init__(
        self,
        partition_index: int = 0,
        start_offset: int = 0,
        leader_epoch: int = 0,
        lag: int = -1,
        error_code: int = 0,
        error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.start_offset: Final = start_offset
        self.leader_epoch: Final = leader_epoch
        self.lag: Final = lag
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsResponseTopic(Struct):
    __slots__ = ("topic_name", "topic_id", "partitions")

    def __init__(
        self,
        topic_name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[DescribeShareGroupOffsetsResponsePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsResponseGroup(Struct):
    __slots__ = ("group_id", "topics", "error_code", "error_message")

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[DescribeShareGroupOffsetsResponseTopic] = (),
        error_code: int = 0,
        error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeShareGroupOffsetsResponse",
        Versions(0, 1),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("groups", "DescribeShareGroupOffsetsResponseGroup", array=True, default=()),
        ),
        (
            StructSchema(
                "DescribeShareGroupOffsetsResponsePartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("start_offset", "int64", default=0),
                    Field("leader_epoch", "int32", default=0),
                    Field("lag", "int64", versions=Versions(1, LATEST), default=-1, ignorable=True),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                ),
            ),
            StructSchema(
                "DescribeShareGroupOffsetsResponseTopic",
                (
                    Field("topic_name", "string", default=""),
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "DescribeShareGroupOffsetsResponsePartition", array=True, default=()),
                ),
            ),
            StructSchema(
                "DescribeShareGroupOffsetsResponseGroup",
                (
                    Field("group_id", "string", default=""),
                    Field("topics", "DescribeShareGroupOffsetsResponseTopic", array=True, default=()),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeShareGroupOffsetsResponsePartition": DescribeShareGroupOffsetsResponsePartition, "DescribeShareGroupOffsetsResponseTopic": DescribeShareGroupOffsetsResponseTopic, "DescribeShareGroupOffsetsResponseGroup": DescribeShareGroupOffsetsResponseGroup}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: Sequence[DescribeShareGroupOffsetsResponseGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
