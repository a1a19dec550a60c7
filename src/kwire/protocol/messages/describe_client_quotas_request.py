"""DescribeClientQuotasRequest: API key 48, versions 0-1, flexible 1+.

Generated from protocol_specs/048_describe_client_quotas.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ComponentData(Struct):
    __slots__ = ("entity_type", "match_type", "match")

    def __init__(
        self,
        entity_type: str = "",
        match_type: int = 0,
        match: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.entity_type: Final = entity_type
        self.match_type: Final = match_type
        self.match: Final = match
        self.unknown_tags = unknown_tags


class DescribeClientQuotasRequest(Message):
    __slots__ = ("components", "strict")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeClientQuotasRequest",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("components", "ComponentData", array=True, default=()),
            Field("strict", "bool", default=False),
        ),
        (
            StructSchema(
                "ComponentData",
                (
                    Field("entity_type", "string", default=""),
                    Field("match_type", "int8", default=0),
                    Field("match", "string", nullable=ALWAYS, default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ComponentData": ComponentData}

    def __init__(
        self,
        components: Sequence[ComponentData] = (),
        strict: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.components: Final = components
        self.strict: Final = strict
        self.unknown_tags = unknown_tags
