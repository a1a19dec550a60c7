"""SaslAuthenticateResponse: API key 36, versions 0-2, flexible 2+.

Generated from protocol_specs/036_sasl_authenticate.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class SaslAuthenticateResponse(Message):
    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms")

    SCHEMA: ClassVar = MessageSchema(
        "SaslAuthenticateResponse",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("auth_bytes", "bytes", default=b''),
            Field("session_lifetime_ms", "int64", versions=Versions(1, LATEST), default=0, ignorable=True),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        auth_bytes: bytes = b'',
        session_lifetime_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.auth_bytes: Final = auth_bytes
        self.session_lifetime_ms: Final = session_lifetime_ms
        self.unknown_tags = unknown_tags
