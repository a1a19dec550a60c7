"""CreateAclsRequest: API key 30, versions 1-3, flexible 2+.

Generated from protocol_specs/030_create_acls.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AclCreation(Struct):
    __slots__ = ("resource_type", "resource_name", "resource_pattern_type", "principal", "host", "operation", "permission_type")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        resource_pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.resource_pattern_type: Final = resource_pattern_type
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type
        self.unknown_tags = unknown_tags


class CreateAclsRequest(Message):
    __slots__ = ("creations",)

    SCHEMA: ClassVar = MessageSchema(
        "CreateAclsRequest",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("creations", "AclCreation", array=True, default=()),
        ),
        (
            StructSchema(
                "AclCreation",
                (
                    Field("resource_type", "int8", default=0),
                    Field("resource_name", "string", default=""),
                    Field("resource_pattern_type", "int8", default=3),
                    Field("principal", "string", default=""),
                    Field("host", "string", default=""),
                    Field("operation", "int8", default=0),
                    Field("permission_type", "int8", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AclCreation": AclCreation}

    def __init__(
        self,
        creations: Sequence[AclCreation] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.creations: Final = creations
        self.unknown_tags = unknown_tags
