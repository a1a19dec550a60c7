"""ShareGroupStatePartitionMetadataValue: record type 15, versions 0, flexible 0+.

Generated from protocol_specs/record_share_group_state_partition_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class TopicPartitionsInfo(Struct):
    __slots__ = ("topic_id", "topic_name", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.topic_name: Final = topic_name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class TopicInfo(Struct):
    __slots__ = ("topic_id", "topic_name")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.topic_name: Final = topic_name
        self.unknown_tags = unknown_tags


class ShareGroupStatePartitionMetadataValue(Message):
    __slots__ = ("initializing_topics", "initialized_topics", "deleting_topics")

    SCHEMA: ClassVar = MessageSchema(
        "ShareGroupStatePartitionMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("initializing_topics", "TopicPartitionsInfo", array=True, default=()),
            Field("initialized_topics", "TopicPartitionsInfo", array=True, default=()),
            Field("deleting_topics", "TopicInfo", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicPartitionsInfo",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("topic_name", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "TopicInfo",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("topic_name", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartitionsInfo": TopicPartitionsInfo, "TopicInfo": TopicInfo}

    def __init__(
        self,
        initializing_topics: Sequence[TopicPartitionsInfo] = (),
        initialized_topics: Sequence[TopicPartitionsInfo] = (),
        deleting_topics: Sequence[TopicInfo] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.initializing_topics: Final = initializing_topics
        self.initialized_topics: Final = initialized_topics
        self.deleting_topics: Final = deleting_topics
        self.unknown_tags = unknown_tags
