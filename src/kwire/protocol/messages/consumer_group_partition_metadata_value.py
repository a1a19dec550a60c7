"""ConsumerGroupPartitionMetadataValue: record type 4, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_partition_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class PartitionMetadata(Struct):
    __slots__ = ("partition", "racks")

    def __init__(
        self,
        partition: int = 0,
        racks: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.racks: Final = racks
        self.unknown_tags = unknown_tags


class TopicMetadata(Struct):
    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        num_partitions: int = 0,
        partition_metadata: Sequence[PartitionMetadata] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.topic_name: Final = topic_name
        self.num_partitions: Final = num_partitions
        self.partition_metadata: Final = partition_metadata
        self.unknown_tags = unknown_tags


class ConsumerGroupPartitionMetadataValue(Message):
    __slots__ = ("topics",)

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupPartitionMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("topics", "TopicMetadata", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionMetadata",
                (
                    Field("partition", "int32", default=0),
                    Field("racks", "string", array=True, default=()),
                ),
            ),
            StructSchema(
                "TopicMetadata",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("topic_name", "string", default=""),
                    Field("num_partitions", "int32", default=0),
                    Field("partition_metadata", "PartitionMetadata", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionMetadata": PartitionMetadata, "TopicMetadata": TopicMetadata}

    def __init__(
        self,
        topics: Sequence[TopicMetadata] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
