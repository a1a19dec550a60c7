"""AlterShareGroupOffsetsRequest: API key 91, versions 0, flexible 0+.

Generated from protocol_specs/091_alter_share_group_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AlterShareGroupOffsetsRequestPartition(Struct):
    __slots__ = ("partition_index", "start_offset")

    def __init__(
        self,
        partition_index: int = 0,
        start_offset: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.start_offset: Final = start_offset
        self.unknown_tags = unknown_tags


class AlterShareGroupOffsetsRequestTopic(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = "",
        partitions: Sequence[AlterShareGroupOffsetsRequestPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class AlterShareGroupOffsetsRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "AlterShareGroupOffsetsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("topics", "AlterShareGroupOffsetsRequestTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "AlterShareGroupOffsetsRequestPartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("start_offset", "int64", default=0),
                ),
            ),
            StructSchema(
                "AlterShareGroupOffsetsRequestTopic",
                (
                    Field("topic_name", "string", default="", key=True),
                    Field("partitions", "AlterShareGroupOffsetsRequestPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AlterShareGroupOffsetsRequestPartition": AlterShareGroupOffsetsRequestPartition, "AlterShareGroupOffsetsRequestTopic": AlterShareGroupOffsetsRequestTopic}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[AlterShareGroupOffsetsRequestTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
