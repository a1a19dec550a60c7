"""UpdateFeaturesResponse: API key 57, versions 0-2, flexible 0+.

Generated from protocol_specs/057_update_features.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class UpdatableFeatureResult(Struct):
    __slots__ = ("feature", "error_code", "error_message")

    def __init__(
        self,
        feature: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.feature: Final = feature
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class UpdateFeaturesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")

    SCHEMA: ClassVar = MessageSchema(
        "UpdateFeaturesResponse",
        Versions(0, 2),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("results", "UpdatableFeatureResult", array=True, versions=Versions(0, 1), default=(), ignorable=True),
        ),
        (
            StructSchema(
                "UpdatableFeatureResult",
                (
                    Field("feature", "string", default="", key=True),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"UpdatableFeatureResult": UpdatableFeatureResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: Sequence[UpdatableFeatureResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.results: Final = results
        self.unknown_tags = unknown_tags
