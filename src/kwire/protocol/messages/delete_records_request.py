"""DeleteRecordsRequest: API key 21, versions 0-2, flexible 2+.

Generated from protocol_specs/021_delete_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DeleteRecordsPartition(Struct):
    __slots__ = ("partition_index", "offset")

    def __init__(
        self,
        partition_index: int = 0,
        offset: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.offset: Final = offset
        self.unknown_tags = unknown_tags


class DeleteRecordsTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[DeleteRecordsPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DeleteRecordsRequest(Message):
    __slots__ = ("topics", "timeout_ms")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteRecordsRequest",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("topics", "DeleteRecordsTopic", array=True, default=()),
            Field("timeout_ms", "int32", default=0),
        ),
        (
            StructSchema(
                "DeleteRecordsPartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("offset", "int64", default=0),
                ),
            ),
            StructSchema(
                "DeleteRecordsTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "DeleteRecordsPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeleteRecordsPartition": DeleteRecordsPartition, "DeleteRecordsTopic": DeleteRecordsTopic}

    def __init__(
        self,
        topics: Sequence[DeleteRecordsTopic] = (),
        timeout_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.timeout_ms: Final = timeout_ms
        self.unknown_tags = unknown_tags
