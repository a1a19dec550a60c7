"""ListConfigResources: what can be described and altered."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.list_config_resources_request import ListConfigResourcesRequest

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32


@pytest.mark.parametrize(
    ("types", "told"),
    [
        ([], [(LOGGER, "1"), (BROKER, "1"), (TOPIC, "a"), (TOPIC, "b")]),
        ([TOPIC, BROKER, TOPIC], [(BROKER, "1"), (TOPIC, "a"), (TOPIC, "b")]),
        ([GROUP, METRICS], []),
    ],
)
def test_resources_by_type(broker: HandlerBroker, types: list[int], told: list[tuple[int, str]]) -> None:
    broker.create_topic("a")
    broker.create_topic("b")
    response = broker.ask(ListConfigResourcesRequest(types), 1)
    assert response.error_code == 0
    assert [(row.resource_type, row.resource_name) for row in response.config_resources] == told


def test_version_0_asks_for_subscriptions_only(broker: HandlerBroker) -> None:
    broker.create_topic("a")
    response = broker.ask(ListConfigResourcesRequest(), 0)
    assert (response.error_code, list(response.config_resources)) == (0, [])


def test_an_unknown_type(broker: HandlerBroker) -> None:
    response = broker.ask(ListConfigResourcesRequest([TOPIC, 77]), 1)
    assert (response.error_code, list(response.config_resources)) == (ErrorCode.UNSUPPORTED_VERSION, [])
