"""ControlRecordTypeSchema: versions 0.

Generated from protocol_specs/control_records.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class ControlRecordTypeSchema(Message):
    __slots__ = ("type",)

    SCHEMA: ClassVar = MessageSchema(
        "ControlRecordTypeSchema",
        Versions(0, 0),
        NEVER,
        (
            Field("type", "int16", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        type: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.type: Final = type
        self.unknown_tags = unknown_tags
