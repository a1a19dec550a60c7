"""DescribeLogDirsRequest: API key 35, versions 1-5, flexible 2+.

Generated from protocol_specs/035_describe_log_dirs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribableLogDirTopic(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class DescribeLogDirsRequest(Message):
    __slots__ = ("topics",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeLogDirsRequest",
        Versions(1, 5),
        Versions(2, LATEST),
        (
            Field("topics", "DescribableLogDirTopic", array=True, nullable=ALWAYS, default=()),
        ),
        (
            StructSchema(
                "DescribableLogDirTopic",
                (
                    Field("topic", "string", default="", key=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribableLogDirTopic": DescribableLogDirTopic}

    def __init__(
        self,
        topics: Sequence[DescribableLogDirTopic] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
