"""Feature levels: what this version supports, and changing what is finalized (KIP-584, KIP-1022).

Clients read the finalized levels from ApiVersions and use what they allow. So a feature is in `SUPPORTED_FEATURES` only
when everything that it promises is served, and raising its level is the operator's word that no older node is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from kwire.errors import ErrorCode
from kwire.metadata import entries
from kwire.metadata.decision import Decision, Draft, RefusedError
from kwire.metadata.image import MetadataImage
from kwire.metadata.values import Features
from kwire.protocol.messages.update_features_request import FeatureUpdateKey

METADATA_VERSION = "metadata.version"


@dataclass(frozen=True, slots=True)
class FeatureRange:
    """The levels that this version can work at, and the one that a new cluster begins with."""

    low: int
    high: int
    initial: int


SUPPORTED_FEATURES: Mapping[str, FeatureRange] = {
    # Kafka 4.3's levels. What clients see is the same at all of them, so that it is a name for "as new as 4.3".
    METADATA_VERSION: FeatureRange(7, 30, 30),
}


class UpgradeType(IntEnum):
    """How far an update may go."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


_UPGRADE_TYPES = frozenset(map(int, UpgradeType))


@dataclass(frozen=True, slots=True)
class UpdatedFeature:
    """A row of UpdateFeatures."""

    feature: str
    error: ErrorCode
    message: str | None


def update_features(
    image: MetadataImage,
    updates: Sequence[FeatureUpdateKey],
    supported: Mapping[str, FeatureRange] = SUPPORTED_FEATURES,
) -> Decision[UpdatedFeature]:
    """Decides UpdateFeatures. All updates are done, or none: if one is refused, all rows have its error.

    Kafka replies with that error at the top and without rows, and has rows up to version 1 only when all is well.
    Version 0 has `allow_downgrade` instead of a type; the handler turns it into a safe downgrade.
    """
    draft = Draft()
    levels = stored_levels(image.features)
    refused: RefusedError | None = None
    for update in updates:
        try:
            _check(update, levels, supported)
        except RefusedError as error:
            refused = error
            break
        levels[update.feature] = update.max_version_level
    if refused is None and levels != stored_levels(image.features):
        draft.changes.append(entries.features_change(levels))
        draft.expected[entries.FEATURES] = image.features.revision
    code, message = (refused.code, refused.message) if refused else (ErrorCode.NONE, None)
    return draft.decide([UpdatedFeature(update.feature, code, message) for update in updates])


def stored_levels(features: Features) -> dict[str, int]:
    """The levels as they are stored, a feature that is turned off being at 0."""
    return {**features.levels, **dict.fromkeys(features.disabled, 0)}


def with_new_features(features: Features, supported: Mapping[str, FeatureRange] = SUPPORTED_FEATURES) -> dict[str, int]:
    """The levels to finalize at the start: features that were not known before begin at their initial level."""
    initial = {name: feature.initial for name, feature in supported.items()}
    return {**initial, **stored_levels(features)}


def _check(update: FeatureUpdateKey, levels: Mapping[str, int], supported: Mapping[str, FeatureRange]) -> None:
    name, level = update.feature, update.max_version_level
    feature = supported.get(name)
    present = levels.get(name, 0)
    if update.upgrade_type not in _UPGRADE_TYPES:
        raise _invalid(name, level, f"there is no upgrade type {update.upgrade_type}")
    if feature is None:
        raise _invalid(name, level, "this feature is not supported")
    if level < 0:
        raise _invalid(name, level, "a level is at least 0")
    if not feature.low <= level <= feature.high:
        raise _invalid(name, level, f"levels {feature.low} to {feature.high} are supported")
    if level < present:
        if update.upgrade_type == UpgradeType.UPGRADE:
            raise _invalid(name, level, f"it is at {present}, and a downgrade must be asked for as safe or unsafe")
        if name == METADATA_VERSION:
            # As Kafka: a lower level may not know what is in the metadata.
            raise _invalid(name, level, f"it is at {present}, and cannot be lowered")


def _invalid(name: str, level: int, reason: str) -> RefusedError:
    return RefusedError(
        ErrorCode.INVALID_UPDATE_VERSION, f"No feature was updated: {name} cannot be set to {level}, {reason}."
    )
