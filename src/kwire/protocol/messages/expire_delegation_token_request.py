"""ExpireDelegationTokenRequest: API key 40, versions 1-2, flexible 2+.

Generated from protocol_specs/040_expire_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ExpireDelegationTokenRequest(Message):
    __slots__ = ("hmac", "expiry_time_period_ms")

    SCHEMA: ClassVar = MessageSchema(
        "ExpireDelegationTokenRequest",
        Versions(1, 2),
        Versions(2, LATEST),
        (
            Field("hmac", "bytes", default=b''),
            Field("expiry_time_period_ms", "int64", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        hmac: bytes = b'',
        expiry_time_period_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.hmac: Final = hmac
        self.expiry_time_period_ms: Final = expiry_time_period_ms
        self.unknown_tags = unknown_tags
