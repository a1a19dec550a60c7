"""SnapshotHeaderRecord: versions 0, flexible 0+.

Generated from protocol_specs/control_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class SnapshotHeaderRecord(Message):
    __slots__ = ("version", "last_contained_log_timestamp")

    SCHEMA: ClassVar = MessageSchema(
        "SnapshotHeaderRecord",
        Versions(0, 0),
        ALWAYS,
        (
            Field("version", "int16", default=0),
            Field("last_contained_log_timestamp", "int64", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        version: int = 0,
        last_contained_log_timestamp: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.version: Final = version
        self.last_contained_log_timestamp: Final = last_contained_log_timestamp
        self.unknown_tags = unknown_tags
