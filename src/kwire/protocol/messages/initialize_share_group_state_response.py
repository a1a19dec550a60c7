"""InitializeShareGroupStateResponse: API key 83, versions 0, flexible 0+.

Generated from protocol_specs/083_initialize_share_group_state.kspec by `make generate`; do not edit.
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


class InitializeStateResult(Struct):
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


class InitializeShareGroupStateResponse(Message):
    __slots__ = ("results",)

    SCHEMA: ClassVar = MessageSchema(
        "InitializeShareGroupStateResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("results", "InitializeStateResult", array=True, default=()),
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
                "InitializeStateResult",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionResult": PartitionResult, "InitializeStateResult": InitializeStateResult}

    def __init__(
        self,
        results: Sequence[InitializeStateResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.results: Final = results
        self.unknown_tags = unknown_tags
