"""SnapshotFooterRecord: versions 0, flexible 0+.

Generated from protocol_specs/control_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class SnapshotFooterRecord(Message):
    __slots__ = ("version",)

    SCHEMA: ClassVar = MessageSchema(
        "SnapshotFooterRecord",
        Versions(0, 0),
        ALWAYS,
        (
            Field("version", "int16", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        version: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.version: Final = version
        self.unknown_tags = unknown_tags
