"""ResponseHeader: versions 0-1, flexible 1+.

Generated from protocol_specs/headers.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ResponseHeader(Message):
    __slots__ = ("correlation_id",)

    SCHEMA: ClassVar = MessageSchema(
        "ResponseHeader",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("correlation_id", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        correlation_id: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.correlation_id: Final = correlation_id
        self.unknown_tags = unknown_tags
