"""DescribeConfigsRequest: API key 32, versions 1-4, flexible 4+.

Generated from protocol_specs/032_describe_configs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribeConfigsResource(Struct):
    __slots__ = ("resource_type", "resource_name", "configuration_keys")

    def __init__(
        self,
        resource_type: int = 0,
        resource_name: str = "",
        configuration_keys: Sequence[str] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configuration_keys: Final = configuration_keys
        self.unknown_tags = unknown_tags


class DescribeConfigsRequest(Message):
    __slots__ = ("resources", "include_synonyms", "include_documentation")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeConfigsRequest",
        Versions(1, 4),
        Versions(4, LATEST),
        (
            Field("resources", "DescribeConfigsResource", array=True, default=()),
            Field("include_synonyms", "bool", default=False),
            Field("include_documentation", "bool", versions=Versions(3, LATEST), default=False),
        ),
        (
            StructSchema(
                "DescribeConfigsResource",
                (
                    Field("resource_type", "int8", default=0),
                    Field("resource_name", "string", default=""),
                    Field("configuration_keys", "string", array=True, nullable=ALWAYS, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeConfigsResource": DescribeConfigsResource}

    def __init__(
        self,
        resources: Sequence[DescribeConfigsResource] = (),
        include_synonyms: bool = False,
        include_documentation: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.resources: Final = resources
        self.include_synonyms: Final = include_synonyms
        self.include_documentation: Final = include_documentation
        self.unknown_tags = unknown_tags
