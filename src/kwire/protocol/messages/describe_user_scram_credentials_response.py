"""DescribeUserScramCredentialsResponse: API key 50, versions 0, flexible 0+.

Generated from protocol_specs/050_describe_user_scram_credentials.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class CredentialInfo(Struct):
    __slots__ = ("mechanism", "iterations")

    def __init__(
        self,
        mechanism: int = 0,
        iterations: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.mechanism: Final = mechanism
        self.iterations: Final = iterations
        self.unknown_tags = unknown_tags


class DescribeUserScramCredentialsResult(Struct):
    __slots__ = ("user", "error_code", "error_message", "credential_infos")

    def __init__(
        self,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        credential_infos: Sequence[CredentialInfo] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.user: Final = user
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.credential_infos: Final = credential_infos
        self.unknown_tags = unknown_tags


class DescribeUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeUserScramCredentialsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("results", "DescribeUserScramCredentialsResult", array=True, default=()),
        ),
        (
            StructSchema(
                "CredentialInfo",
                (
                    Field("mechanism", "int8", default=0),
                    Field("iterations", "int32", default=0),
                ),
            ),
            StructSchema(
                "DescribeUserScramCredentialsResult",
                (
                    Field("user", "string", default=""),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                    Field("credential_infos", "CredentialInfo", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"CredentialInfo": CredentialInfo, "DescribeUserScramCredentialsResult": DescribeUserScramCredentialsResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: Sequence[DescribeUserScramCredentialsResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.results: Final = results
        self.unknown_tags = unknown_tags
