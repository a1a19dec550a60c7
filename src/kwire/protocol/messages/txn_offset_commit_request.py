"""TxnOffsetCommitRequest: API key 28, versions 0-5, flexible 3+.

Generated from protocol_specs/028_txn_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TxnOffsetCommitRequestPartition(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "committed_metadata")

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.committed_metadata: Final = committed_metadata
        self.unknown_tags = unknown_tags


class TxnOffsetCommitRequestTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[TxnOffsetCommitRequestPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class TxnOffsetCommitRequest(Message):
    __slots__ = ("transactional_id", "group_id", "producer_id", "producer_epoch", "generation_id", "member_id", "group_instance_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "TxnOffsetCommitRequest",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("transactional_id", "string", default=""),
            Field("group_id", "string", default=""),
            Field("producer_id", "int64", default=0),
            Field("producer_epoch", "int16", default=0),
            Field("generation_id", "int32", versions=Versions(3, LATEST), default=-1),
            Field("member_id", "string", versions=Versions(3, LATEST), default=""),
            Field("group_instance_id", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST)),
            Field("topics", "TxnOffsetCommitRequestTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "TxnOffsetCommitRequestPartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("committed_offset", "int64", default=0),
                    Field("committed_leader_epoch", "int32", versions=Versions(2, LATEST), default=-1, ignorable=True),
                    Field("committed_metadata", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "TxnOffsetCommitRequestTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "TxnOffsetCommitRequestPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TxnOffsetCommitRequestPartition": TxnOffsetCommitRequestPartition, "TxnOffsetCommitRequestTopic": TxnOffsetCommitRequestTopic}

    def __init__(
        self,
        transactional_id: str = "",
        group_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        generation_id: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        topics: Sequence[TxnOffsetCommitRequestTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.group_id: Final = group_id
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch
        self.generation_id: Final = generation_id
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
