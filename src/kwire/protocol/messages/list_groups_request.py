"""ListGroupsRequest: API key 16, versions 0-5, flexible 3+.

Generated from protocol_specs/016_list_groups.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ListGroupsRequest(Message):
    __slots__ = ("states_filter", "types_filter")

    SCHEMA: ClassVar = MessageSchema(
        "ListGroupsRequest",
        Versions(0, 5),
        Versions(3, LATEST),
        (
            Field("states_filter", "string", array=True, versions=Versions(4, LATEST), default=()),
            Field("types_filter", "string", array=True, versions=Versions(5, LATEST), default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        states_filter: Sequence[str] = (),
        types_filter: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.states_filter: Final = states_filter
        self.types_filter: Final = types_filter
        self.unknown_tags = unknown_tags
