"""Creating, deleting and growing topics. The error codes are those that Apache Kafka 4.3 answered the same with."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clusters import DIRECTORY, Cluster
from kwire.config import BrokerConfig
from kwire.errors import ErrorCode
from kwire.metadata import entries
from kwire.metadata.store import ConflictError
from kwire.metadata.topics import (
    PARTITIONS_PER_REQUEST_MAX,
    ZERO_ID,
    CreatedTopic,
    DeletedTopic,
    auto_create_topics,
    create_partitions,
    create_topics,
    delete_topics,
    invalid_topic_name,
    new_id,
)
from kwire.metadata.values import Partition, Resource, ResourceType
from kwire.protocol.messages.create_partitions_request import CreatePartitionsAssignment, CreatePartitionsTopic
from kwire.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
)
from kwire.protocol.messages.delete_topics_request import DeleteTopicState

NONE = ErrorCode.NONE


def asked(
    name: str, partitions: int = 1, factor: int = 1, assignments: dict[int, list[int]] | None = None, **configs: str
) -> CreatableTopic:
    return CreatableTopic(
        name,
        partitions,
        factor,
        [CreatableReplicaAssignment(index, nodes) for index, nodes in (assignments or {}).items()],
        [CreatableTopicConfig(key.replace("_", "."), value) for key, value in configs.items()],
    )


def created(cluster: Cluster, *topics: CreatableTopic) -> tuple[CreatedTopic, ...]:
    return cluster.commit(create_topics(cluster.image, topics, cluster.config, cluster.random_bytes))


# Creating


def test_a_topic_is_created_with_its_partitions_and_configs() -> None:
    cluster = Cluster()
    (row,) = created(cluster, asked("orders", 2, retention_ms="5"))
    topic = cluster.image.topics["orders"]
    assert (row.name, row.error, row.message, row.replication_factor) == ("orders", NONE, None, 1)
    assert row.topic is not None
    assert (row.topic.id, list(row.topic.partitions)) == (topic.id, [0, 1])
    assert cluster.image.topics_by_id[topic.id] is topic
    assert not topic.internal
    revision = cluster.image.revision
    assert topic.partitions[1] == Partition(1, 1, 0, 0, (1,), (1,), (DIRECTORY,), (), revision)
    assert row.configs == cluster.image.config(Resource(ResourceType.TOPIC, "orders")) == {"retention.ms": "5"}


def test_a_decision_that_is_only_validated_changes_nothing() -> None:
    cluster = Cluster()
    decision = create_topics(cluster.image, [asked("orders", 2)], cluster.config, cluster.random_bytes)
    assert decision.rows[0].topic is not None
    assert cluster.image.topics == {}


def test_minus_one_stands_for_the_brokers_defaults() -> None:
    cluster = Cluster(1, 2, config=BrokerConfig.resolve({"num.partitions": "3", "default.replication.factor": "2"}))
    (row,) = created(cluster, asked("orders", -1, -1))
    assert row.topic is not None
    assert (len(row.topic.partitions), row.replication_factor) == (3, 2)


def test_internal_topics_are_marked() -> None:
    assert [Cluster().create(name).internal for name in ("__consumer_offsets", "__transaction_state", "__x")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("topic", "error"),
    [
        (asked("old"), ErrorCode.TOPIC_ALREADY_EXISTS),
        (asked("old", 0, 0, nope="1"), ErrorCode.TOPIC_ALREADY_EXISTS),
        (asked("p", 0), ErrorCode.INVALID_PARTITIONS),
        (asked("p", -2), ErrorCode.INVALID_PARTITIONS),
        (asked("p", 0, 0), ErrorCode.INVALID_REPLICATION_FACTOR),
        (asked("p", 1, 0), ErrorCode.INVALID_REPLICATION_FACTOR),
        (asked("p", 1, -2), ErrorCode.INVALID_REPLICATION_FACTOR),
        (asked("p", 1, 2), ErrorCode.INVALID_REPLICATION_FACTOR),
        (asked("p", PARTITIONS_PER_REQUEST_MAX), NONE),
        (asked("p", PARTITIONS_PER_REQUEST_MAX + 1), ErrorCode.POLICY_VIOLATION),
        (asked("p", 100_000_000), ErrorCode.POLICY_VIOLATION),
        (asked("p", 2**31 - 1, 9), ErrorCode.POLICY_VIOLATION),
        (asked(""), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("."), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked(".."), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("..."), NONE),
        (asked("a b"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("a b", 0, 0, nope="1"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("a/b"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("é"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("a\n"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("x" * 249), NONE),
        (asked("x" * 250), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("with_dot"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (asked("with.dott"), NONE),
        (asked("__cluster_metadata"), ErrorCode.INVALID_REQUEST),
        (asked("__consumer_offsets"), NONE),
        (asked("m", -1, -1, {0: [1]}), NONE),
        (asked("m", -1, -1, {1: [1], 0: [1]}), NONE),
        (asked("m", 1, 1, {0: [1]}), ErrorCode.INVALID_REQUEST),
        (asked("m", -1, 1, {0: [1]}), ErrorCode.INVALID_REQUEST),
        (asked("m", 1, -1, {0: [1]}), ErrorCode.INVALID_REQUEST),
        (asked("m", -1, -1, {1: [1]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {-1: [1]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {0: [1], 2: [1]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {0: [2]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {0: [-1]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {0: [1, 1]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {0: []}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("m", -1, -1, {0: [1], 1: [1, 2]}), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (asked("c", nope="1"), ErrorCode.INVALID_CONFIG),
        (asked("c", 0, 0, nope="1"), ErrorCode.INVALID_CONFIG),
        (asked("c", retention_ms="x"), ErrorCode.INVALID_CONFIG),
        (asked("c", retention_ms="-2"), ErrorCode.INVALID_CONFIG),
        (asked("c", cleanup_policy="keep"), ErrorCode.INVALID_CONFIG),
        (asked("c", cleanup_policy="delete,compact"), NONE),
        (asked("c", cleanup_policy=""), NONE),
        (asked("c", min_compaction_lag_ms="10", max_compaction_lag_ms="5"), ErrorCode.INVALID_CONFIG),
    ],
    ids=lambda value: value.name if isinstance(value, ErrorCode) else None,
)
def test_what_may_be_created(topic: CreatableTopic, error: ErrorCode) -> None:
    cluster = Cluster()
    cluster.create("old")
    cluster.create("with.dot")
    (row,) = created(cluster, topic)
    assert (row.name, row.error) == (topic.name, error)
    assert (row.topic is None) == (row.message is not None) == (error != NONE)
    assert (topic.name in cluster.image.topics) == (error == NONE or topic.name == "old")


def test_a_config_without_a_value_is_refused() -> None:
    topic = CreatableTopic("c", 1, 1, (), [CreatableTopicConfig("retention.ms", None)])
    assert created(Cluster(), topic)[0].error == ErrorCode.INVALID_CONFIG


def test_a_partition_that_is_assigned_twice_is_refused() -> None:
    twice = [CreatableReplicaAssignment(0, [1]), CreatableReplicaAssignment(0, [1])]
    assert created(Cluster(), CreatableTopic("m", -1, -1, twice))[0].error == ErrorCode.INVALID_REPLICA_ASSIGNMENT


def test_partitions_with_different_numbers_of_replicas_are_refused() -> None:
    (row,) = created(Cluster(1, 2), asked("m", -1, -1, {0: [1, 2], 1: [1]}))
    assert row.error == ErrorCode.INVALID_REPLICA_ASSIGNMENT


def test_one_that_is_refused_takes_nothing_from_the_others_and_rows_keep_their_order() -> None:
    cluster = Cluster()
    rows = created(cluster, asked("b"), asked("a b"), asked("twice"), asked("a"), asked("twice", 2))
    assert [(row.name, row.error) for row in rows] == [
        ("b", NONE),
        ("a b", ErrorCode.INVALID_TOPIC_EXCEPTION),
        ("twice", ErrorCode.INVALID_REQUEST),
        ("a", NONE),
    ]
    assert set(cluster.image.topics) == {"a", "b"}


def test_partitions_are_counted_over_the_whole_request() -> None:
    rows = created(Cluster(), asked("a", 5000), asked("b", 5001))
    assert [row.error for row in rows] == [ErrorCode.POLICY_VIOLATION] * 2


def test_names_collide_with_topics_that_exist_and_not_within_a_request() -> None:
    rows = created(Cluster(), asked("c.d"), asked("c_d"))
    assert [row.error for row in rows] == [NONE, NONE]


def test_of_two_who_create_the_same_topic_one_is_told_to_decide_again() -> None:
    cluster = Cluster()
    first, second = (
        create_topics(cluster.image, [asked("orders")], cluster.config, cluster.random_bytes) for _ in range(2)
    )
    cluster.commit(first)
    with pytest.raises(ConflictError):
        cluster.commit(second)


def test_topics_are_created_on_demand_with_the_defaults() -> None:
    cluster = Cluster(config=BrokerConfig.resolve({"num.partitions": "4"}))
    cluster.create("there")
    rows = cluster.commit(
        auto_create_topics(cluster.image, ["new", "there", "a b", "new"], cluster.config, cluster.random_bytes)
    )
    assert [(row.name, row.error) for row in rows] == [
        ("new", NONE),
        ("there", ErrorCode.TOPIC_ALREADY_EXISTS),
        ("a b", ErrorCode.INVALID_TOPIC_EXCEPTION),
    ]
    assert len(cluster.image.topics["new"].partitions) == 4


@given(st.text(alphabet="ab._-é /", max_size=5))
def test_a_name_is_invalid_for_one_reason_or_valid(name: str) -> None:
    allowed = bool(name) and name not in (".", "..") and all(character in "ab._-" for character in name)
    assert (invalid_topic_name(name) is None) == allowed


@given(st.lists(st.binary(min_size=16, max_size=16), min_size=1, max_size=1))
def test_ids_are_random_uuids_that_print_well(random: list[bytes]) -> None:
    source = iter([*random, bytes(range(16))])
    id_ = new_id(lambda size: next(source))
    assert (id_[6] >> 4, id_[8] >> 6, len(id_)) == (4, 2, 16)
    assert id_ != ZERO_ID
    assert not entries.id_text(id_).startswith("-")


def test_an_id_that_begins_with_a_dash_is_drawn_again() -> None:
    drawn = iter([b"\xf8" + bytes(15), bytes(16)])  # f8… prints as -…
    assert new_id(lambda size: next(drawn)) == bytes.fromhex("00000000000040008000000000000000")
    assert list(drawn) == []


# Deleting


def deleted(cluster: Cluster, *states: tuple[str | None, bytes]) -> tuple[DeletedTopic, ...]:
    asked = [DeleteTopicState(name, id_) for name, id_ in states]
    return cluster.commit(delete_topics(cluster.image, asked, cluster.config))


@pytest.mark.parametrize("by_name", [True, False])
def test_a_topic_is_deleted_with_all_that_was_written_for_it(by_name: bool) -> None:
    cluster = Cluster()
    topic = cluster.create("orders", 3, retention_ms=5)
    before = len(cluster.store.snapshot().entries)
    (row,) = deleted(cluster, ("orders", ZERO_ID) if by_name else (None, topic.id))
    assert row == DeletedTopic("orders", topic.id, NONE, None)
    assert before - len(cluster.store.snapshot().entries) == 1 + 3 + 1
    assert (cluster.image.topics, cluster.image.topics_by_id, cluster.image.configs) == ({}, {}, {})


def test_what_may_not_be_deleted() -> None:
    cluster = Cluster()
    known, other = cluster.create("known").id, b"\1" * 16
    for states, errors in [
        ([("nosuch", ZERO_ID)], [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]),
        ([("a b", ZERO_ID)], [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]),
        ([(None, other)], [ErrorCode.UNKNOWN_TOPIC_ID]),
        ([(None, ZERO_ID)], [ErrorCode.INVALID_REQUEST]),
        ([("known", known)], [ErrorCode.INVALID_REQUEST]),
        ([("known", other)], [ErrorCode.INVALID_REQUEST]),
        ([("known", ZERO_ID), ("known", ZERO_ID)], [ErrorCode.INVALID_REQUEST]),
        ([(None, known), (None, known)], [ErrorCode.INVALID_REQUEST]),
        ([(None, other), (None, other)], [ErrorCode.INVALID_REQUEST]),
        ([("known", ZERO_ID), (None, known)], [ErrorCode.INVALID_REQUEST, ErrorCode.INVALID_REQUEST]),
    ]:
        assert [row.error for row in deleted(cluster, *states)] == errors, states
    assert "known" in cluster.image.topics


def test_an_unknown_topic_takes_nothing_from_the_others() -> None:
    cluster = Cluster()
    cluster.create("a")
    rows = deleted(cluster, ("nosuch", ZERO_ID), ("a", ZERO_ID))
    assert [(row.name, row.error) for row in rows] == [("nosuch", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION), ("a", NONE)]
    assert cluster.image.topics == {}


def test_deletion_can_be_turned_off() -> None:
    cluster = Cluster(config=BrokerConfig.resolve({"delete.topic.enable": "false"}))
    cluster.create("orders")
    assert [row.error for row in deleted(cluster, ("orders", ZERO_ID))] == [ErrorCode.TOPIC_DELETION_DISABLED]
    assert "orders" in cluster.image.topics


def test_a_topic_can_come_again_under_another_id() -> None:
    cluster = Cluster()
    first = cluster.create("orders", 2)
    deleted(cluster, ("orders", ZERO_ID))
    second = cluster.create("orders")
    assert first.id != second.id
    assert len(second.partitions) == 1


# More partitions


def more(name: str, count: int, assignments: Sequence[list[int]] | None = None) -> CreatePartitionsTopic:
    given = None if assignments is None else [CreatePartitionsAssignment(nodes) for nodes in assignments]
    return CreatePartitionsTopic(name, count, given)


def test_a_topic_gets_more_partitions() -> None:
    cluster = Cluster()
    before = cluster.create("orders", 2)
    (row,) = cluster.commit(create_partitions(cluster.image, [more("orders", 4)]))
    after = cluster.image.topics["orders"]
    assert (row.name, row.error, [partition.index for partition in row.added]) == ("orders", NONE, [2, 3])
    assert list(after.partitions) == [0, 1, 2, 3]
    assert after.id == before.id
    assert after.partitions[0] is before.partitions[0]


@pytest.mark.parametrize(
    ("topic", "error"),
    [
        (more("orders", 2), ErrorCode.INVALID_PARTITIONS),
        (more("orders", 1), ErrorCode.INVALID_PARTITIONS),
        (more("orders", 0), ErrorCode.INVALID_PARTITIONS),
        (more("orders", -1), ErrorCode.INVALID_PARTITIONS),
        (more("orders", 2 + PARTITIONS_PER_REQUEST_MAX + 1), ErrorCode.POLICY_VIOLATION),
        (more("orders", 2**31 - 1), ErrorCode.POLICY_VIOLATION),
        (more("nosuch", 3), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (more("a b", 3), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (more("orders", 3, [[1]]), NONE),
        (more("orders", 4, [[1]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (more("orders", 3, [[1], [1]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (more("orders", 3, []), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (more("orders", 3, [[]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (more("orders", 3, [[2]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (more("orders", 3, [[1, 1]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
    ],
)
def test_which_partitions_may_be_added(topic: CreatePartitionsTopic, error: ErrorCode) -> None:
    cluster = Cluster()
    cluster.create("orders", 2)
    (row,) = cluster.commit(create_partitions(cluster.image, [topic]))
    assert (row.name, row.error) == (topic.name, error)
    assert len(cluster.image.topics["orders"].partitions) == (3 if error == NONE else 2)


def test_partitions_are_limited_over_the_whole_request_and_topics_named_once() -> None:
    cluster = Cluster()
    for name in "abc":
        cluster.create(name)
    asked = [more("a", 9000), more("b", 2000), more("c", 3), more("c", 4)]
    decision = create_partitions(cluster.image, asked)
    assert [(row.name, row.error) for row in decision.rows] == [
        ("a", NONE),
        ("b", ErrorCode.POLICY_VIOLATION),
        ("c", ErrorCode.INVALID_REQUEST),
    ]


def test_partitions_of_a_topic_that_was_deleted_meanwhile_are_not_added() -> None:
    cluster = Cluster()
    cluster.create("orders")
    decision = create_partitions(cluster.image, [more("orders", 2)])
    deleted(cluster, ("orders", ZERO_ID))
    with pytest.raises(ConflictError):
        cluster.commit(decision)
