"""DescribeQuorumRequest: API key 55, versions 0-2, flexible 0+.

Generated from protocol_specs/055_describe_quorum.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class PartitionData(Struct):
    __slots__ = ("partition_index",)

    def __init__(
        self,
        partition_index: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
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


class DescribeQuorumRequest(Message):
    __slots__ = ("topics",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeQuorumRequest",
        Versions(0, 2),
        ALWAYS,
        (
            Field("topics", "TopicData", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionData",
                (
                    Field("partition_index", "int32", default=0),
                ),
            ),
            StructSchema(
                "TopicData",
                (
                    Field("topic_name", "string", default=""),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionData": PartitionData, "TopicData": TopicData}

    def __init__(
        self,
        topics: Sequence[TopicData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
