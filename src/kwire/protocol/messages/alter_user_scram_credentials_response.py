"""AlterUserScramCredentialsResponse: API key 51, versions 0, flexible 0+.

Generated from protocol_specs/051_alter_user_scram_credentials.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AlterUserScramCredentialsResult(Struct):
    __slots__ = ("user", "error_code", "error_message")

    def __init__(
        self,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.user: Final = user
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class AlterUserScramCredentialsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    SCHEMA: ClassVar = MessageSchema(
        "AlterUserScramCredentialsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("results", "AlterUserScramCredentialsResult", array=True, default=()),
        ),
        (
            StructSchema(
                "AlterUserScramCredentialsResult",
                (
                    Field("user", "string", default=""),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AlterUserScramCredentialsResult": AlterUserScramCredentialsResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: Sequence[AlterUserScramCredentialsResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = results
        self.unknown_tags = unknown_tags
