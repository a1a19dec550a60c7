"""DescribeShareGroupOffsetsRequest: API key 90, versions 0-1, flexible 0+.

Generated from protocol_specs/090_describe_share_group_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribeShareGroupOffsetsRequestTopic(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsRequestGroup(Struct):
    __slots__ = ("group_id", "topics")

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[DescribeShareGroupOffsetsRequestTopic] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags


class DescribeShareGroupOffsetsRequest(Message):
    __slots__ = ("groups",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeShareGroupOffsetsRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("groups", "DescribeShareGroupOffsetsRequestGroup", array=True, default=()),
        ),
        (
            StructSchema(
                "DescribeShareGroupOffsetsRequestTopic",
                (
                    Field("topic_name", "string", default=""),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "DescribeShareGroupOffsetsRequestGroup",
                (
                    Field("group_id", "string", default=""),
                    Field("topics", "DescribeShareGroupOffsetsRequestTopic", array=True, nullable=ALWAYS, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeShareGroupOffsetsRequestTopic": DescribeShareGroupOffsetsRequestTopic, "DescribeShareGroupOffsetsRequestGroup": DescribeShareGroupOffsetsRequestGroup}

    def __init__(
        self,
        groups: Sequence[DescribeShareGroupOffsetsRequestGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
