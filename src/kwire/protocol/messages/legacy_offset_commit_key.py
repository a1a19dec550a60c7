"""LegacyOffsetCommitKey: record type 0, versions 0.

Generated from protocol_specs/record_legacy_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class LegacyOffsetCommitKey(Message):
    __slots__ = ("group", "topic", "partition")

    SCHEMA: ClassVar = MessageSchema(
        "LegacyOffsetCommitKey",
        Versions(0, 0),
        NEVER,
        (
            Field("group", "string", default=""),
            Field("topic", "string", default=""),
            Field("partition", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group: str = "",
        topic: str = "",
        partition: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group: Final = group
        self.topic: Final = topic
        self.partition: Final = partition
        self.unknown_tags = unknown_tags
