"""WriteShareGroupStateRequest: API key 85, versions 0-1, flexible 0+.

Generated from protocol_specs/085_write_share_group_state.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


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


class PartitionData(Struct):
    __slots__ = ("partition", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count", "state_batches")

    def __init__(
        self,
        partition: int = 0,
        state_epoch: int = 0,
        leader_epoch: int = 0,
        start_offset: int = 0,
        delivery_complete_count: int = -1,
        state_batches: Sequence[StateBatch] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.state_epoch: Final = state_epoch
        self.leader_epoch: Final = leader_epoch
        self.start_offset: Final = start_offset
        self.delivery_complete_count: Final = delivery_complete_count
        self.state_batches: Final = state_batches
        self.unknown_tags = unknown_tags


class WriteStateData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[PartitionData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class WriteShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "WriteShareGroupStateRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("topics", "WriteStateData", array=True, default=()),
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
                "PartitionData",
                (
                    Field("partition", "int32", default=0),
                    Field("state_epoch", "int32", default=0),
                    Field("leader_epoch", "int32", default=0),
                    Field("start_offset", "int64", default=0),
                    Field("delivery_complete_count", "int32", versions=Versions(1, LATEST), default=-1, ignorable=True),
                    Field("state_batches", "StateBatch", array=True, default=()),
                ),
            ),
            StructSchema(
                "WriteStateData",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"StateBatch": StateBatch, "PartitionData": PartitionData, "WriteStateData": WriteStateData}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[WriteStateData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
