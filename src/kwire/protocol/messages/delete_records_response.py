"""DeleteRecordsResponse: API key 21, versions 0-2, flexible 2+.

Generated from protocol_specs/021_delete_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DeleteRecordsPartitionResult(Struct):
    __slots__ = ("partition_index", "low_watermark", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        low_watermark: int = 0,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.low_watermark: Final = low_watermark
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class DeleteRecordsTopicResult(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[DeleteRecordsPartitionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DeleteRecordsResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteRecordsResponse",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("topics", "DeleteRecordsTopicResult", array=True, default=()),
        ),
        (
            StructSchema(
                "DeleteRecordsPartitionResult",
                (
                    Field("partition_index", "int32", default=0, key=True),
                    Field("low_watermark", "int64", default=0),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "DeleteRecordsTopicResult",
                (
                    Field("name", "string", default="", key=True),
                    Field("partitions", "DeleteRecordsPartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeleteRecordsPartitionResult": DeleteRecordsPartitionResult, "DeleteRecordsTopicResult": DeleteRecordsTopicResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[DeleteRecordsTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
