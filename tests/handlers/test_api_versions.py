"""ApiVersions: what is served, and which features there are."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.handlers.api_versions import unsupported_version
from kwire.handlers.registry import served_apis
from kwire.metadata.features import SUPPORTED_FEATURES, FeatureRange
from kwire.protocol.codec import encode
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest

CLIENT = ApiVersionsRequest("test-client", "1.0")


@pytest.mark.parametrize("version", range(5))
def test_what_is_told_is_what_is_served(broker: HandlerBroker, version: int) -> None:
    response = broker.ask(CLIENT, version)
    assert response.error_code == 0
    assert {row.api_key: (row.min_version, row.max_version) for row in response.api_keys} == {
        key: (served.advertised_low, served.versions.high) for key, served in served_apis().items()
    }


def test_produce_claims_versions_that_librdkafka_looks_for(broker: HandlerBroker) -> None:
    produce = next(row for row in broker.ask(CLIENT, 4).api_keys if row.api_key == 0)
    assert (produce.min_version, served_apis()[0].versions.low) == (0, 3)


def test_a_version_that_is_not_known_is_answered_in_the_oldest_layout() -> None:
    response = unsupported_version()
    assert response.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert len(response.api_keys) == len(served_apis())
    assert encode(response, 0)


@pytest.mark.parametrize("version", [3, 4])
@pytest.mark.parametrize(
    ("name", "software"), [("", "1"), ("a", ""), ("-a", "1"), ("a b", "1"), ("a", "1."), ("ä", "1")]
)
def test_a_client_with_a_strange_name_is_refused(broker: HandlerBroker, version: int, name: str, software: str) -> None:
    response = broker.ask(ApiVersionsRequest(name, software), version)
    assert (response.error_code, list(response.api_keys)) == (ErrorCode.INVALID_REQUEST, [])


@pytest.mark.parametrize("version", range(5))
def test_features(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    monkeypatch.setitem(SUPPORTED_FEATURES, "test.version", FeatureRange(0, 3, 2))  # type: ignore[arg-type]
    broker = HandlerBroker()
    response = broker.ask(CLIENT, version)
    supported = {row.name: (row.min_version, row.max_version) for row in response.supported_features}
    finalized = {row.name: (row.min_version_level, row.max_version_level) for row in response.finalized_features}
    if version < 3:
        assert (supported, finalized, response.finalized_features_epoch) == ({}, {}, -1)
        return
    everything = {"metadata.version": (7, 30), "test.version": (0, 3)}
    # Clients of version 3 reject a lowest level of 0, so that such a feature is kept from them.
    assert supported == (everything if version >= 4 else {"metadata.version": (7, 30)})
    assert finalized == {"metadata.version": (30, 30), "test.version": (2, 2)}
    assert response.finalized_features_epoch == broker.context.image.features.epoch
