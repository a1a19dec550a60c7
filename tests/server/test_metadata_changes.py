"""Changes to the metadata: decided again when somebody was faster, answered when the logs are there."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest
import trio

from broker_fixture import HandlerBroker, at_once, finish
from kwire.errors import ErrorCode
from kwire.handlers.reply import Later
from kwire.metadata.decision import Decision
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.image import MetadataImage
from kwire.metadata.store import Change, Commit, CompactedError, Snapshot, StoreError
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.messages.create_topics_request import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from kwire.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.server.metadata_changes import MetadataChanges, with_dynamic_config
from kwire.server.partition_keeper import PartitionKeeper
from server_fixture import until


class Store:
    """A store of which the test can say what happens."""

    def __init__(self, store: EmbeddedStore) -> None:
        self.store = store
        self.before_commit: Callable[[], None] = lambda: None
        self.is_compacted = False

    def commit(self, changes: Sequence[Change], expected: Mapping[str, int]) -> int:
        act, self.before_commit = self.before_commit, lambda: None
        act()
        return self.store.commit(changes, expected)

    def watch(self, since_revision: int) -> Sequence[Commit]:
        if self.is_compacted:
            raise CompactedError
        return self.store.watch(since_revision)

    def snapshot(self) -> Snapshot:
        return self.store.snapshot()


def changes_of(broker: HandlerBroker, store: Any) -> MetadataChanges:
    keeper = PartitionKeeper(
        broker.context.logs,
        broker.context.partitions,
        broker.config.node_id,
        lambda: broker.now_ms,
        broker.random.randbytes,
        lambda partition: None,
        at_once,
    )
    return MetadataChanges(store, keeper, at_once)


def create(broker: HandlerBroker, name: str) -> Callable[[MetadataImage], Decision[Any]]:
    """What the handler decides when this topic is to be created."""
    captured: list[Any] = []
    on_change = broker.context.on_change
    broker.context.on_change = lambda decide, respond: captured.append(decide) or Later()
    broker.reply(CreateTopicsRequest([CreatableTopic(name, 2, 1)], 1000), 7)
    broker.context.on_change = on_change
    return captured[0]


def test_a_decision_that_came_too_late_is_made_again() -> None:
    broker = HandlerBroker()
    store = Store(broker.store)
    changes = changes_of(broker, store)
    store.before_commit = lambda: broker.create_topic("t", 5)
    decision = finish(changes.apply(broker.context, create(broker, "t")))
    (row,) = decision.rows
    assert row.error is ErrorCode.TOPIC_ALREADY_EXISTS
    assert decision.changes == ()
    assert len(broker.context.image.topics["t"].partitions) == 5


def test_the_image_and_the_logs_are_there_when_it_is_answered() -> None:
    broker = HandlerBroker()
    finish(changes_of(broker, Store(broker.store)).apply(broker.context, create(broker, "t")))
    assert [partition.index for partition in broker.context.partitions] == [0, 1]
    assert broker.files.exists("/data/t-1/00000000000000000000.log")
    assert "t" in broker.context.image.topics


def test_a_store_that_has_forgotten_is_asked_for_everything() -> None:
    broker = HandlerBroker()
    store = Store(broker.store)
    store.is_compacted = True
    finish(changes_of(broker, store).apply(broker.context, create(broker, "t")))
    assert broker.partition("t", 1).index == 1


def test_settings_of_topics_and_of_the_broker_act_at_once_and_after_a_restart() -> None:
    broker = HandlerBroker()
    broker.create_topic("t")
    broker.create_topic("own", 1, {"max.message.bytes": "777"})

    def alter(type_: ResourceType, name: str, key: str, value: str) -> None:
        resource = AlterConfigsResource(type_, name, [AlterableConfig(key, 0, value)])
        (row,) = broker.ask(IncrementalAlterConfigsRequest([resource]), 1).responses
        assert row.error_code == 0, row.error_message

    def limits() -> tuple[int, int]:
        return (
            broker.partition("t").log.config.max_message_bytes,
            broker.partition("own").log.config.max_message_bytes,
        )

    alter(ResourceType.BROKER, "", "message.max.bytes", "5000")
    assert limits() == (5000, 777)
    alter(ResourceType.TOPIC, "t", "max.message.bytes", "6000")
    assert limits() == (6000, 777)
    alter(ResourceType.BROKER, str(broker.config.node_id), "message.max.bytes", "4000")
    assert limits() == (6000, 777)
    image = MetadataImage.of(broker.store.snapshot())
    found = with_dynamic_config(broker.config, image, broker.config.node_id)
    assert found.effective["message.max.bytes"] == "4000"
    assert Resource(ResourceType.BROKER, "") in image.configs


class Running:
    def __init__(self) -> None:
        self.broker = HandlerBroker()
        self.store = Store(self.broker.store)
        self.changes = changes_of(self.broker, self.store)

    def submit(self, name: str) -> Later:
        return self.changes.submit(create(self.broker, name), lambda decision: MetadataResponse(cluster_id=name))


def run(scenario: Callable[[Running], Awaitable[None]]) -> None:
    async def main() -> None:
        running = Running()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(running.changes.run, running.broker.context)
            await scenario(running)
            nursery.cancel_scope.cancel()

    trio.run(main)


def test_changes_are_made_one_after_the_other_and_each_is_answered() -> None:
    async def scenario(running: Running) -> None:
        laters = [running.submit(name) for name in "abc"]
        await until(lambda: all(later.message for later in laters))
        assert sorted(running.broker.context.image.topics) == ["a", "b", "c"]

    run(scenario)


@pytest.mark.parametrize("error", [StoreError("disk full"), ZeroDivisionError()])
def test_a_change_that_fails_costs_its_client_the_connection_and_no_other(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise error

    async def scenario(running: Running) -> None:
        running.store.before_commit = fail
        bad, good = running.submit("bad"), running.submit("good")
        await until(lambda: good.message)
        assert bad.error is not None
        assert sorted(running.broker.context.image.topics) == ["good"]

    run(scenario)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_topic_with_settings_is_made_with_them() -> None:
    broker = HandlerBroker()
    request = CreateTopicsRequest([CreatableTopic("t", 1, 1, (), [CreatableTopicConfig("flush.messages", "1")])], 1000)
    assert broker.ask(request, 7).topics[0].error_code == 0
    assert broker.partition("t").log.config.flush_messages == 1
