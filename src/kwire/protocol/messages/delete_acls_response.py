"""DeleteAclsResponse: API key 31, versions 1-3, flexible 2+.

Generated from protocol_specs/031_delete_acls.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DeleteAclsMatchingAcl(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "pattern_type", "principal", "host", "operation", "permission_type")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.pattern_type: Final = pattern_type
        self.principal: Final = principal
        self.host: Final = host
        self.operation: Final = operation
        self.permission_type: Final = permission_type
        self.unknown_tags = unknown_tags


class DeleteAclsFilterResult(Struct):
    __slots__ = ("error_code", "error_message", "matching_acls")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        matching_acls: Sequence[DeleteAclsMatchingAcl] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.matching_acls: Final = matching_acls
        self.unknown_tags = unknown_tags


class DeleteAclsResponse(Message):
    __slots__ = ("throttle_time_ms", "filter_results")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteAclsResponse",
        Versions(1, 3),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("filter_results", "DeleteAclsFilterResult", array=True, default=()),
        ),
        (
            StructSchema(
                "DeleteAclsMatchingAcl",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                    Field("resource_type", "int8", default=0),
                    Field("resource_name", "string", default=""),
                    Field("pattern_type", "int8", default=3),
                    Field("principal", "string", default=""),
                    Field("host", "string", default=""),
                    Field("operation", "int8", default=0),
                    Field("permission_type", "int8", default=0),
                ),
            ),
            StructSchema(
                "DeleteAclsFilterResult",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                    Field("matching_acls", "DeleteAclsMatchingAcl", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeleteAclsMatchingAcl": DeleteAclsMatchingAcl, "DeleteAclsFilterResult": DeleteAclsFilterResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        filter_results: Sequence[DeleteAclsFilterResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.filter_results: Final = filter_results
        self.unknown_tags = unknown_tags
