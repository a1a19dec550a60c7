"""ApiVersionsResponse: API key 18, versions 0-4, flexible 3+.

Generated from protocol_specs/018_api_versions.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ApiVersion(Struct):
    __slots__ = ("api_key", "min_version", "max_version")

    def __init__(
        self,
        api_key: int = 0,
        min_version: int = 0,
        max_version: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.api_key: Final = api_key
        self.min_version: Final = min_version
        self.max_version: Final = max_version
        self.unknown_tags = unknown_tags


class SupportedFeatureKey(Struct):
    __slots__ = ("name", "min_version", "max_version")

    def __init__(
        self,
        name: str = "",
        min_version: int = 0,
        max_version: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.min_version: Final = min_version
        self.max_version: Final = max_version
        self.unknown_tags = unknown_tags


class FinalizedFeatureKey(Struct):
    __slots__ = ("name", "max_version_level", "min_version_level")

    def __init__(
        self,
        name: str = "",
        max_version_level: int = 0,
        min_version_level: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.max_version_level: Final = max_version_level
        self.min_version_level: Final = min_version_level
        self.unknown_tags = unknown_tags


class ApiVersionsResponse(Message):
    __slots__ = ("error_code", "api_keys", "throttle_time_ms", "supported_features", "finalized_features_epoch", "finalized_features", "zk_migration_ready")

    SCHEMA: ClassVar = MessageSchema(
        "ApiVersionsResponse",
        Versions(0, 4),
        Versions(3, LATEST),
        (
            Field("error_code", "int16", default=0),
            Field("api_keys", "ApiVersion", array=True, default=()),
            Field("throttle_time_ms", "int32", versions=Versions(1, LATEST), default=0, ignorable=True),
            Field("supported_features", "SupportedFeatureKey", array=True, versions=Versions(3, LATEST), tag=0, default=(), ignorable=True),
            Field("finalized_features_epoch", "int64", versions=Versions(3, LATEST), tag=1, default=-1, ignorable=True),
            Field("finalized_features", "FinalizedFeatureKey", array=True, versions=Versions(3, LATEST), tag=2, default=(), ignorable=True),
            Field("zk_migration_ready", "bool", versions=Versions(3, LATEST), tag=3, default=False, ignorable=True),
        ),
        (
            StructSchema(
                "ApiVersion",
                (
                    Field("api_key", "int16", default=0, key=True),
                    Field("min_version", "int16", default=0),
                    Field("max_version", "int16", default=0),
                ),
            ),
            StructSchema(
                "SupportedFeatureKey",
                (
                    Field("name", "string", default="", key=True),
                    Field("min_version", "int16", default=0),
                    Field("max_version", "int16", default=0),
                ),
            ),
            StructSchema(
                "FinalizedFeatureKey",
                (
                    Field("name", "string", default="", key=True),
                    Field("max_version_level", "int16", default=0),
                    Field("min_version_level", "int16", default=0),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ApiVersion": ApiVersion, "SupportedFeatureKey": SupportedFeatureKey, "FinalizedFeatureKey": FinalizedFeatureKey}

    def __init__(
        self,
        error_code: int = 0,
        api_keys: Sequence[ApiVersion] = (),
        throttle_time_ms: int = 0,
        supported_features: Sequence[SupportedFeatureKey] = (),
        finalized_features_epoch: int = -1,
        finalized_features: Sequence[FinalizedFeatureKey] = (),
        zk_migration_ready: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.error_code: Final = error_code
        self.api_keys: Final = api_keys
        self.throttle_time_ms: Final = throttle_time_ms
        self.supported_features: Final = supported_features
        self.finalized_features_epoch: Final = finalized_features_epoch
        self.finalized_features: Final = finalized_features
        self.zk_migration_ready: Final = zk_migration_ready
        self.unknown_tags = unknown_tags
