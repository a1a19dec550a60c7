"""ReadShareGroupStateResponse: API key 84, versions 0, flexible 0+.

Generated from protocol_specs/084_read_share_group_state.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class StateBatch(Struct):
    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count")

    def __init__(
        self,
        first_offset: int = 0,
        last_offset: int = 0,
        delivery_state: int = 0,
        delivery_count: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.first_offset: Final = first_offset
        self.last_offset: Final = last_offset
        self.delivery_state: Final = delivery_state
        self.delivery_count: Final = delivery_count
        self.unknown_tags = unknown_tags


class PartitionResult(Struct):
    __slots__ = ("partition", "error_code", "error_message", "state_epoch", "start_offset", "state_batches")

    def __init__(
        self,
        partition: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        state_epoch: int = 0,
        start_offset: int = 0,
        state_batches: Sequence[StateBatch] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.state_epoch: Final = state_epoch
        self.start_offset: Final = start_offset
        self.state_batches: Final = state_batches
        self.unknown_tags = unknown_tags


class ReadStateResult(Struct):
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


class ReadShareGroupStateResponse(Message):
    __slots__ = ("results",)

    SCHEMA: ClassVar = MessageSchema(
        "ReadShareGroupStateResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("results", "ReadStateResult", array=True, default=()),
        ),
        (
            StructSchema(
                "StateBatch",
                (
                    Field("first_offset", "int64", default=0),
                    Field("last_offset", "int64", default=0),
                    Field("delivery_state", "int8", default=0),
                    Field("delivery_count", "int16", default=0),
                ),
            ),
            StructSchema(
                "PartitionResult",
                (
                    Field("partition", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                    Field("state_epoch", "int32", default=0),
                    Field("start_offset", "int64", default=0),
                    Field("state_batches", "StateBatch", array=True, default=()),
                ),
            ),
            StructSchema(
                "ReadStateResult",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"StateBatch": StateBatch, "PartitionResult": PartitionResult, "ReadStateResult": ReadStateResult}

    def __init__(
        self,
        results: Sequence[ReadStateResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.results: Final = results
        self.unknown_tags = unknown_tags
