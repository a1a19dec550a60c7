"""ListGroupsResponse: API key 16, versions 0-5, flexible 3+.

Generated from protocol_specs/016_list_groups.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ListedGroup(Struct):
    __slots__ = ("group_id", "protocol_type", "group_state", "group_type")

    def __init__(
        self,
        group_id: str = "",
        protocol_type: str = "",
        group_state: str = "",
        group_type: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.protocol_type: Final = protocol_type
        self.group_state: Final = group_state
        self.group_type: Final = group_type
        self.unknown_tags = unknown_tags


class ListGroupsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "groups")

    SCHEMA: ClassVar = MessageSchema(
        "ListGroupsResponse",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("error_code", "int16", default=0),
            Field("groups", "ListedGroup", array=True, default=()),
        ),
        (
            StructSchema(
                "ListedGroup",
                (
                    Field("group_id", "string", default=""),
                    Field("protocol_type", "string", default=""),
                    Field("group_state", "string", versions=Versions(4, LATEST), default="", ignorable=True),
                    Field("group_type", "string", versions=Versions(5, LATEST), default="", ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ListedGroup": ListedGroup}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: Sequence[ListedGroup] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.groups: Final = groups
        self.unknown_tags = unknown_tags
