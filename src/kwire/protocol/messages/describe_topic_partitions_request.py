"""DescribeTopicPartitionsRequest: API key 75, versions 0, flexible 0+.

Generated from protocol_specs/075_describe_topic_partitions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TopicRequest(Struct):
    __slots__ = ("name",)

    def __init__(
        self,
        name: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
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


class DescribeTopicPartitionsRequest(Message):
    __slots__ = ("topics", "response_partition_limit", "cursor")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeTopicPartitionsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("topics", "TopicRequest", array=True, default=()),
            Field("response_partition_limit", "int32", default=2000),
            Field("cursor", "Cursor", nullable=ALWAYS),
        ),
        (
            StructSchema(
                "TopicRequest",
                (
                    Field("name", "string", default=""),
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
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicRequest": TopicRequest, "Cursor": Cursor}

    def __init__(
        self,
        topics: Sequence[TopicRequest] = (),
        response_partition_limit: int = 2000,
        cursor: Cursor | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.response_partition_limit: Final = response_partition_limit
        self.cursor: Final = cursor
        self.unknown_tags = unknown_tags
