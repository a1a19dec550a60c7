"""SaslAuthenticateRequest: API key 36, versions 0-2, flexible 2+.

Generated from protocol_specs/036_sasl_authenticate.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class SaslAuthenticateRequest(Message):
    __slots__ = ("auth_bytes",)

    SCHEMA: ClassVar = MessageSchema(
        "SaslAuthenticateRequest",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("auth_bytes", "bytes", default=b''),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        auth_bytes: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.auth_bytes: Final = auth_bytes
        self.unknown_tags = unknown_tags
