"""UpdateFeaturesRequest: API key 57, versions 0-2, flexible 0+.

Generated from protocol_specs/057_update_features.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class FeatureUpdateKey(Struct):
    __slots__ = ("feature", "max_version_level", "allow_downgrade", "upgrade_type")

    def __init__(
        self,
        feature: str = "",
        max_version_level: int = 0,
        allow_downgrade: bool = False,
        upgrade_type: int = 1,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.feature: Final = feature
        self.max_version_level: Final = max_version_level
        self.allow_downgrade: Final = allow_downgrade
        self.upgrade_type: Final = upgrade_type
        self.unknown_tags = unknown_tags


class UpdateFeaturesRequest(Message):
    __slots__ = ("timeout_ms", "feature_updates", "validate_only")

    SCHEMA: ClassVar = MessageSchema(
        "UpdateFeaturesRequest",
        Versions(0, 2),
        ALWAYS,
        (
            Field("timeout_ms", "int32", default=60000),
            Field("feature_updates", "FeatureUpdateKey", array=True, default=()),
            Field("validate_only", "bool", versions=Versions(1, LATEST), default=False),
        ),
        (
            StructSchema(
                "FeatureUpdateKey",
                (
                    Field("feature", "string", default="", key=True),
                    Field("max_version_level", "int16", default=0),
                    Field("allow_downgrade", "bool", versions=Versions(0, 0), default=False),
                    Field("upgrade_type", "int8", versions=Versions(1, LATEST), default=1),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"FeatureUpdateKey": FeatureUpdateKey}

    def __init__(
        self,
        timeout_ms: int = 60000,
        feature_updates: Sequence[FeatureUpdateKey] = (),
        validate_only: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.timeout_ms: Final = timeout_ms
        self.feature_updates: Final = feature_updates
        self.validate_only: Final = validate_only
        self.unknown_tags = unknown_tags
