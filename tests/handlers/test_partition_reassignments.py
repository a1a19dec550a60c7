"""ListPartitionReassignments and AlterPartitionReassignments: on a single node partitions are where they can be."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from kwire.protocol.messages.list_partition_reassignments_request import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsTopics,
)

UNKNOWN = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def alter(
    broker: HandlerBroker, *topics: tuple[str, list[tuple[int, list[int] | None]]], version: int = 1
) -> list[tuple[str, list[tuple[int, int]]]]:
    rows = [ReassignableTopic(name, [ReassignablePartition(*row) for row in rows]) for name, rows in topics]
    response = broker.ask(AlterPartitionReassignmentsRequest(1000, True, rows), version)
    assert response.error_code == 0
    return [(row.name, [(one.partition_index, one.error_code) for one in row.partitions]) for row in response.responses]


@pytest.mark.parametrize("version", [0, 1])
def test_where_it_is_is_the_only_place(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders", 3)
    before = broker.context.image
    bad = ErrorCode.INVALID_REPLICA_ASSIGNMENT
    asked = [
        ("nope", [(0, [1])]),
        ("orders", [(0, [1]), (1, [2]), (2, [1, 2]), (0, []), (1, [1, 1]), (9, [1])]),
    ]
    assert alter(broker, *asked, version=version) == [
        ("nope", [(0, UNKNOWN)]),
        ("orders", [(0, 0), (1, bad), (2, bad), (0, bad), (1, bad), (9, UNKNOWN)]),
    ]
    assert broker.context.image is before


def test_nothing_is_under_way_that_could_be_cancelled(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    assert alter(broker, ("orders", [(0, None), (9, None)])) == [
        ("orders", [(0, ErrorCode.NO_REASSIGNMENT_IN_PROGRESS), (9, UNKNOWN)])
    ]


@pytest.mark.parametrize("allowed", [True, False])
def test_the_answer_repeats_what_is_allowed(broker: HandlerBroker, allowed: bool) -> None:
    response = broker.ask(AlterPartitionReassignmentsRequest(1000, allowed, []), 1)
    assert response.allow_replication_factor_change is allowed


@pytest.mark.parametrize("topics", [None, [], [ListPartitionReassignmentsTopics("orders", [0, 9])]])
def test_none_are_listed(broker: HandlerBroker, topics: list[ListPartitionReassignmentsTopics] | None) -> None:
    broker.create_topic("orders")
    response = broker.ask(ListPartitionReassignmentsRequest(1000, topics), 0)
    assert (response.error_code, response.error_message, list(response.topics)) == (0, None, [])
