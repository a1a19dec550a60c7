"""IncrementalAlterConfigsRequest: API key 44, versions 0-1, flexible 1+.

Generated from protocol_specs/044_incremental_alter_configs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AlterableConfig(Struct):
    __slots__ = ("name", "config_operation", "value")

    def __init__(
        self,
        name: str = "",
        config_operation: int = 0,
        value: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.config_operation: Final = config_operation
        self.value: Final = value
        self.unknown_tags = unknown_tags


class AlterConfigsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "configs")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configs: Sequence[AlterableConfig] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configs: Final = configs
        self.unknown_tags = unknown_tags


class IncrementalAlterConfigsRequest(Message):
    __slots__ = ("resources", "validate_only")

    SCHEMA: ClassVar = MessageSchema(
        "IncrementalAlterConfigsRequest",
        Versions(0, 1),
        Versions(1, LATEST),
        (
            Field("resources", "AlterConfigsResource", array=True, default=()),
            Field("validate_only", "bool", default=False),
        ),
        (
            StructSchema(
                "AlterableConfig",
                (
                    Field("name", "string", default="", key=True),
                    Field("config_operation", "int8", default=0, key=True),
                    Field("value", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "AlterConfigsResource",
                (
                    Field("resource_type", "int8", default=0, key=True),
                    Field("resource_name", "string", default="", key=True),
                    Field("configs", "AlterableConfig", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AlterableConfig": AlterableConfig, "AlterConfigsResource": AlterConfigsResource}

    def __init__(
        self,
        resources: Sequence[AlterConfigsResource] = (),
        validate_only: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resources: Final = resources
        self.validate_only: Final = validate_only
        self.unknown_tags = unknown_tags
