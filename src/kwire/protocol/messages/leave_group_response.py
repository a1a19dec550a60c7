"""LeaveGroupResponse: API key 13, versions 0-5, flexible 4+.

Generated from protocol_specs/013_leave_group.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class MemberResponse(Struct):
    __slots__ = ("member_id", "group_instance_id", "error_code")

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = "",
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class LeaveGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "members")

    SCHEMA: ClassVar = MessageSchema(
        "LeaveGroupResponse",
        Versions(0, 5),
        Versions(4, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("error_code", "int16", default=0),
            Field("members", "MemberResponse", array=True, versions=Versions(3, LATEST), default=()),
        ),
        (
            StructSchema(
                "MemberResponse",
                (
                    Field("member_id", "string", default=""),
                    Field("group_instance_id", "string", nullable=ALWAYS, default=""),
                    Field("error_code", "int16", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"MemberResponse": MemberResponse}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        members: Sequence[MemberResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.members: Final = members
        self.unknown_tags = unknown_tags
