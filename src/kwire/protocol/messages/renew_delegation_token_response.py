"""RenewDelegationTokenResponse: API key 39, versions 1-2, flexible 2+.

Generated from protocol_specs/039_renew_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class RenewDelegationTokenResponse(Message):
    __slots__ = ("error_code", "expiry_timestamp_ms", "throttle_time_ms")

    SCHEMA: ClassVar = MessageSchema(
        "RenewDelegationTokenResponse",
        Versions(1, 2),
        Versions(2, LATEST),
        (
            Field("error_code", "int16", default=0),
            Field("expiry_timestamp_ms", "int64", default=0),
            Field("throttle_time_ms", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        error_code: int = 0,
        expiry_timestamp_ms: int = 0,
        throttle_time_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.expiry_timestamp_ms: Final = expiry_timestamp_ms
        self.throttle_time_ms: Final = throttle_time_ms
        self.unknown_tags = unknown_tags
