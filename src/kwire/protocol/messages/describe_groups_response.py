"""DescribeGroupsResponse: API key 15, versions 0-6, flexible 5+.

Generated from protocol_specs/015_describe_groups.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribedGroupMember(Struct):
    __slots__ = ("member_id", "group_instance_id", "client_id", "client_host", "member_metadata", "member_assignment")

    def __init__(
        self,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        member_metadata: bytes = b'',
        member_assignment: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.member_metadata: Final = member_metadata
        self.member_assignment: Final = member_assignment
        self.unknown_tags = unknown_tags


class DescribedGroup(Struct):
    __slots__ = ("error_code", "error_message", "group_id", "group_state", "protocol_type", "protocol_data", "members", "authorized_operations")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        protocol_type: str = "",
        protocol_data: str = "",
        members: Sequence[DescribedGroupMember] = (),
        authorized_operations: int = -2147483648,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.group_id: Final = group_id
        self.group_state: Final = group_state
        self.protocol_type: Final = protocol_type
        self.protocol_data: Final = protocol_data
        self.members: Final = members
        self.authorized_operations: Final = authorized_operations
        self.unknown_tags = unknown_tags


class DescribeGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "groups")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeGroupsResponse",
        Versions(0, 6),
        Versions(5, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("groups", "DescribedGroup", array=True, default=()),
        ),
        (
            StructSchema(
                "DescribedGroupMember",
                (
                    Field("member_id", "string", default=""),
                    Field("group_instance_id", "string", versions=Versions(4, LATEST), nullable=Versions(4, LATEST), ignorable=True),
                    Field("client_id", "string", default=""),
                    Field("client_host", "string", default=""),
                    Field("member_metadata", "bytes", default=b''),
                    Field("member_assignment", "bytes", default=b''),
                ),
            ),
            StructSchema(
                "DescribedGroup",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", versions=Versions(6, LATEST), nullable=Versions(6, LATEST)),
                    Field("group_id", "string", default=""),
                    Field("group_state", "string", default=""),
                    Field("protocol_type", "string", default=""),
                    Field("protocol_data", "string", default=""),
                    Field("members", "DescribedGroupMember", array=True, default=()),
                    Field("authorized_operations", "int32", versions=Versions(3, LATEST), default=-2147483648),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribedGroupMember": DescribedGroupMember, "DescribedGroup": DescribedGroup}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        groups: Sequence[DescribedGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
