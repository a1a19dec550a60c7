"""OffsetDeleteRequest: API key 47, versions 0.

Generated from protocol_specs/047_offset_delete.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, StructSchema, Tags, Versions


class OffsetDeleteRequestPartition(Struct):
    __slots__ = ("partition_index",)

    def __init__(
        self,
        partition_index: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.unknown_tags = unknown_tags


class OffsetDeleteRequestTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[OffsetDeleteRequestPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetDeleteRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetDeleteRequest",
        Versions(0, 0),
        NEVER,
        (
            Field("group_id", "string", default=""),
            Field("topics", "OffsetDeleteRequestTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "OffsetDeleteRequestPartition",
                (
                    Field("partition_index", "int32", default=0),
                ),
            ),
            StructSchema(
                "OffsetDeleteRequestTopic",
                (
                    Field("name", "string", default="", key=True),
                    Field("partitions", "OffsetDeleteRequestPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetDeleteRequestPartition": OffsetDeleteRequestPartition, "OffsetDeleteRequestTopic": OffsetDeleteRequestTopic}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[OffsetDeleteRequestTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
