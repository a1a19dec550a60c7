"""ListConfigResourcesRequest: API key 74, versions 0-1, flexible 0+.

Generated from protocol_specs/074_list_config_resources.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ListConfigResourcesRequest(Message):
    __slots__ = ("resource_types",)

    SCHEMA: ClassVar = MessageSchema(
        "ListConfigResourcesRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("resource_types", "int8", array=True, versions=Versions(1, LATEST), default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        resource_types: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_types: Final = resource_types
        self.unknown_tags = unknown_tags
