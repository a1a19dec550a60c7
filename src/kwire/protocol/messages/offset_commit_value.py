"""OffsetCommitValue: record type 1, versions 0-4, flexible 4+.

Generated from protocol_specs/record_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions, ZERO_UUID


class OffsetCommitValue(Message):
    __slots__ = ("offset", "leader_epoch", "metadata", "commit_timestamp", "expire_timestamp", "topic_id")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetCommitValue",
        Versions(0, 4),
        Versions(4, LATEST),
        (
            Field("offset", "int64", default=0),
            Field("leader_epoch", "int32", versions=Versions(3, LATEST), default=-1, ignorable=True),
            Field("metadata", "string", default=""),
            Field("commit_timestamp", "int64", default=0),
            Field("expire_timestamp", "int64", versions=Versions(1, 1), default=-1, ignorable=True),
            Field("topic_id", "uuid", versions=Versions(4, LATEST), tag=0, default=ZERO_UUID, ignorable=True),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: bytes = ZERO_UUID,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.offset: Final = offset
        self.leader_epoch: Final = leader_epoch
        self.metadata: Final = metadata
        self.commit_timestamp: Final = commit_timestamp
        self.expire_timestamp: Final = expire_timestamp
        self.topic_id: Final = topic_id
        self.unknown_tags = unknown_tags
