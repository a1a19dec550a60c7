"""AlterUserScramCredentialsRequest: API key 51, versions 0, flexible 0+.

Generated from protocol_specs/051_alter_user_scram_credentials.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ScramCredentialDeletion(Struct):
    __slots__ = ("name", "mechanism")

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.mechanism: Final = mechanism
        self.unknown_tags = unknown_tags


class ScramCredentialUpsertion(Struct):
    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password")

    def __init__(
        self,
        name: str = "",
        mechanism: int = 0,
        iterations: int = 0,
        salt: bytes = b'',
        salted_password: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.mechanism: Final = mechanism
        self.iterations: Final = iterations
        self.salt: Final = salt
        self.salted_password: Final = salted_password
        self.unknown_tags = unknown_tags


class AlterUserScramCredentialsRequest(Message):
    __slots__ = ("deletions", "upsertions")

    SCHEMA: ClassVar = MessageSchema(
        "AlterUserScramCredentialsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("deletions", "ScramCredentialDeletion", array=True, default=()),
            Field("upsertions", "ScramCredentialUpsertion", array=True, default=()),
        ),
        (
            StructSchema(
                "ScramCredentialDeletion",
                (
                    Field("name", "string", default=""),
                    Field("mechanism", "int8", default=0),
                ),
            ),
            StructSchema(
                "ScramCredentialUpsertion",
                (
                    Field("name", "string", default=""),
                    Field("mechanism", "int8", default=0),
                    Field("iterations", "int32", default=0),
                    Field("salt", "bytes", default=b''),
                    Field("salted_password", "bytes", default=b''),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ScramCredentialDeletion": ScramCredentialDeletion, "ScramCredentialUpsertion": ScramCredentialUpsertion}

    def __init__(
        self,
        deletions: Sequence[ScramCredentialDeletion] = (),
        upsertions: Sequence[ScramCredentialUpsertion] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.deletions: Final = deletions
        self.upsertions: Final = upsertions
        self.unknown_tags = unknown_tags
