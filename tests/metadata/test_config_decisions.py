"""AlterConfigs and IncrementalAlterConfigs. The error codes are those that Apache Kafka 4.3 answered the same with,
but for broker keys that nobody knows, which Kafka keeps for plug-ins."""

from __future__ import annotations

import pytest

from clusters import Cluster
from kwire.config import BrokerConfig
from kwire.errors import ErrorCode
from kwire.metadata.configs import (
    AlteredConfig,
    FullResource,
    IncrementalResource,
    Operation,
    alter_configs,
    incremental_alter_configs,
)
from kwire.metadata.store import Change, ConflictError
from kwire.metadata.topics import ZERO_ID, delete_topics
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.messages import alter_configs_request, incremental_alter_configs_request
from kwire.protocol.messages.delete_topics_request import DeleteTopicState

NONE = ErrorCode.NONE
TOPIC, BROKER = ResourceType.TOPIC, ResourceType.BROKER
SET, DELETE, APPEND, SUBTRACT = Operation


def whole(type_: int, name: str, **values: str | None) -> FullResource:
    items = [alter_configs_request.AlterableConfig(key.replace("_", "."), value) for key, value in values.items()]
    return FullResource(type_, name, items)


def steps(type_: int, name: str, *items: tuple[str, int, str | None]) -> IncrementalResource:
    configs = [
        incremental_alter_configs_request.AlterableConfig(key, operation, value) for key, operation, value in items
    ]
    return IncrementalResource(type_, name, configs)


class Topics(Cluster):
    """A node with one topic, `orders`."""

    def __init__(self, **broker: str) -> None:
        super().__init__(config=BrokerConfig.resolve({key.replace("_", "."): value for key, value in broker.items()}))
        self.create("orders")

    def alter(self, *resources: FullResource) -> tuple[AlteredConfig, ...]:
        return self.commit(alter_configs(self.image, resources, self.config))

    def step(self, *resources: IncrementalResource) -> tuple[AlteredConfig, ...]:
        return self.commit(incremental_alter_configs(self.image, resources, self.config))

    def values(self, type_: ResourceType = TOPIC, name: str = "orders") -> dict[str, str]:
        return dict(self.image.config(Resource(type_, name)))


def test_altering_a_topic_sets_all_of_its_configs_anew() -> None:
    cluster = Topics()
    (row,) = cluster.alter(whole(TOPIC, "orders", retention_ms="5", cleanup_policy="compact"))
    assert row == AlteredConfig(TOPIC, "orders", NONE, None)
    assert cluster.values() == {"retention.ms": "5", "cleanup.policy": "compact"}
    cluster.alter(whole(TOPIC, "orders", retention_ms="6"))
    assert cluster.values() == {"retention.ms": "6"}
    cluster.alter(whole(TOPIC, "orders"))
    assert Resource(TOPIC, "orders") not in cluster.image.configs


def test_what_does_not_change_anything_commits_nothing() -> None:
    cluster = Topics()
    cluster.alter(whole(TOPIC, "orders", retention_ms="5"))
    again = alter_configs(cluster.image, [whole(TOPIC, "orders", retention_ms="5")], cluster.config)
    assert (again.changes, again.expected, again.rows[0].error) == ((), {}, NONE)


