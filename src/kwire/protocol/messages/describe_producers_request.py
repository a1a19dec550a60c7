"""DescribeProducersRequest: API key 61, versions 0, flexible 0+.

Generated from protocol_specs/061_describe_producers.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TopicRequest(Struct):
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


class DescribeProducersRequest(Message):
    __slots__ = ("topics",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeProducersRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("topics", "TopicRequest", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicRequest",
                (
                    Field("name", "string", default=""),
                    Field("partition_indexes", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicRequest": TopicRequest}

    def __init__(
        self,
        topics: Sequence[TopicRequest] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
