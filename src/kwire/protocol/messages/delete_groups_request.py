"""DeleteGroupsRequest: API key 42, versions 0-2, flexible 2+.

Generated from protocol_specs/042_delete_groups.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class DeleteGroupsRequest(Message):
    __slots__ = ("groups_names",)

    SCHEMA: ClassVar = MessageSchema(
        "DeleteGroupsRequest",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("groups_names", "string", array=True, default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        groups_names: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.groups_names: Final = groups_names
        self.unknown_tags = unknown_tags
