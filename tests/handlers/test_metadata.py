"""Metadata: which topics are told, which come to be, and what is told of them."""

from __future__ import annotations

import errno
from typing import Any

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from kwire.storage.file_system import StorageError

NO_ID = bytes(16)
ALL_ON_TOPIC = sum(1 << bit for bit in (3, 4, 5, 6, 7, 8, 10, 11))
ALL_ON_CLUSTER = sum(1 << bit for bit in (5, 7, 8, 9, 10, 11, 12))
NOT_ASKED = -(2**31)


def named(*names: str | None, create: bool = False) -> MetadataRequest:
    return MetadataRequest([MetadataRequestTopic(NO_ID, name) for name in names], create)


def errors(response: Any) -> dict[str, int]:
    return {topic.name: topic.error_code for topic in response.topics}


@pytest.mark.parametrize("version", range(14))
def test_all_topics_with_their_partitions(broker: HandlerBroker, version: int) -> None:
    id_ = broker.create_topic("orders", 2)
    broker.create_topic("__consumer_offsets")
    response = broker.ask(MetadataRequest(None if version else []), version)
    orders, internal = response.topics
    assert [orders.name, internal.name] == ["orders", "__consumer_offsets"]
    assert orders.topic_id == (id_ if version >= 10 else NO_ID)
    assert (orders.is_internal, internal.is_internal) == (False, version >= 1)
    assert [
        (row.error_code, row.partition_index, row.leader_id, row.replica_nodes, row.isr_nodes)
        for row in orders.partitions
    ] == [(0, 0, 1, [1], [1]), (0, 1, 1, [1], [1])]
    assert {row.leader_epoch for row in orders.partitions} == {0 if version >= 7 else -1}
    assert response.cluster_id == (broker.context.image.cluster_id if version >= 2 else None)
    assert response.controller_id == (1 if version >= 1 else -1)


