"""GroupMetadataKey: record type 2, versions 0.

Generated from protocol_specs/record_group_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class GroupMetadataKey(Message):
    __slots__ = ("group",)

    SCHEMA: ClassVar = MessageSchema(
        "GroupMetadataKey",
        Versions(0, 0),
        NEVER,
        (
            Field("group", "string", default=""),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group: Final = group
        self.unknown_tags = unknown_tags
