"""ShareGroupMemberMetadataKey: record type 10, versions 0.

Generated from protocol_specs/record_share_group_member_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class ShareGroupMemberMetadataKey(Message):
    __slots__ = ("group_id", "member_id")

    SCHEMA: ClassVar = MessageSchema(
        "ShareGroupMemberMetadataKey",
        Versions(0, 0),
        NEVER,
        (
            Field("group_id", "string", default=""),
            Field("member_id", "string", default=""),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.unknown_tags = unknown_tags
