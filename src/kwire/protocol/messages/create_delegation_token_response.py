"""CreateDelegationTokenResponse: API key 38, versions 1-3, flexible 2+.

Generated from protocol_specs/038_create_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class CreateDelegationTokenResponse(Message):
    __slots__ = ("error_code", "principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp_ms", "expiry_timestamp_ms", "max_timestamp_ms", "token_id", "hmac", "throttle_time_ms")

    SCHEMA: ClassVar = MessageSchema(
        "CreateDelegationTokenResponse",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("error_code", "int16", default=0),
            Field("principal_type", "string", default=""),
            Field("principal_name", "string", default=""),
            Field("token_requester_principal_type", "string", versions=Versions(3, LATEST), default=""),
            Field("token_requester_principal_name", "string", versions=Versions(3, LATEST), default=""),
            Field("issue_timestamp_ms", "int64", default=0),
            Field("expiry_timestamp_ms", "int64", default=0),
            Field("max_timestamp_ms", "int64", default=0),
            Field("token_id", "string", default=""),
            Field("hmac", "bytes", default=b''),
            Field("throttle_time_ms", "int32", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        error_code: int = 0,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp_ms: int = 0,
        expiry_timestamp_ms: int = 0,
        max_timestamp_ms: int = 0,
        token_id: str = "",
        hmac: bytes = b'',
        throttle_time_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name
        self.token_requester_principal_type: Final = token_requester_principal_type
        self.token_requester_principal_name: Final = token_requester_principal_name
        self.issue_timestamp_ms: Final = issue_timestamp_ms
        self.expiry_timestamp_ms: Final = expiry_timestamp_ms
        self.max_timestamp_ms: Final = max_timestamp_ms
        self.token_id: Final = token_id
        self.hmac: Final = hmac
        self.throttle_time_ms: Final = throttle_time_ms
        self.unknown_tags = unknown_tags
