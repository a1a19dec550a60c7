"""ElectLeaders: a single replica leads, or nobody can."""

from __future__ import annotations

import errno

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.elect_leaders_request import ElectLeadersRequest, TopicPartitions
from kwire.storage.file_system import StorageError

PREFERRED, UNCLEAN = 0, 1
UNKNOWN, NOT_NEEDED = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.ELECTION_NOT_NEEDED


def elect(
    broker: HandlerBroker, type_: int, asked: list[tuple[str, list[int]]] | None, version: int = 2
) -> tuple[int, list[tuple[str, list[tuple[int, int]]]]]:
    """(error, (topic, (partition, error)) in order)."""
    topics = None if asked is None else [TopicPartitions(*one) for one in asked]
    response = broker.ask(ElectLeadersRequest(type_, topics, 1000), version)
    rows = [
        (row.topic, [(one.partition_id, one.error_code) for one in row.partition_result])
        for row in response.replica_election_results
    ]
    return response.error_code, rows


@pytest.mark.parametrize("version", range(3))
def test_there_is_nothing_to_elect(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders", 2)
    asked = [("nope", [0]), ("orders", [1, 9]), ("orders", [0])]
    assert elect(broker, PREFERRED, asked, version) == (
        0,
        [("nope", [(0, UNKNOWN)]), ("orders", [(1, NOT_NEEDED), (9, UNKNOWN)]), ("orders", [(0, NOT_NEEDED)])],
    )


def test_an_unknown_election_is_refused_for_each_partition(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    invalid = ErrorCode.INVALID_REQUEST
    assert elect(broker, 7, [("orders", [0])]) == (invalid, [("orders", [(0, invalid)])])


@pytest.mark.parametrize(
    ("type_", "code"),
    [(PREFERRED, ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE), (UNCLEAN, ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE)],
)
def test_on_a_failed_disk_nobody_can_lead(type_: int, code: ErrorCode) -> None:
    broker = HandlerBroker(log_dirs=("/one", "/two"))
    broker.create_topic("orders", 2)
    home = broker.log_dirs.home(broker.partition("orders", 1).log.partition)
    assert home is not None
    broker.context.storage_failed(StorageError(home.path, errno.EIO))
    assert elect(broker, type_, [("orders", [0, 1])]) == (0, [("orders", [(0, NOT_NEEDED), (1, code)])])
    assert elect(broker, type_, None) == (0, [("orders", [(1, code)])]), "of all, only what is not as it should be"
