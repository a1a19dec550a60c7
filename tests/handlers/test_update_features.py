"""UpdateFeatures: all or none."""

from __future__ import annotations

from typing import Any

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.metadata.features import SUPPORTED_FEATURES, FeatureRange
from kwire.protocol.messages.update_features_request import FeatureUpdateKey, UpdateFeaturesRequest

LEVEL = ("metadata.version", 30)


def update(broker: HandlerBroker, *updates: tuple[str, int], version: int, type_: int = 1, **options: bool) -> Any:
    rows = [FeatureUpdateKey(name, level, options.get("allow", False), type_) for name, level in updates]
    return broker.ask(UpdateFeaturesRequest(1000, rows, options.get("validate_only", False)), version)


@pytest.mark.parametrize("version", range(3))
def test_rows_are_told_up_to_version_1(broker: HandlerBroker, version: int) -> None:
    response = update(broker, LEVEL, version=version)
    assert (response.error_code, response.error_message) == (0, None)
    assert [(row.feature, row.error_code) for row in response.results] == (
        [("metadata.version", 0)] if version < 2 else []
    )


@pytest.mark.parametrize("version", range(3))
def test_one_that_is_refused_refuses_all(broker: HandlerBroker, version: int) -> None:
    response = update(broker, LEVEL, ("nope", 1), version=version)
    assert response.error_code == ErrorCode.INVALID_UPDATE_VERSION
    assert "nope" in response.error_message
    assert list(response.results) == []


@pytest.fixture
def with_a_feature(monkeypatch: pytest.MonkeyPatch) -> HandlerBroker:
    """A feature that can go up and down, which metadata.version cannot."""
    monkeypatch.setitem(SUPPORTED_FEATURES, "test.version", FeatureRange(0, 3, 1))  # type: ignore[arg-type]
    return HandlerBroker()


def test_a_level_goes_up_and_down_as_allowed(with_a_feature: HandlerBroker) -> None:
    broker = with_a_feature
    levels = broker.context.image.features.levels
    assert levels["test.version"] == 1
    assert update(broker, ("test.version", 3), version=1).error_code == 0
    assert broker.context.image.features.levels["test.version"] == 3
    refused = update(broker, ("test.version", 2), version=0)
    assert refused.error_code == ErrorCode.INVALID_UPDATE_VERSION
    assert update(broker, ("test.version", 2), version=0, allow=True).error_code == 0
    assert update(broker, ("test.version", 1), version=1, type_=2).error_code == 0
    assert broker.restart().context.image.features.levels["test.version"] == 1


def test_validating_changes_nothing(with_a_feature: HandlerBroker) -> None:
    before = with_a_feature.context.image
    assert update(with_a_feature, ("test.version", 3), version=2, validate_only=True).error_code == 0
    assert with_a_feature.context.image is before
