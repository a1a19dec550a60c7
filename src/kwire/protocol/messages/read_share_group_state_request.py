"""ReadShareGroupStateRequest: API key 84, versions 0, flexible 0+.

Generated from protocol_specs/084_read_share_group_state.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class PartitionData(Struct):
    __slots__ = ("partition", "leader_epoch")

    def __init__(
        self,
        partition: int = 0,
        leader_epoch: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.leader_epoch: Final = leader_epoch
        self.unknown_tags = unknown_tags


class ReadStateData(Struct):
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


class ReadShareGroupStateRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "ReadShareGroupStateRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("topics", "ReadStateData", array=True, default=()),
        ),
        (
            StructSchema(
                "PartitionData",
                (
                    Field("partition", "int32", default=0),
                    Field("leader_epoch", "int32", default=0),
                ),
            ),
            StructSchema(
                "ReadStateData",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionData": PartitionData, "ReadStateData": ReadStateData}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[ReadStateData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
