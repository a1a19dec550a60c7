"""OffsetDeleteResponse: API key 47, versions 0.

Generated from protocol_specs/047_offset_delete.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, StructSchema, Tags, Versions


class OffsetDeleteResponsePartition(Struct):
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


class OffsetDeleteResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[OffsetDeleteResponsePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetDeleteResponse(Message):
    __slots__ = ("error_code", "throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetDeleteResponse",
        Versions(0, 0),
        NEVER,
        (
            Field("error_code", "int16", default=0),
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("topics", "OffsetDeleteResponseTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "OffsetDeleteResponsePartition",
                (
                    Field("partition_index", "int32", default=0, key=True),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "OffsetDeleteResponseTopic",
                (
                    Field("name", "string", default="", key=True),
                    Field("partitions", "OffsetDeleteResponsePartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetDeleteResponsePartition": OffsetDeleteResponsePartition, "OffsetDeleteResponseTopic": OffsetDeleteResponseTopic}

    def __init__(
        self,
        error_code: int = 0,
        throttle_time_ms: int = 0,
        topics: Sequence[OffsetDeleteResponseTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
