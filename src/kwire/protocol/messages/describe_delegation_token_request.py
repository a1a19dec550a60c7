"""DescribeDelegationTokenRequest: API key 41, versions 1-3, flexible 2+.

Generated from protocol_specs/041_describe_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribeDelegationTokenOwner(Struct):
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


class DescribeDelegationTokenRequest(Message):
    __slots__ = ("owners",)

    SCHEMA: ClassVar = MessageSchema(
        "DescribeDelegationTokenRequest",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("owners", "DescribeDelegationTokenOwner", array=True, nullable=ALWAYS, default=()),
        ),
        (
            StructSchema(
                "DescribeDelegationTokenOwner",
                (
                    Field("principal_type", "string", default=""),
                    Field("principal_name", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeDelegationTokenOwner": DescribeDelegationTokenOwner}

    def __init__(
        self,
        owners: Sequence[DescribeDelegationTokenOwner] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.owners: Final = owners
        self.unknown_tags = unknown_tags
