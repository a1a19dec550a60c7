"""RenewDelegationTokenRequest: API key 39, versions 1-2, flexible 2+.

Generated from protocol_specs/039_renew_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class RenewDelegationTokenRequest(Message):
    __slots__ = ("hmac", "renew_period_ms")

    SCHEMA: ClassVar = MessageSchema(
        "RenewDelegationTokenRequest",
        Versions(1, 2),
        Versions(2, LATEST),
        (
            Field("hmac", "bytes", default=b''),
            Field("renew_period_ms", "int64", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        hmac: bytes = b'',
        renew_period_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.hmac: Final = hmac
        self.renew_period_ms: Final = renew_period_ms
        self.unknown_tags = unknown_tags
