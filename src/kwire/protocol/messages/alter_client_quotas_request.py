"""AlterClientQuotasRequest: API key 49, versions 0-1, flexible 1+.

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


class OpData(Struct):
    __slots__ = ("key", "value", "remove")

    def __init__(
        self,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.key: Final = key
        self.value: Final = value
        self.remove: Final = remove
        self.unknown_tags = unknown_tags


class EntryData(Struct):
    __slots__ = ("entity", "ops")

    def __init__(
        self,
        entity: Sequence[EntityData] = (),
        ops: Sequence[OpData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.entity: Final = entity
        self.ops: Final = ops
        self.unknown_tags = unknown_tags


class AlterClientQuotasRequest(Message):
    __slots__ = ("entries", "validate_only")

    SCHEMA: ClassVar = MessageSchema(
        "AlterClientQuotasRequest",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("entries", "EntryData", array=True, default=()),
            Field("validate_only", "bool", default=False),
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
                "OpData",
                (
                    Field("key", "string", default=""),
                    Field("value", "float64", default=0.0),
                    Field("remove", "bool", default=False),
                ),
            ),
            StructSchema(
                "EntryData",
                (
                    Field("entity", "EntityData", array=True, default=()),
                    Field("ops", "OpData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"EntityData": EntityData, "OpData": OpData, "EntryData": EntryData}

    def __init__(
        self,
        entries: Sequence[EntryData] = (),
        validate_only: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.entries: Final = entries
        self.validate_only: Final = validate_only
        self.unknown_tags = unknown_tags
