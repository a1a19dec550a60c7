"""DescribeAclsRequest: API key 29, versions 1-3, flexible 2+.

Generated from protocol_specs/029_describe_acls.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class DescribeAclsRequest(Message):
    __slots__ = ("resource_type_filter", "resource_name_filter", "pattern_type_filter", "principal_filter", "host_filter", "operation", "permission_type")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeAclsRequest",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("resource_type_filter", "int8", default=0),
            Field("resource_name_filter", "string", nullable=ALWAYS, default=""),
            Field("pattern_type_filter", "int8", default=3),
            Field("principal_filter", "string", nullable=ALWAYS, default=""),
            Field("host_filter", "string", nullable=ALWAYS, default=""),
            Field("operation", "int8", default=0),
            Field("permission_type", "int8", default=0),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = "",
        pattern_type_filter: int = 3,
        principal_filter: str | None = "",
        host_filter: str | None = "",
        operation: int = 0,
        permission_type: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_type_filter: Final = resource_type_filter
        self.resource_name_filter: Final = resource_name_filter
        self.pattern_type_filter: Final = pattern_type_filter
        self.principal_filter: Final = principal_filter
        self.host_filter: Final = host_filter
        self.operation: Final = operation
        self.permission_type: Final = permission_type
        self.unknown_tags = unknown_tags
