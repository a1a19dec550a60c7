"""AlterConfigsResponse: API key 33, versions 0-2, flexible 2+.

Generated from protocol_specs/033_alter_configs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AlterConfigsResourceResponse(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.unknown_tags = unknown_tags


class AlterConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")

    SCHEMA: ClassVar = MessageSchema(
        "AlterConfigsResponse",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("responses", "AlterConfigsResourceResponse", array=True, default=()),
        ),
        (
            StructSchema(
                "AlterConfigsResourceResponse",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                    Field("resource_type", "int8", default=0),
                    Field("resource_name", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AlterConfigsResourceResponse": AlterConfigsResourceResponse}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: Sequence[AlterConfigsResourceResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.responses: Final = responses
        self.unknown_tags = unknown_tags
