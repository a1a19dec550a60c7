"""TxnOffsetCommitResponse: API key 28, versions 0-5, flexible 3+.

Generated from protocol_specs/028_txn_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TxnOffsetCommitResponsePartition(Struct):
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


class TxnOffsetCommitResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[TxnOffsetCommitResponsePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class TxnOffsetCommitResponse(Message):
    __slots__ = ("throttle_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "TxnOffsetCommitResponse",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("topics", "TxnOffsetCommitResponseTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "TxnOffsetCommitResponsePartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "TxnOffsetCommitResponseTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "TxnOffsetCommitResponsePartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TxnOffsetCommitResponsePartition": TxnOffsetCommitResponsePartition, "TxnOffsetCommitResponseTopic": TxnOffsetCommitResponseTopic}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[TxnOffsetCommitResponseTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