@pytest.mark.parametrize(
    ("resource", "error"),
    [
        (whole(TOPIC, "orders", retention_ms=None), ErrorCode.INVALID_REQUEST),
        (whole(TOPIC, "orders", nope="1"), ErrorCode.INVALID_CONFIG),
        (whole(TOPIC, "orders", retention_ms="x"), ErrorCode.INVALID_CONFIG),
        (whole(TOPIC, "orders", min_compaction_lag_ms="2", max_compaction_lag_ms="1"), ErrorCode.INVALID_CONFIG),
        (whole(TOPIC, "nosuch", retention_ms="5"), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (whole(TOPIC, "", retention_ms="5"), ErrorCode.INVALID_REQUEST),
        (whole(TOPIC, "a b", retention_ms="5"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (whole(0, "x"), ErrorCode.INVALID_REQUEST),
        (whole(3, "x"), ErrorCode.INVALID_REQUEST),
        (whole(ResourceType.BROKER_LOGGER, "1", kafka="INFO"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", log_retention_ms="5"), NONE),
        (whole(BROKER, "", log_retention_ms="5"), NONE),
        (whole(BROKER, "2", log_retention_ms="5"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "x", log_retention_ms="5"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "-", log_retention_ms="5"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", log_retention_ms=None), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", log_retention_ms="x"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", message_max_bytes="-1"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", node_id="3"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", num_partitions="3"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", log_retention_hours="3"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", listeners="PLAINTEXT://:1"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", max_connections="5"), NONE),
        (whole(BROKER, "1", num_io_threads="5"), NONE),
        (whole(BROKER, "1", process_roles="broker"), ErrorCode.INVALID_REQUEST),
        (whole(BROKER, "1", nope="1"), ErrorCode.INVALID_CONFIG),
    ],
)
def test_what_may_be_set_where(resource: FullResource, error: ErrorCode) -> None:
    cluster = Topics()
    (row,) = cluster.alter(resource)
    assert (row.resource_type, row.resource_name, row.error) == (resource.resource_type, resource.resource_name, error)
    assert (row.message is None) == (error == NONE)
    assert len(cluster.image.configs) == (1 if error == NONE else 0)
    # The other request has the same rules.
    items = [(item.name, SET, item.value) for item in resource.configs]
    (row,) = Topics().step(steps(resource.resource_type, resource.resource_name, *items))
    assert row.error == error


def test_a_hint_names_the_nearest_key() -> None:
    rows = Topics().alter(whole(TOPIC, "orders", retention_mss="1"), whole(BROKER, "1", log_retention_mss="1"))
    assert [row.message for row in rows] == [
        "unknown configuration key retention.mss (did you mean retention.ms?)",
        "unknown configuration key log.retention.mss (did you mean log.retention.ms?)",
    ]


@pytest.mark.parametrize(
    ("before", "step", "after"),
    [
        ("retention.ms=5", ("retention.ms", SET, "7"), "retention.ms=7"),
        ("retention.ms=5", ("segment.ms", SET, "7"), "retention.ms=5 segment.ms=7"),
        ("retention.ms=5", ("retention.ms", DELETE, None), ""),
        ("retention.ms=5", ("retention.ms", DELETE, "9"), ""),
        ("retention.ms=5", ("nope", DELETE, None), "retention.ms=5"),
        ("retention.ms=5", ("segment.ms", DELETE, None), "retention.ms=5"),
        ("", ("cleanup.policy", APPEND, "compact"), "cleanup.policy=delete,compact"),
        ("cleanup.policy=compact", ("cleanup.policy", APPEND, "delete"), "cleanup.policy=compact,delete"),
        ("cleanup.policy=delete,compact", ("cleanup.policy", APPEND, "compact"), "cleanup.policy=delete,compact"),
        ("cleanup.policy=delete,compact", ("cleanup.policy", SUBTRACT, "delete"), "cleanup.policy=compact"),
        ("cleanup.policy=compact", ("cleanup.policy", SUBTRACT, "delete"), "cleanup.policy=compact"),
        ("cleanup.policy=compact", ("cleanup.policy", SUBTRACT, "delete,compact"), "cleanup.policy="),
        ("", ("cleanup.policy", SUBTRACT, "delete"), "cleanup.policy="),
    ],
)
def test_what_one_step_does(before: str, step: tuple[str, int, str | None], after: str) -> None:
    cluster = Topics()
    given = [(key, int(SET), value) for key, _, value in (item.partition("=") for item in before.split())]
    cluster.step(steps(TOPIC, "orders", *given))
    (row,) = cluster.step(steps(TOPIC, "orders", step))
    assert row.error == NONE
    assert cluster.values() == dict(item.split("=") for item in after.split())


def test_a_list_starts_from_what_the_broker_is_configured_to() -> None:
    cluster = Topics(log_cleanup_policy="compact")
    cluster.step(steps(TOPIC, "orders", ("cleanup.policy", APPEND, "delete")))
    assert cluster.values() == {"cleanup.policy": "compact,delete"}


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (("retention.ms", SET, None), ErrorCode.INVALID_REQUEST),
        (("retention.ms", APPEND, "1"), ErrorCode.INVALID_CONFIG),
        (("retention.ms", SUBTRACT, "1"), ErrorCode.INVALID_CONFIG),
        (("cleanup.policy", APPEND, "keep"), ErrorCode.INVALID_CONFIG),
        (("cleanup.policy", APPEND, None), ErrorCode.INVALID_REQUEST),
        (("nope", APPEND, "1"), ErrorCode.INVALID_CONFIG),
        (("retention.ms", 9, "1"), ErrorCode.INVALID_REQUEST),  # Kafka: UNKNOWN_SERVER_ERROR
    ],
)
def test_steps_that_are_refused(step: tuple[str, int, str | None], error: ErrorCode) -> None:
    cluster = Topics()
    (row,) = cluster.step(steps(TOPIC, "orders", step))
    assert row.error == error
    assert cluster.values() == {}


def test_a_resource_or_key_that_is_named_twice_is_refused() -> None:
    cluster = Topics()
    cluster.create("other")
    rows = cluster.step(
        steps(TOPIC, "orders", ("retention.ms", SET, "7")),
        steps(TOPIC, "other", ("retention.ms", SET, "7")),
        steps(TOPIC, "orders", ("retention.ms", SET, "8")),
    )
    assert [row.error for row in rows] == [ErrorCode.INVALID_REQUEST, NONE, ErrorCode.INVALID_REQUEST]
    (row,) = cluster.step(steps(TOPIC, "other", ("segment.ms", SET, "8"), ("segment.ms", DELETE, None)))
    assert row.error == ErrorCode.INVALID_REQUEST
    assert (cluster.values(), cluster.values(TOPIC, "other")) == ({}, {"retention.ms": "7"})


def test_a_refused_resource_takes_nothing_from_the_others() -> None:
    cluster = Topics()
    rows = cluster.step(
        steps(TOPIC, "nosuch", ("retention.ms", SET, "7")),
        steps(TOPIC, "orders", ("retention.ms", SET, "7")),
        steps(BROKER, "1", ("log.roll.ms", SET, "9")),
    )
    assert [row.error for row in rows] == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, NONE, NONE]
    assert cluster.values() == {"retention.ms": "7"}
    assert cluster.values(BROKER, "1") == {"log.roll.ms": "9"}


def test_broker_values_are_checked_together_with_those_of_the_other_layers() -> None:
    cluster = Topics(log_cleaner_min_compaction_lag_ms="10")
    (row,) = cluster.step(steps(BROKER, "", ("log.cleaner.max.compaction.lag.ms", SET, "5")))
    assert row.error == ErrorCode.INVALID_REQUEST
    cluster.config = cluster.config.with_dynamic({"log.cleaner.min.compaction.lag.ms": "3"}, {})
    (row,) = cluster.step(steps(BROKER, "1", ("log.cleaner.max.compaction.lag.ms", SET, "5")))
    assert row.error == NONE


def test_a_topics_values_are_checked_together_with_the_brokers() -> None:
    cluster = Topics(log_cleaner_min_compaction_lag_ms="10")
    (row,) = cluster.step(steps(TOPIC, "orders", ("max.compaction.lag.ms", SET, "5")))
    assert row.error == ErrorCode.INVALID_CONFIG


def test_keys_that_were_kept_by_another_version_can_stay_and_go() -> None:
    cluster = Topics()
    cluster.store.commit([Change("/configs/broker/1", '{"of.the.future":"1"}')], {})
    (commit,) = cluster.store.watch(cluster.image.revision)
    cluster.image = cluster.image.apply(commit)
    (row,) = cluster.step(steps(BROKER, "1", ("log.roll.ms", SET, "9")))
    assert (row.error, len(cluster.values(BROKER, "1"))) == (NONE, 2)
    (row,) = cluster.step(steps(BROKER, "1", ("of.the.future", DELETE, None)))
    assert (row.error, cluster.values(BROKER, "1")) == (NONE, {"log.roll.ms": "9"})


def test_of_two_who_change_the_same_resource_one_is_told_to_decide_again() -> None:
    cluster = Topics()
    first = incremental_alter_configs(
        cluster.image, [steps(TOPIC, "orders", ("retention.ms", SET, "7"))], cluster.config
    )
    second = incremental_alter_configs(
        cluster.image, [steps(TOPIC, "orders", ("segment.ms", SET, "7"))], cluster.config
    )
    cluster.commit(first)
    with pytest.raises(ConflictError):
        cluster.commit(second)


def test_configs_of_a_topic_that_was_deleted_meanwhile_are_not_written() -> None:
    cluster = Topics()
    decision = alter_configs(cluster.image, [whole(TOPIC, "orders", retention_ms="5")], cluster.config)
    cluster.commit(delete_topics(cluster.image, [DeleteTopicState("orders", ZERO_ID)], cluster.config))
    with pytest.raises(ConflictError):
        cluster.commit(decision)
