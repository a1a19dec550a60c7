"""DescribeAclsResponse: API key 29, versions 1-3, flexible 2+.

Generated from protocol_specs/029_describe_acls.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AclDescription(Struct):
    __slots__ = ("principal", "host", "operation", "permission_type")

    def __init__(
        self,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type
        self.unknown_tags = unknown_tags


class DescribeAclsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        acls: Sequence[AclDescription] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.pattern_type: Final = pattern_type
        self.acls: Final = acls
        self.unknown_tags = unknown_tags


class DescribeAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeAclsResponse",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("resources", "DescribeAclsResource", array=True, default=()),
        ),
        (
            StructSchema(
                "AclDescription",
                (
                    Field("principal", "string", default=""),
                    Field("host", "string", default=""),
                    Field("operation", "int8", default=0),
                    Field("permission_type", "int8", default=0),
                ),
            ),
            StructSchema(
                "DescribeAclsResource",
                (
                    Field("resource_type", "int8", default=0),
                    Field("resource_name", "string", default=""),
                    Field("pattern_type", "int8", default=3),
                    Field("acls", "AclDescription", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AclDescription": AclDescription, "DescribeAclsResource": DescribeAclsResource}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        resources: Sequence[DescribeAclsResource] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resources: Final = resources
        self.unknown_tags = unknown_tags
