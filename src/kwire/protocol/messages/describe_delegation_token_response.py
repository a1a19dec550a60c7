"""DescribeDelegationTokenResponse: API key 41, versions 1-3, flexible 2+.

Generated from protocol_specs/041_describe_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribedDelegationTokenRenewer(Struct):
    __slots__ = ("principal_type", "principal_name")

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name
        self.unknown_tags = unknown_tags


class DescribedDelegationToken(Struct):
    __slots__ = ("principal_type", "principal_name", "token_requester_principal_type", "token_requester_principal_name", "issue_timestamp", "expiry_timestamp", "max_timestamp", "token_id", "hmac", "renewers")

    def __init__(
        self,
        principal_type: str = "",
        principal_name: str = "",
        token_requester_principal_type: str = "",
        token_requester_principal_name: str = "",
        issue_timestamp: int = 0,
        expiry_timestamp: int = 0,
        max_timestamp: int = 0,
        token_id: str = "",
        hmac: bytes = b'',
        renewers: Sequence[DescribedDelegationTokenRenewer] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.principal_type: Final = principal_type
        self.principal_name: Final = principal_name
        self.token_requester_principal_type: Final = token_requester_principal_type
        self.token_requester_principal_name: Final = token_requester_principal_name
        self.issue_timestamp: Final = issue_timestamp
        self.expiry_timestamp: Final = expiry_timestamp
        self.max_timestamp: Final = max_timestamp
        self.token_id: Final = token_id
        self.hmac: Final = hmac
        self.renewers: Final = renewers
        self.unknown_tags = unknown_tags


class DescribeDelegationTokenResponse(Message):
    __slots__ = ("error_code", "tokens", "throttle_time_ms")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeDelegationTokenResponse",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("error_code", "int16", default=0),
            Field("tokens", "DescribedDelegationToken", array=True, default=()),
            Field("throttle_time_ms", "int32", default=0),
        ),
        (
            StructSchema(
                "DescribedDelegationTokenRenewer",
                (
                    Field("principal_type", "string", default=""),
                    Field("principal_name", "string", default=""),
                ),
            ),
            StructSchema(
                "DescribedDelegationToken",
                (
                    Field("principal_type", "string", default=""),
                    Field("principal_name", "string", default=""),
                    Field("token_requester_principal_type", "string", versions=Versions(3, LATEST), default=""),
                    Field("token_requester_principal_name", "string", versions=Versions(3, LATEST), default=""),
                    Field("issue_timestamp", "int64", default=0),
                    Field("expiry_timestamp", "int64", default=0),
                    Field("max_timestamp", "int64", default=0),
                    Field("token_id", "string", default=""),
                    Field("hmac", "bytes", default=b''),
                    Field("renewers", "DescribedDelegationTokenRenewer", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribedDelegationTokenRenewer": DescribedDelegationTokenRenewer, "DescribedDelegationToken": DescribedDelegationToken}

    def __init__(
        self,
        error_code: int = 0,
        tokens: Sequence[DescribedDelegationToken] = (),
        throttle_time_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.tokens: Final = tokens
        self.throttle_time_ms: Final = throttle_time_ms
        self.unknown_tags = unknown_tags
