"""DefaultPrincipalData: versions 0, flexible 0+.

Generated from protocol_specs/principal.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class DefaultPrincipalData(Message):
    __slots__ = ("type", "name", "token_authenticated")

    SCHEMA: ClassVar = MessageSchema(
        "DefaultPrincipalData",
        Versions(0, 0),
        ALWAYS,
        (
            Field("type", "string", default=""),
            Field("name", "string", default=""),
            Field("token_authenticated", "bool", default=False),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        type: str = "",
        name: str = "",
        token_authenticated: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.type: Final = type
        self.name: Final = name
        self.token_authenticated: Final = token_authenticated
        self.unknown_tags = unknown_tags
