"""CreateDelegationTokenRequest: API key 38, versions 1-3, flexible 2+.

Generated from protocol_specs/038_create_delegation_token.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class CreatableRenewers(Struct):
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


class CreateDelegationTokenRequest(Message):
    __slots__ = ("owner_principal_type", "owner_principal_name", "renewers", "max_lifetime_ms")

    SCHEMA: ClassVar = MessageSchema(
        "CreateDelegationTokenRequest",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("owner_principal_type", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST), default=""),
            Field("owner_principal_name", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST), default=""),
            Field("renewers", "CreatableRenewers", array=True, default=()),
            Field("max_lifetime_ms", "int64", default=0),
        ),
        (
            StructSchema(
                "CreatableRenewers",
                (
                    Field("principal_type", "string", default=""),
                    Field("principal_name", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"CreatableRenewers": CreatableRenewers}

    def __init__(
        self,
        owner_principal_type: str | None = "",
        owner_principal_name: str | None = "",
        renewers: Sequence[CreatableRenewers] = (),
        max_lifetime_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.owner_principal_type: Final = owner_principal_type
        self.owner_principal_name: Final = owner_principal_name
        self.renewers: Final = renewers
        self.max_lifetime_ms: Final = max_lifetime_ms
        self.unknown_tags = unknown_tags
