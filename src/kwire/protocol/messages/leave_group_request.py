"""LeaveGroupRequest: API key 13, versions 0-5, flexible 4+.

Generated from protocol_specs/013_leave_group.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class MemberIdentity(Struct):
    __slots__ = ("member_id", "group_instance_id", "reason")

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        reason: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.reason: Final = reason
        self.unknown_tags = unknown_tags


class LeaveGroupRequest(Message):
    __slots__ = ("group_id", "member_id", "members")

    SCHEMA: ClassVar = MessageSchema(
        "LeaveGroupRequest",
        Versions(0, 5),
        Versions(4, LATEST),
        (
            Field("group_id", "string", default=""),
            Field("member_id", "string", versions=Versions(0, 2), default=""),
            Field("members", "MemberIdentity", array=True, versions=Versions(3, LATEST), default=()),
        ),
        (
            StructSchema(
                "MemberIdentity",
                (
                    Field("member_id", "string", default=""),
                    Field("group_instance_id", "string", nullable=ALWAYS),
                    Field("reason", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"MemberIdentity": MemberIdentity}

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        members: Sequence[MemberIdentity] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.members: Final = members
        self.unknown_tags = unknown_tags
