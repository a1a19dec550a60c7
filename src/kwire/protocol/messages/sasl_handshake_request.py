"""SaslHandshakeRequest: API key 17, versions 0-1.

Generated from protocol_specs/017_sasl_handshake.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, Message, MessageSchema, NEVER, Struct, Tags, Versions


class SaslHandshakeRequest(Message):
    __slots__ = ("mechanism",)

    SCHEMA: ClassVar = MessageSchema(
        "SaslHandshakeRequest",
        Versions(0, 1),
        NEVER,
        (
            Field("mechanism", "string", default=""),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        mechanism: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.mechanism: Final = mechanism
        self.unknown_tags = unknown_tags
