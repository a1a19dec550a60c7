"""OffsetForLeaderEpochRequest: API key 23, versions 2-4, flexible 4+.

Generated from protocol_specs/023_offset_for_leader_epoch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class OffsetForLeaderPartition(Struct):
    __slots__ = ("partition", "current_leader_epoch", "leader_epoch")

    def __init__(
        self,
        partition: int = 0,
        current_leader_epoch: int = -1,
        leader_epoch: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition: Final = partition
        self.current_leader_epoch: Final = current_leader_epoch
        self.leader_epoch: Final = leader_epoch
        self.unknown_tags = unknown_tags


class OffsetForLeaderTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = "",
        partitions: Sequence[OffsetForLeaderPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetForLeaderEpochRequest(Message):
    __slots__ = ("replica_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetForLeaderEpochRequest",
        Versions(2, 4),
        Versions(4, LATEST),
        (
            Field("replica_id", "int32", versions=Versions(3, LATEST), default=-2, ignorable=True),
            Field("topics", "OffsetForLeaderTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "OffsetForLeaderPartition",
                (
                    Field("partition", "int32", default=0),
                    Field("current_leader_epoch", "int32", default=-1, ignorable=True),
                    Field("leader_epoch", "int32", default=0),
                ),
            ),
            StructSchema(
                "OffsetForLeaderTopic",
                (
                    Field("topic", "string", default="", key=True),
                    Field("partitions", "OffsetForLeaderPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetForLeaderPartition": OffsetForLeaderPartition, "OffsetForLeaderTopic": OffsetForLeaderTopic}

    def __init__(
        self,
        replica_id: int = -2,
        topics: Sequence[OffsetForLeaderTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.replica_id: Final = replica_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
