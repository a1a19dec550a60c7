"""OffsetFetchRequest: API key 9, versions 1-10, flexible 6+.

Generated from protocol_specs/009_offset_fetch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class OffsetFetchRequestTopic(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: str = "",
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = partition_indexes
        self.unknown_tags = unknown_tags


class OffsetFetchRequestTopics(Struct):
    __slots__ = ("name", "topic_id", "partition_indexes")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_indexes: Final = partition_indexes
        self.unknown_tags = unknown_tags


class OffsetFetchRequestGroup(Struct):
    __slots__ = ("group_id", "member_id", "member_epoch", "topics")

    def __init__(
        self,
        group_id: str = "",
        member_id: str | None = None,
        member_epoch: int = -1,
        topics: Sequence[OffsetFetchRequestTopics] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.topics: Final = topics
        self.unknown_tags = unknown_tags


class OffsetFetchRequest(Message):
    __slots__ = ("group_id", "topics", "groups", "require_stable")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetFetchRequest",
        Versions(1, 10),
        Versions(6, LATEST),
        (
            Field("group_id", "string", versions=Versions(1, 7), default=""),
            Field("topics", "OffsetFetchRequestTopic", array=True, versions=Versions(1, 7), nullable=Versions(2, 7), default=()),
            Field("groups", "OffsetFetchRequestGroup", array=True, versions=Versions(8, LATEST), default=()),
            Field("require_stable", "bool", versions=Versions(7, LATEST), default=False),
        ),
        (
            StructSchema(
                "OffsetFetchRequestTopic",
                (
                    Field("name", "string", default=""),
                    Field("partition_indexes", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "OffsetFetchRequestTopics",
                (
                    Field("name", "string", versions=Versions(8, 9), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(10, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partition_indexes", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "OffsetFetchRequestGroup",
                (
                    Field("group_id", "string", default=""),
                    Field("member_id", "string", versions=Versions(9, LATEST), nullable=Versions(9, LATEST), ignorable=True),
                    Field("member_epoch", "int32", versions=Versions(9, LATEST), default=-1, ignorable=True),
                    Field("topics", "OffsetFetchRequestTopics", array=True, nullable=ALWAYS, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetFetchRequestTopic": OffsetFetchRequestTopic, "OffsetFetchRequestTopics": OffsetFetchRequestTopics, "OffsetFetchRequestGroup": OffsetFetchRequestGroup}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[OffsetFetchRequestTopic] | None = (),
        groups: Sequence[OffsetFetchRequestGroup] = (),
        require_stable: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.groups: Final = groups
        self.require_stable: Final = require_stable
        self.unknown_tags = unknown_tags
