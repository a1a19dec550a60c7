"""DescribeGroupsRequest: API key 15, versions 0-6, flexible 5+.

Generated from protocol_specs/015_describe_groups.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class DescribeGroupsRequest(Message):
    __slots__ = ("groups", "include_authorized_operations")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeGroupsRequest",
        Versions(0, 6),
        Versions(5, LATEST),
        (
            Field("groups", "string", array=True, default=()),
            Field("include_authorized_operations", "bool", versions=Versions(3, LATEST), default=False),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        groups: Sequence[str] = (),
        include_authorized_operations: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.groups: Final = groups
        self.include_authorized_operations: Final = include_authorized_operations
        self.unknown_tags = unknown_tags
