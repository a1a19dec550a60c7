"""SaslHandshakeResponse: API key 17, versions 0-1.

Generated from protocol_specs/017_sasl_handshake.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class SaslHandshakeResponse(Message):
    __slots__ = ("error_code", "mechanisms")

    SCHEMA: ClassVar = MessageSchema(
        "SaslHandshakeResponse",
        Versions(0, 1),
        NEVER,
        (
            Field("error_code", "int16", default=0),
            Field("mechanisms", "string", array=True, default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        error_code: int = 0,
        mechanisms: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.mechanisms: Final = mechanisms
        self.unknown_tags = unknown_tags
