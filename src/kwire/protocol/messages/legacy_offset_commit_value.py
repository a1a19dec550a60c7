"""LegacyOffsetCommitValue: record type 0, versions 0.

Generated from protocol_specs/record_legacy_offset_commit.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class LegacyOffsetCommitValue(Message):
    __slots__ = ("offset", "metadata", "commit_timestamp")

    SCHEMA: ClassVar = MessageSchema(
        "LegacyOffsetCommitValue",
        Versions(0, 0),
        NEVER,
        (
            Field("offset", "int64", default=0),
            Field("metadata", "string", default=""),
            Field("commit_timestamp", "int64", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        offset: int = 0,
        metadata: str = "",
        commit_timestamp: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.offset: Final = offset
        self.metadata: Final = metadata
        self.commit_timestamp: Final = commit_timestamp
        self.unknown_tags = unknown_tags
