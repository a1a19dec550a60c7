"""ReadShareGroupStateSummaryResponse: API key 87, versions 0-1, flexible 0+.

Generated from protocol_specs/087_read_share_group_state_summary.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class PartitionResult(Struct):
    __slots__ = ("partition", "error_code", "error_message", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count")

    def __init__(
        self,
        partition: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.state_epoch: Final = state_epoch
        self.leader_epoch: Final = leader_epoch
        self.start_offset: Final = start_offset
        self.delivery_complete_count: Final = delivery_complete_count
        self.unknown_tags = unknown_tags


class ReadStateSummaryResult(Struct):
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


class ReadShareGroupStateSummaryResponse(Message):
    __slots__ = ("results",)

    SCHEMA: ClassVar = MessageSchema(
        "ReadShareGroupStateSummaryResponse",
        Versions(0, 1),
        ALWAYS,
        (
            Field("results", "ReadStateSummaryResult", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionResult",
                (
                    Field("partition", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                    Field("state_epoch", "int32", default=0),
                    Field("leader_epoch", "int32", default=0),
                    Field("start_offset", "int64", default=0),
                    Field("delivery_complete_count", "int32", versions=Versions(1, LATEST), default=-1, ignorable=True),
                ),
            ),
            StructSchema(
                "ReadStateSummaryResult",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionResult": PartitionResult, "ReadStateSummaryResult": ReadStateSummaryResult}

    def __init__(
        self,
        results: Sequence[ReadStateSummaryResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.results: Final = results
        self.unknown_tags = unknown_tags
