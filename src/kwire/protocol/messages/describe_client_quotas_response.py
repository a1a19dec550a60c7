"""DescribeClientQuotasResponse: API key 48, versions 0-1, flexible 1+.

Generated from protocol_specs/048_describe_client_quotas.kspec by `make generate`; do not edit.
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


class ValueData(Struct):
    __slots__ = ("key", "value")

    def __init__(
        self,
        key: str = "",
        value: float = 0.0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.key: Final = key
        self.value: Final = value
        self.unknown_tags = unknown_tags


class EntryData(Struct):
    __slots__ = ("entity", "values")

    def __init__(
        self,
        entity: Sequence[EntityData] = (),
        values: Sequence[ValueData] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.entity: Final = entity
        self.values: Final = values
        self.unknown_tags = unknown_tags


class DescribeClientQuotasResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeClientQuotasResponse",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("entries", "EntryData", array=True, nullable=ALWAYS, default=()),
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
                "ValueData",
                (
                    Field("key", "string", default=""),
                    Field("value", "float64", default=0.0),
                ),
            ),
            StructSchema(
                "EntryData",
                (
                    Field("entity", "EntityData", array=True, default=()),
                    Field("values", "ValueData", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"EntityData": EntityData, "ValueData": ValueData, "EntryData": EntryData}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        entries: Sequence[EntryData] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.entries: Final = entries
        self.unknown_tags = unknown_tags
