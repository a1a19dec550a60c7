"""OffsetCommitRequest: API key 8, versions 2-10, flexible 8+.

Generated from protocol_specs/008_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class OffsetCommitRequestPartition(Struct):
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


class OffsetCommitRequestTopic(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[OffsetCommitRequestPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetCommitRequest(Message):
    __slots__ = ("group_id", "generation_id_or_member_epoch", "member_id", "group_instance_id", "retention_time_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetCommitRequest",
        Versions(2, 10),
        Versions(8, LATEST),
        (
            Field("group_id", "string", default=""),
            Field("generation_id_or_member_epoch", "int32", default=-1, ignorable=True),
            Field("member_id", "string", default="", ignorable=True),
            Field("group_instance_id", "string", versions=Versions(7, LATEST), nullable=Versions(7, LATEST)),
            Field("retention_time_ms", "int64", versions=Versions(2, 4), default=-1, ignorable=True),
            Field("topics", "OffsetCommitRequestTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "OffsetCommitRequestPartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("committed_offset", "int64", default=0),
                    Field("committed_leader_epoch", "int32", versions=Versions(6, LATEST), default=-1, ignorable=True),
                    Field("committed_metadata", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "OffsetCommitRequestTopic",
                (
                    Field("name", "string", versions=Versions(2, 9), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(10, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partitions", "OffsetCommitRequestPartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetCommitRequestPartition": OffsetCommitRequestPartition, "OffsetCommitRequestTopic": OffsetCommitRequestTopic}

    def __init__(
        self,
        group_id: str = "",
        generation_id_or_member_epoch: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        retention_time_ms: int = -1,
        topics: Sequence[OffsetCommitRequestTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id_or_member_epoch: Final = generation_id_or_member_epoch
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.retention_time_ms: Final = retention_time_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
