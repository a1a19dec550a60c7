"""JoinGroupResponse: API key 11, versions 0-9, flexible 6+.

Generated from protocol_specs/011_join_group.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class JoinGroupResponseMember(Struct):
    __slots__ = ("member_id", "group_instance_id", "metadata")

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        metadata: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.metadata: Final = metadata
        self.unknown_tags = unknown_tags


class JoinGroupResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "generation_id", "protocol_type", "protocol_name", "leader", "skip_assignment", "member_id", "members")

    SCHEMA: ClassVar = MessageSchema(
        "JoinGroupResponse",
        Versions(0, 9),
        Versions(6, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(2, LATEST), default=0, ignorable=True),
            Field("error_code", "int16", default=0),
            Field("generation_id", "int32", default=-1),
            Field("protocol_type", "string", versions=Versions(7, LATEST), nullable=Versions(7, LATEST), ignorable=True),
            Field("protocol_name", "string", nullable=Versions(7, LATEST), default=""),
            Field("leader", "string", default=""),
            Field("skip_assignment", "bool", versions=Versions(9, LATEST), default=False),
            Field("member_id", "string", default=""),
            Field("members", "JoinGroupResponseMember", array=True, default=()),
        ),
        (
            StructSchema(
                "JoinGroupResponseMember",
                (
                    Field("member_id", "string", default=""),
                    Field("group_instance_id", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
                    Field("metadata", "bytes", default=b''),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"JoinGroupResponseMember": JoinGroupResponseMember}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: int = -1,
        protocol_type: str | None = None,
        protocol_name: str | None = "",
        leader: str = "",
        skip_assignment: bool = False,
        member_id: str = "",
        members: Sequence[JoinGroupResponseMember] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.generation_id: Final = generation_id
        self.protocol_type: Final = protocol_type
        self.protocol_name: Final = protocol_name
        self.leader: Final = leader
        self.skip_assignment: Final = skip_assignment
        self.member_id: Final = member_id
        self.members: Final = members
        self.unknown_tags = unknown_tags
