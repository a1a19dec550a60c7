"""InitializeShareGroupStateRequest: API key 83, versions 0, flexible 0+.

Generated from protocol_specs/083_initialize_share_group_state.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class PartitionData(Struct):
    __slots__ = ("partition", "state_epoch", "start_offset")

    def __init__(
        self,
        partition: int = 0,
        state_epoch: int = 0,
        start_offset: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.state_epoch: Final = state_epoch
        self.start_offset: Final = start_offset
        self.unknown_tags = unknown_tags


class InitializeStateData(Struct):
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


class InitializeShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "InitializeShareGroupStateRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("topics", "InitializeStateData", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionData",
                (
                    Field("partition", "int32", default=0),
                    Field("state_epoch", "int32", default=0),
                    Field("start_offset", "int64", default=0),
                ),
            ),
            StructSchema(
                "InitializeStateData",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionData": PartitionData, "InitializeStateData": InitializeStateData}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[InitializeStateData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
