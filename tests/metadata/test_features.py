"""Feature levels: how far they can be moved, and that all updates of a request are done, or none."""

from __future__ import annotations

import pytest

from clusters import Cluster
from kwire.errors import ErrorCode
from kwire.metadata import entries
from kwire.metadata.features import (
    METADATA_VERSION,
    SUPPORTED_FEATURES,
    FeatureRange,
    UpgradeType,
    update_features,
    with_new_features,
)
from kwire.metadata.store import Commit, ConflictError
from kwire.metadata.values import Features
from kwire.protocol.messages.update_features_request import FeatureUpdateKey

UPGRADE, SAFE, UNSAFE = UpgradeType
NONE, INVALID = ErrorCode.NONE, ErrorCode.INVALID_UPDATE_VERSION

# Ranges and levels as they are in a fresh Apache Kafka 4.3, which answered the same updates with the same errors.
SUPPORTED = {
    METADATA_VERSION: FeatureRange(7, 30, 30),
    "group.version": FeatureRange(0, 1, 1),
    "transaction.version": FeatureRange(0, 2, 2),
    "kraft.version": FeatureRange(0, 1, 0),
}


def update(feature: str, level: int, type_: int = UPGRADE) -> FeatureUpdateKey:
    return FeatureUpdateKey(feature, level, upgrade_type=type_)


class Finalized(Cluster):
    def __init__(self) -> None:
        super().__init__()
        self.store.commit([entries.features_change({name: kept.initial for name, kept in SUPPORTED.items()})], {})
        (commit,) = self.store.watch(self.image.revision)
        self.image = self.image.apply(commit)

    def update(self, *updates: FeatureUpdateKey) -> list[ErrorCode]:
        return [row.error for row in self.commit(update_features(self.image, updates, SUPPORTED))]


@pytest.mark.parametrize(
    ("name", "level", "type_", "error"),
    [
        ("group.version", 1, UPGRADE, NONE),
        ("group.version", 0, UPGRADE, INVALID),
        ("group.version", 0, SAFE, NONE),
        ("group.version", 0, UNSAFE, NONE),
        ("group.version", 2, UPGRADE, INVALID),
        ("group.version", -1, UPGRADE, INVALID),
        ("group.version", 1, 0, INVALID),
        ("group.version", 1, 9, INVALID),
        ("nope", 1, UPGRADE, INVALID),
        ("", 1, UPGRADE, INVALID),
        ("transaction.version", 1, UPGRADE, INVALID),
        ("transaction.version", 1, SAFE, NONE),
        ("transaction.version", 2, SAFE, NONE),
        ("transaction.version", 3, UPGRADE, INVALID),
        ("metadata.version", 29, SAFE, INVALID),
        ("metadata.version", 29, UNSAFE, INVALID),
        ("metadata.version", 29, UPGRADE, INVALID),
        ("metadata.version", 30, UPGRADE, NONE),
        ("metadata.version", 31, UPGRADE, INVALID),
        ("metadata.version", 0, SAFE, INVALID),
        ("kraft.version", 1, UPGRADE, NONE),
    ],
)
def test_where_a_feature_may_be_moved(name: str, level: int, type_: int, error: ErrorCode) -> None:
    cluster = Finalized()
    before = cluster.image.features
    assert cluster.update(update(name, level, type_)) == [error]
    if error == NONE:
        assert cluster.image.features.levels.get(name, 0) == level
    else:
        assert cluster.image.features == before


def test_the_epoch_grows_with_every_change_and_not_without() -> None:
    cluster = Finalized()
    first = cluster.image.features.epoch
    cluster.update(update("transaction.version", 2))
    assert cluster.image.features.epoch == first
    cluster.update(update("transaction.version", 1, SAFE))
    assert cluster.image.features.epoch > first > 0


def test_a_feature_that_is_turned_off_is_remembered_as_such() -> None:
    cluster = Finalized()
    cluster.update(update("group.version", 0, SAFE))
    features = cluster.image.features
    assert "group.version" not in features.levels
    assert "group.version" in features.disabled
    assert with_new_features(features, SUPPORTED)["group.version"] == 0
    assert cluster.update(update("group.version", 1)) == [NONE]
    assert cluster.image.features.levels["group.version"] == 1


def test_all_updates_are_done_or_none_and_a_message_says_why() -> None:
    cluster = Finalized()
    before = cluster.image.features
    decision = update_features(cluster.image, [update("kraft.version", 1), update("nope", 1)], SUPPORTED)
    assert [row.feature for row in decision.rows] == ["kraft.version", "nope"]
    assert {row.message for row in decision.rows} == {
        "No feature was updated: nope cannot be set to 1, this feature is not supported."
    }
    cluster.commit(decision)
    assert cluster.image.features == before


def test_of_two_who_update_one_is_told_to_decide_again() -> None:
    cluster = Finalized()
    first, second = (
        update_features(cluster.image, [update(name, 1, SAFE)], SUPPORTED)
        for name in ("kraft.version", "transaction.version")
    )
    cluster.commit(first)
    with pytest.raises(ConflictError):
        cluster.commit(second)


def test_features_that_are_new_in_a_version_begin_at_their_initial_level() -> None:
    image = Cluster().image.apply(Commit(9, (entries.features_change({"group.version": 0, "old": 5}),)))
    assert with_new_features(image.features, SUPPORTED) == {
        "group.version": 0,
        "old": 5,
        METADATA_VERSION: 30,
        "transaction.version": 2,
        "kraft.version": 0,
    }
    assert with_new_features(Features({})) == {name: kept.initial for name, kept in SUPPORTED_FEATURES.items()}


def test_initial_levels_are_supported() -> None:
    assert [name for name, kept in SUPPORTED_FEATURES.items() if not kept.low <= kept.initial <= kept.high] == []
