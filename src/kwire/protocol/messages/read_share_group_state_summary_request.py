"""ReadShareGroupStateSummaryRequest: API key 87, versions 0-1, flexible 0+.

Generated from protocol_specs/087_read_share_group_state_summary.kspec by `make generate`; do not edit.
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


class ReadStateSummaryData(Struct):
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


class ReadShareGroupStateSummaryRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "ReadShareGroupStateSummaryRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("topics", "ReadStateSummaryData", array=True, default=()),
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
                "ReadStateSummaryData",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "PartitionData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"PartitionData": PartitionData, "ReadStateSummaryData": ReadStateSummaryData}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[ReadStateSummaryData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
