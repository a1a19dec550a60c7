"""SyncGroupRequest: API key 14, versions 0-5, flexible 4+.

Generated from protocol_specs/014_sync_group.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class SyncGroupRequestAssignment(Struct):
    __slots__ = ("member_id", "assignment")

    def __init__(
        self,
        member_id: str = "",
        assignment: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.assignment: Final = assignment
        self.unknown_tags = unknown_tags


class SyncGroupRequest(Message):
    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id", "protocol_type", "protocol_name", "assignments")

    SCHEMA: ClassVar = MessageSchema(
        "SyncGroupRequest",
        Versions(0, 5),
        Versions(4, LATEST),
        (
            Field("group_id", "string", default=""),
            Field("generation_id", "int32", default=0),
            Field("member_id", "string", default=""),
            Field("group_instance_id", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST)),
            Field("protocol_type", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
            Field("protocol_name", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
            Field("assignments", "SyncGroupRequestAssignment", array=True, default=()),
        ),
        (
            StructSchema(
                "SyncGroupRequestAssignment",
                (
                    Field("member_id", "string", default=""),
                    Field("assignment", "bytes", default=b''),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"SyncGroupRequestAssignment": SyncGroupRequestAssignment}

    def __init__(
        self,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: Sequence[SyncGroupRequestAssignment] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id: Final = generation_id
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.protocol_type: Final = protocol_type
        self.protocol_name: Final = protocol_name
        self.assignments: Final = assignments
        self.unknown_tags = unknown_tags
