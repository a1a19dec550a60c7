"""AlterClientQuotasResponse: API key 49, versions 0-1, flexible 1+.

Generated from protocol_specs/049_alter_client_quotas.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class EntityData(Struct):
    __slots__ = ("entity_type", "entity_name")

    def __init__(
        self,
        entity_type: str = "",
        entity_name: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.entity_type: Final = entity_type
        self.entity_name: Final = entity_name
        self.unknown_tags = unknown_tags


class EntryData(Struct):
    __slots__ = ("error_code", "error_message", "entity")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        entity: Sequence[EntityData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.entity: Final = entity
        self.unknown_tags = unknown_tags


class AlterClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "entries")

    SCHEMA: ClassVar = MessageSchema(
        "AlterClientQuotasResponse",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("entries", "EntryData", array=True, default=()),
        ),
        (
            StructSchema(
                "EntityData",
                (
                    Field("entity_type", "string", default=""),
                    Field("entity_name", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "EntryData",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                    Field("entity", "EntityData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"EntityData": EntityData, "EntryData": EntryData}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        entries: Sequence[EntryData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.entries: Final = entries
        self.unknown_tags = unknown_tags
