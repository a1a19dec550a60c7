"""WriteShareGroupStateResponse: API key 85, versions 0-1, flexible 0+.

Generated from protocol_specs/085_write_share_group_state.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class PartitionResult(Struct):
    __slots__ = ("partition", "error_code", "error_message")

    def __init__(
        self,
        partition: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class WriteStateResult(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[PartitionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class WriteShareGroupStateResponse(Message):
    __slots__ = ("results",)

    SCHEMA: ClassVar = MessageSchema(
        "WriteShareGroupStateResponse",
        Versions(0, 1),
        ALWAYS,
        (
            Field("results", "WriteStateResult", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionResult",
                (
                    Field("partition", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                ),
            ),
            StructSchema(
                "WriteStateResult",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionResult": PartitionResult, "WriteStateResult": WriteStateResult}

    def __init__(
        self,
        results: Sequence[WriteStateResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.results: Final = results
        self.unknown_tags = unknown_tags
