"""ListConfigResourcesResponse: API key 74, versions 0-1, flexible 0+.

Generated from protocol_specs/074_list_config_resources.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ConfigResource(Struct):
    __slots__ = ("resource_name", "resource_type")

    def __init__(
        self,
        resource_name: str = "",
        resource_type: int = 16,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_name: Final = resource_name
        self.resource_type: Final = resource_type
        self.unknown_tags = unknown_tags


class ListConfigResourcesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "config_resources")

    SCHEMA: ClassVar = MessageSchema(
        "ListConfigResourcesResponse",
        Versions(0, 1),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("config_resources", "ConfigResource", array=True, default=()),
        ),
        (
            StructSchema(
                "ConfigResource",
                (
                    Field("resource_name", "string", default=""),
                    Field("resource_type", "int8", versions=Versions(1, LATEST), default=16, ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ConfigResource": ConfigResource}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        config_resources: Sequence[ConfigResource] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.config_resources: Final = config_resources
        self.unknown_tags = unknown_tags
