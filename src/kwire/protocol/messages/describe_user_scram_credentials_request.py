"""DescribeUserScramCredentialsRequest: API key 50, versions 0, flexible 0+.

Generated from protocol_specs/050_describe_user_scram_credentials.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class UserName(Struct):
    __slots__ = ("name",)

    def __init__(
        self,
        name: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.unknown_tags = unknown_tags


class DescribeUserScramCredentialsRequest(Message):
    __slots__ = ("users",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeUserScramCredentialsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("users", "UserName", array=True, nullable=ALWAYS, default=()),
        ),
        (
            StructSchema(
                "UserName",
                (
                    Field("name", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"UserName": UserName}

    def __init__(
        self,
        users: Sequence[UserName] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.users: Final = users
        self.unknown_tags = unknown_tags
