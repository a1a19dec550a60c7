"""ConsumerGroupCurrentMemberAssignmentKey: record type 8, versions 0.

Generated from protocol_specs/record_consumer_group_current_member_assignment.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class ConsumerGroupCurrentMemberAssignmentKey(Message):
    __slots__ = ("group_id", "member_id")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupCurrentMemberAssignmentKey",
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
