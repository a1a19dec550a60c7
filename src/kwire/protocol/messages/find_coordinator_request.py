"""FindCoordinatorRequest: API key 10, versions 0-6, flexible 3+.

Generated from protocol_specs/010_find_coordinator.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class FindCoordinatorRequest(Message):
    __slots__ = ("key", "key_type", "coordinator_keys")

    SCHEMA: ClassVar = MessageSchema(
        "FindCoordinatorRequest",
        Versions(0, 6),
        Versions(3, LATEST),
        (
            Field("key", "string", versions=Versions(0, 3), default=""),
            Field("key_type", "int8", versions=Versions(1, LATEST), default=0),
            Field("coordinator_keys", "string", array=True, versions=Versions(4, LATEST), default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        key: str = "",
        key_type: int = 0,
        coordinator_keys: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.key: Final = key
        self.key_type: Final = key_type
        self.coordinator_keys: Final = coordinator_keys
        self.unknown_tags = unknown_tags
