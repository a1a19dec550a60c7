"""DescribeConfigsResponse: API key 32, versions 1-4, flexible 4+.

Generated from protocol_specs/032_describe_configs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DescribeConfigsSynonym(Struct):
    __slots__ = ("name", "value", "source")

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        source: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.source: Final = source
        self.unknown_tags = unknown_tags


class DescribeConfigsResourceResult(Struct):
    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive", "synonyms", "config_type", "documentation")

    def __init__(
        self,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        synonyms: Sequence[DescribeConfigsSynonym] = (),
        config_type: int = 0,
        documentation: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.value: Final = value
        self.read_only: Final = read_only
        self.config_source: Final = config_source
        self.is_sensitive: Final = is_sensitive
        self.synonyms: Final = synonyms
        self.config_type: Final = config_type
        self.documentation: Final = documentation
        self.unknown_tags = unknown_tags


class DescribeConfigsResult(Struct):
    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "configs")

    def __init__(
        self,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        configs: Sequence[DescribeConfigsResourceResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.resource_type: Final = resource_type
        self.resource_name: Final = resource_name
        self.configs: Final = configs
        self.unknown_tags = unknown_tags


class DescribeConfigsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    SCHEMA: ClassVar = MessageSchema(
        "DescribeConfigsResponse",
        Versions(1, 4),
        Versions(4, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("results", "DescribeConfigsResult", array=True, default=()),
        ),
        (
            StructSchema(
                "DescribeConfigsSynonym",
                (
                    Field("name", "string", default=""),
                    Field("value", "string", nullable=ALWAYS, default=""),
                    Field("source", "int8", default=0),
                ),
            ),
            StructSchema(
                "DescribeConfigsResourceResult",
                (
                    Field("name", "string", default=""),
                    Field("value", "string", nullable=ALWAYS, default=""),
                    Field("read_only", "bool", default=False),
                    Field("config_source", "int8", default=-1, ignorable=True),
                    Field("is_sensitive", "bool", default=False),
                    Field("synonyms", "DescribeConfigsSynonym", array=True, default=(), ignorable=True),
                    Field("config_type", "int8", versions=Versions(3, LATEST), default=0, ignorable=True),
                    Field("documentation", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST), default="", ignorable=True),
                ),
            ),
            StructSchema(
                "DescribeConfigsResult",
                (
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                    Field("resource_type", "int8", default=0),
                    Field("resource_name", "string", default=""),
                    Field("configs", "DescribeConfigsResourceResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DescribeConfigsSynonym": DescribeConfigsSynonym, "DescribeConfigsResourceResult": DescribeConfigsResourceResult, "DescribeConfigsResult": DescribeConfigsResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: Sequence[DescribeConfigsResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = results
        self.unknown_tags = unknown_tags
