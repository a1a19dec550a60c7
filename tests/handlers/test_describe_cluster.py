"""DescribeCluster: the brokers, as seen through the client's listener."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.describe_cluster_request import DescribeClusterRequest

ALL_ON_CLUSTER = sum(1 << bit for bit in (5, 7, 8, 9, 10, 11, 12))


@pytest.mark.parametrize("version", range(3))
def test_the_broker(version: int) -> None:
    broker = HandlerBroker(rack="r1")
    response = broker.ask(DescribeClusterRequest(True), version, listener="OUTSIDE")
    assert (response.error_code, response.error_message) == (0, None)
    assert (response.cluster_id, response.controller_id) == (broker.context.image.cluster_id, 1)
    assert [(one.broker_id, one.host, one.port, one.rack, one.is_fenced) for one in response.brokers] == [
        (1, "kwire.test", 19092, "r1", False)
    ]
    assert response.cluster_authorized_operations == ALL_ON_CLUSTER


def test_operations_are_told_only_when_asked_for(broker: HandlerBroker) -> None:
    assert broker.ask(DescribeClusterRequest(False), 2).cluster_authorized_operations == -(2**31)


@pytest.mark.parametrize(
    ("endpoint_type", "code"),
    [
        (0, ErrorCode.UNSUPPORTED_ENDPOINT_TYPE),
        (2, ErrorCode.MISMATCHED_ENDPOINT_TYPE),
        (3, ErrorCode.UNSUPPORTED_ENDPOINT_TYPE),
    ],
)
def test_there_are_no_controllers_to_be_reached(broker: HandlerBroker, endpoint_type: int, code: ErrorCode) -> None:
    response = broker.ask(DescribeClusterRequest(False, endpoint_type), 1)
    assert response.error_code == code
    assert response.error_message
    assert list(response.brokers) == []