@pytest.mark.parametrize("version", [1, 12])
def test_no_topics_still_tell_the_brokers(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders")
    response = broker.ask(MetadataRequest([]), version)
    assert list(response.topics) == []
    assert [(one.node_id, one.host, one.port) for one in response.brokers] == [(1, "127.0.0.1", 9092)]


def test_brokers_are_told_as_seen_through_the_clients_listener() -> None:
    broker = HandlerBroker(rack="r1")
    (told,) = broker.ask(MetadataRequest([]), 12, listener="OUTSIDE").brokers
    assert (told.host, told.port, told.rack) == ("kwire.test", 19092, "r1")
    assert list(broker.ask(MetadataRequest([]), 12, listener="NOT_THERE").brokers) == []


def test_each_name_is_answered_once_and_in_order(broker: HandlerBroker) -> None:
    broker.create_topic("b")
    response = broker.ask(named("b", "a", "a b", "b", ""), 12)
    assert list(errors(response).items()) == [
        ("b", 0),
        ("a", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("a b", ErrorCode.INVALID_TOPIC_EXCEPTION),
        ("", ErrorCode.INVALID_TOPIC_EXCEPTION),
    ]
    assert len(response.topics) == 4


@pytest.mark.parametrize("version", range(14))
def test_a_topic_comes_to_be_by_asking_and_is_in_the_answer(version: int) -> None:
    broker = HandlerBroker({"num.partitions": "3"})
    broker.create_topic("there")
    response = broker.ask(named("new", "there", "a b", create=True), version)
    assert errors(response) == {"new": 0, "there": 0, "a b": ErrorCode.INVALID_TOPIC_EXCEPTION}
    (new,) = [topic for topic in response.topics if topic.name == "new"]
    assert [row.leader_id for row in new.partitions] == [1, 1, 1]
    assert broker.partition("new", 2).log.log_end_offset == 0
    assert "new" in broker.restart().context.image.topics


def test_no_topic_comes_to_be_if_client_or_broker_forbid_it() -> None:
    broker = HandlerBroker()
    assert errors(broker.ask(named("new"), 12)) == {"new": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    broker = HandlerBroker({"auto.create.topics.enable": "false"})
    assert errors(broker.ask(named("new", create=True), 12)) == {"new": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    assert broker.context.image.topics == {}


def test_internal_topics_are_left_to_their_coordinators(broker: HandlerBroker) -> None:
    response = broker.ask(named("__consumer_offsets", create=True), 12)
    assert errors(response) == {"__consumer_offsets": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    assert response.topics[0].is_internal


def test_why_a_topic_could_not_be_created_is_told() -> None:
    broker = HandlerBroker({"default.replication.factor": "2"})
    response = broker.ask(named("new", create=True), 12)
    assert errors(response) == {"new": ErrorCode.INVALID_REPLICATION_FACTOR}


def test_topics_by_id(broker: HandlerBroker) -> None:
    id_ = broker.create_topic("orders")
    unknown = b"x" * 16
    request = MetadataRequest([MetadataRequestTopic(unknown, None), MetadataRequestTopic(id_, None)], False)
    for version in (12, 13):
        response = broker.ask(request, version)
        assert [(row.error_code, row.name, row.topic_id) for row in response.topics] == [
            (ErrorCode.UNKNOWN_TOPIC_ID, None, unknown),
            (0, "orders", id_),
        ]


def test_names_do_not_count_beside_an_id(broker: HandlerBroker) -> None:
    id_ = broker.create_topic("orders")
    broker.create_topic("other")
    request = MetadataRequest([MetadataRequestTopic(NO_ID, "other"), MetadataRequestTopic(id_, "wrong")], False)
    assert errors(broker.ask(request, 12)) == {"orders": 0}


@pytest.mark.parametrize(
    ("version", "topic"),
    [
        (10, MetadataRequestTopic(b"x" * 16, "orders")),
        (11, MetadataRequestTopic(NO_ID, None)),
        (12, MetadataRequestTopic(NO_ID, None)),
        (13, MetadataRequestTopic(NO_ID, None)),
    ],
)
def test_what_names_no_topic_is_invalid(broker: HandlerBroker, version: int, topic: MetadataRequestTopic) -> None:
    broker.create_topic("orders")
    response = broker.ask(MetadataRequest([MetadataRequestTopic(NO_ID, "orders"), topic], False), version)
    assert [row.error_code for row in response.topics] == [ErrorCode.INVALID_REQUEST] * 2
    assert response.error_code == (ErrorCode.INVALID_REQUEST if version >= 13 else 0)
    assert list(response.brokers) == []


@pytest.mark.parametrize("version", range(8, 14))
def test_operations_are_told_when_asked_for(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders")
    topics = [MetadataRequestTopic(NO_ID, "orders"), MetadataRequestTopic(NO_ID, "unknown")]
    response = broker.ask(MetadataRequest(topics, False, version <= 10, True), version)
    assert [row.topic_authorized_operations for row in response.topics] == [ALL_ON_TOPIC] * 2
    assert response.cluster_authorized_operations == (ALL_ON_CLUSTER if version <= 10 else NOT_ASKED)
    response = broker.ask(MetadataRequest(topics, False), version)
    assert [row.topic_authorized_operations for row in response.topics] == [NOT_ASKED] * 2


def test_a_partition_on_a_failed_disk_has_no_leader() -> None:
    broker = HandlerBroker(log_dirs=("/one", "/two"))
    broker.create_topic("orders", 2)
    home = broker.log_dirs.home(broker.partition("orders", 0).log.partition)
    assert home is not None
    broker.context.storage_failed(StorageError(home.path, errno.EIO))
    (row,) = broker.ask(named("orders"), 12).topics
    assert (row.error_code, [one.partition_index for one in row.partitions]) == (0, [0, 1])
    failed, working = row.partitions
    assert (failed.error_code, failed.leader_id) == (ErrorCode.LEADER_NOT_AVAILABLE, -1)
    assert (failed.replica_nodes, failed.offline_replicas) == ([1], [1])
    assert (working.error_code, working.leader_id, working.offline_replicas) == (0, 1, [])
