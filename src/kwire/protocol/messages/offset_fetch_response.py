"""OffsetFetchResponse: API key 9, versions 1-10, flexible 6+.

Generated from protocol_specs/009_offset_fetch.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class OffsetFetchResponsePartition(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.metadata: Final = metadata
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class OffsetFetchResponseTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[OffsetFetchResponsePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetFetchResponsePartitions(Struct):
    __slots__ = ("partition_index", "committed_offset", "committed_leader_epoch", "metadata", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.metadata: Final = metadata
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class OffsetFetchResponseTopics(Struct):
    __slots__ = ("name", "topic_id", "partitions")

    def __init__(
        self,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[OffsetFetchResponsePartitions] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class OffsetFetchResponseGroup(Struct):
    __slots__ = ("group_id", "topics", "error_code")

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[OffsetFetchResponseTopics] = (),
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class OffsetFetchResponse(Message):
    __slots__ = ("throttle_time_ms", "topics", "error_code", "groups")

    SCHEMA: ClassVar = MessageSchema(
        "OffsetFetchResponse",
        Versions(1, 10),
        Versions(6, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(3, LATEST), default=0, ignorable=True),
            Field("topics", "OffsetFetchResponseTopic", array=True, versions=Versions(1, 7), default=()),
            Field("error_code", "int16", versions=Versions(2, 7), default=0, ignorable=True),
            Field("groups", "OffsetFetchResponseGroup", array=True, versions=Versions(8, LATEST), default=()),
        ),
        (
            StructSchema(
                "OffsetFetchResponsePartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("committed_offset", "int64", default=0),
                    Field("committed_leader_epoch", "int32", versions=Versions(5, LATEST), default=-1, ignorable=True),
                    Field("metadata", "string", nullable=ALWAYS, default=""),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "OffsetFetchResponseTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "OffsetFetchResponsePartition", array=True, default=()),
                ),
            ),
            StructSchema(
                "OffsetFetchResponsePartitions",
                (
                    Field("partition_index", "int32", default=0),
                    Field("committed_offset", "int64", default=0),
                    Field("committed_leader_epoch", "int32", default=-1, ignorable=True),
                    Field("metadata", "string", nullable=ALWAYS, default=""),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "OffsetFetchResponseTopics",
                (
                    Field("name", "string", versions=Versions(8, 9), default="", ignorable=True),
                    Field("topic_id", "uuid", versions=Versions(10, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("partitions", "OffsetFetchResponsePartitions", array=True, default=()),
                ),
            ),
            StructSchema(
                "OffsetFetchResponseGroup",
                (
                    Field("group_id", "string", default=""),
                    Field("topics", "OffsetFetchResponseTopics", array=True, default=()),
                    Field("error_code", "int16", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OffsetFetchResponsePartition": OffsetFetchResponsePartition, "OffsetFetchResponseTopic": OffsetFetchResponseTopic, "OffsetFetchResponsePartitions": OffsetFetchResponsePartitions, "OffsetFetchResponseTopics": OffsetFetchResponseTopics, "OffsetFetchResponseGroup": OffsetFetchResponseGroup}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: Sequence[OffsetFetchResponseTopic] = (),
        error_code: int = 0,
        groups: Sequence[OffsetFetchResponseGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = topics
        self.error_code: Final = error_code
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
